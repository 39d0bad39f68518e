import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEventView, ContractKey, OkOf } from '@stet/contract';
import { PRIORITIES } from '@stet/contract';
import { verifyCertificate } from '@stet/domain/audit';
import { RUN_STATUSES } from '@stet/domain/runs';
import { HOUR_MS, SLA_STATES } from '@stet/domain/sla';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningPostgres } from '../db/embedded/running-postgres.ts';
import { ownerClient } from '../db/pool.ts';
import { type Config, readConfig } from '../kernel/config.ts';
import { openLog } from '../kernel/log.ts';
import { verifyEd25519 } from '../modules/audit/audit-signer.ts';
import { verdictOn } from '../modules/audit/verification.ts';
import { type Server, startServer } from '../server.ts';
import { mailsIn } from '../testing/mailbox.ts';
import { type Call, callAs } from './api.ts';
import { CAST, EVERYONE, NEWCOMER, PASSWORD, TEAM } from './cast.ts';
import { fillDemo, isDemo } from './fill-demo.ts';
import { signInsInWords } from './sign-ins.ts';
import { WORKFLOWS } from './workflows/all-workflows.ts';

const folder = mkdtempSync(join(tmpdir(), 'stet-demo-'));
const log = openLog('error');
const began = Date.now();
let config: Config;
let server: Server;
let owner: pg.Client;
let mara: Call;
let token: string;
let orgId: string;
let outcome: string;
/** The team's trail, oldest event first. */
let trail: AuditEventView[];

const get = <K extends ContractKey>(path: string): Promise<OkOf<K>> => mara<OkOf<K>>('GET', path);
const workflows = () => get<'GET /api/workflows'>('/api/workflows');
const runs = () => get<'GET /api/runs'>('/api/runs?limit=200');
const ms = (moment: string | null | undefined): number => Date.parse(moment ?? '');
async function signIn(email: string): Promise<{ call: Call; token: string; user: OkOf<'GET /api/auth/me'> }> {
  const signedIn = await callAs(server.url, null)<OkOf<'POST /api/auth/login'>>('POST', '/api/auth/login', {
    body: { email, password: PASSWORD },
  });
  return { ...signedIn, call: callAs(server.url, signedIn.token) };
}
async function mergedVersions() {
  const found = [];
  for (const { key } of WORKFLOWS)
    for (const version of await get<'GET /api/workflows/{key}/versions'>(`/api/workflows/${key}/versions`))
      if (version.version !== null) {
        const path = `/api/workflows/${key}/drafts/${version.id}`;
        found.push({ key, version, draft: await get<'GET /api/workflows/{key}/drafts/{id}'>(path) });
      }
  return found;
}
async function wholeTrail(): Promise<AuditEventView[]> {
  const events: AuditEventView[] = [];
  for (let cursor = ''; ;) {
    const page = await get<'GET /api/audit/events'>(`/api/audit/events?limit=200${cursor}`);
    events.unshift(...page.toReversed());
    if (page.length < 200) return events;
    cursor = `&cursor=${page.at(-1)?.seq}`;
  }
}
const seqOf = (action: string, subjectId: string): number[] =>
  trail.flatMap((event) => (event.action === action && event.subject.id === subjectId ? [event.seq] : []));

beforeAll(async () => {
  config = readConfig({
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    RATE_LIMITS: 'off',
    MAIL_BATCH_SECONDS: '0',
    SIMULATED_FAILURE_RATE: '0',
    LOG_LEVEL: 'error',
  });
  // An interrupted fill leaves this folder.
  mkdirSync(`${config.dataDir}.filling`);
  writeFileSync(join(`${config.dataDir}.filling`, 'half'), '');
  outcome = await fillDemo(config, log);
  server = await startServer({ config, log, webRoot: null });
  const signedIn = await signIn(CAST.mara.email);
  ({ call: mara, token } = signedIn);
  orgId = signedIn.user.currentOrgId ?? '';
  trail = await wholeTrail();
  const postgres = findRunningPostgres(config.dataDir);
  if (!postgres) throw new Error('the demo has no database');
  owner = ownerClient(postgres);
  await owner.connect();
}, 300_000);
afterAll(async () => {
  await owner.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the demo', () => {
  it('is filled once, from the beginning if it was interrupted', async () => {
    expect(outcome).toBe('filled');
    expect(existsSync(`${config.dataDir}.filling`)).toBe(false);
    expect(existsSync(join(config.dataDir, 'half'))).toBe(false);
    expect(await isDemo(server)).toBe(true);
    expect(await fillDemo(config, log)).toBe('was filled');
    const versions = await get<'GET /api/workflows/{key}/versions'>('/api/workflows/vendor-onboarding/versions');
    expect(versions.map(({ label }) => label)).toEqual(['Draft', 'v7', 'v6', 'v5', 'v4', 'v3', 'v2', 'v1']);
  });

  it('refuses a directory with other files', async () => {
    const dataDir = join(folder, 'other');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'mine'), '');
    await expect(fillDemo({ ...config, dataDir }, log)).rejects.toThrow('DATA_DIR must be an empty or new directory');
  });

  it('lets everyone in the printed list sign in with the listed role', async () => {
    const printed = signInsInWords('http://localhost:3000');
    expect(printed).toContain(PASSWORD);
    for (const who of EVERYONE) {
      const { email, role } = CAST[who];
      const { user } = await signIn(email);
      expect([user.orgRole, user.organizations.find(({ id }) => id === user.currentOrgId)?.name]).toEqual([
        role,
        TEAM.name,
      ]);
      expect(printed).toMatch(new RegExp(`${email} +${role} `));
    }
    const { user } = await signIn(NEWCOMER.email);
    expect(user.organizations.map(({ type }) => type)).toEqual(['individual']);
  });

  it('has runs of every status, priority and SLA state from the last three months', async () => {
    const listed = await runs();
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(RUN_STATUSES));
    expect(new Set(listed.map(({ priority }) => priority))).toEqual(new Set(PRIORITIES));
    for (const status of ['running', 'completed'] as const) {
      const states = new Set(listed.filter((run) => run.status === status).map(({ slaState }) => slaState));
      expect(states).toEqual(new Set(status === 'running' ? SLA_STATES : ['on_track', 'breached']));
    }
    for (const sla of SLA_STATES) expect(await get<'GET /api/runs'>(`/api/runs?sla=${sla}`)).not.toHaveLength(0);
    for (const { createdAt } of listed) {
      expect(Date.parse(createdAt)).toBeGreaterThan(Date.now() - 91 * 24 * HOUR_MS);
      expect(Date.parse(createdAt)).toBeLessThan(Date.now());
    }
  });

  it('shows in its insights that the latest version made a step and whole runs slower', async () => {
    const from = new Date(Date.now() - 90 * 24 * HOUR_MS).toISOString().slice(0, 10);
    const shown = () =>
      get<'GET /api/workflows/{key}/insights'>(`/api/workflows/vendor-onboarding/insights?from=${from}`);
    await expect
      .poll(async () => (await shown()).change?.measures.calendar, { timeout: 30_000 })
      .toMatchObject({ before: { runs: 25 }, after: { runs: 22 }, verdict: 'slower' });
    const { change } = await shown();
    const verdicts = Object.fromEntries(change?.steps.map(({ stepId, verdict }) => [stepId, verdict]) ?? []);
    expect(verdicts).toMatchObject({ compliance: 'slower', risk: 'faster', documents: 'no_clear_difference' });
  });

  it('has a run with two current steps, one of which has one of its two approvals', async () => {
    const [found] = await get<'GET /api/runs'>('/api/runs?q=Nordlicht');
    const run = await get<'GET /api/runs/{id}'>(`/api/runs/${found?.id}`);
    expect([run.slaState, run.currentStepIds, run.sla.targetMs]).toEqual([
      'at_risk',
      ['risk', 'compliance'],
      807_000_000,
    ]);
    const { approvals } = run.steps.find(({ id }) => id === 'compliance') ?? {};
    expect([approvals?.required, approvals?.by.map(({ name }) => name)]).toEqual([2, ['Ellen Park']]);
    expect(run.history.map(({ action }) => action)).toContain('approved');
  });

  it('has histories in chronological order, and a run that can be continued from its state', async () => {
    for (const { id, name } of await runs()) {
      const { history } = await get<'GET /api/runs/{id}'>(`/api/runs/${id}`);
      const times = history.map(({ at }) => at);
      expect(times, name).toEqual(times.toSorted());
    }
    const [brandt] = await get<'GET /api/runs'>('/api/runs?q=Brandt');
    const { call } = await signIn(CAST.sam.email);
    const body = { stepId: 'devices', output: { text: 'All there.' } };
    const run = await call<OkOf<'POST /api/runs/{id}/complete'>>('POST', `/api/runs/${brandt?.id}/complete`, { body });
    expect(run.stepsCompleted).toBe((brandt?.stepsCompleted ?? 0) + 1);
    // The server executes its own step, and then the run waits for a person again.
    const current = async () => (await get<'GET /api/runs/{id}'>(`/api/runs/${brandt?.id}`)).currentStepIds;
    await expect.poll(current, { timeout: 15_000 }).toEqual(['confirm']);
  });

  it('has each version submitted, approved by others, merged and run in this order, by date and in the trail', async () => {
    const listed = await runs();
    for (const { key, version, draft } of await mergedVersions()) {
      const name = `${key} ${version.label}`;
      const authors = draft.contributors.map(({ id }) => id);
      const approvals = draft.reviews.filter(({ verdict }) => verdict === 'approved');
      expect(approvals.length, name).toBeGreaterThan(0);
      expect(approvals.filter(({ reviewer }) => authors.includes(reviewer.id))).toEqual([]);
      expect(
        draft.reviews.flatMap(({ marks }) => marks),
        name,
      ).toEqual([]);

      const started = listed.filter((run) => run.workflowKey === key && run.workflowVersion === version.version);
      const [created, submitted, approved, merged] = ['created', 'submitted', 'approved', 'merged'].map((act) =>
        seqOf(`draft.${act}`, version.id),
      );
      const timeOf = (seq: number | undefined): number => ms(trail.find((event) => event.seq === seq)?.at);
      const dates = [
        ms(version.createdAt),
        timeOf(submitted?.at(-1)),
        ...approvals.map(({ at }) => ms(at)).toSorted((one, other) => one - other),
        timeOf(merged?.[0]),
        Math.min(began, ...started.map(({ createdAt }) => ms(createdAt))),
      ];
      expect(dates, name).not.toContain(Number.NaN);
      expect(dates, name).toEqual(dates.toSorted((one, other) => one - other));

      const begun = started.flatMap(({ id }) => seqOf('run.started', id));
      const order = [created?.[0], submitted?.at(-1), ...(approved ?? []).slice(-approvals.length), merged?.[0]];
      const seqs = [...order, Math.min(trail.length + 1, ...begun)];
      expect(seqs, name).not.toContain(undefined);
      expect(seqs, name).toEqual(seqs.toSorted((one = 0, other = 0) => one - other));
    }
  });

  it('has events in chronological order with the times of their rows, none before its actor joined or after the fill', async () => {
    const times = trail.map(({ at }) => ms(at));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThan(Date.now());
    const { rows: early } = await owner.query<{ n: number }>(
      'select count(*)::int as n from audit_events e join users u on u.id::text = e.actor where e.at < u.created_at',
    );
    expect(early).toEqual([{ n: 0 }]);
    // Process and database use the same clock, so events and their rows have the same times.
    const { rows } = await owner.query<{ what: string; apart: number }>(`
      with rows as (
        select 'made' as what, at, made_at as own from audit_events
        union all select 'person', e.at, u.created_at from audit_events e join users u on u.id::text = e.subject_id where e.action = 'account.signed_up'
        union all select 'draft', e.at, v.created_at from audit_events e join workflow_versions v on v.id::text = e.subject_id where e.action = 'draft.created'
        union all select 'end', e.at, p.superseded_at from audit_events e join workflow_versions v on v.id::text = e.subject_id
          join workflow_versions p on p.workflow_id = v.workflow_id and p.version = v.version - 1 and p.status = 'superseded' where e.action = 'draft.merged'
        union all select 'approval', e.at, w.at from audit_events e join draft_reviews w on w.draft_id::text = e.subject_id and w.reviewer_id::text = e.actor and w.verdict = 'approved' where e.action = 'draft.approved'
        union all select 'merge', e.at, v.merged_at from audit_events e join workflow_versions v on v.id::text = e.subject_id where e.action = 'draft.merged'
        union all select 'run', e.at, r.created_at from audit_events e join runs r on r.id::text = e.subject_id where e.action = 'run.started'
        union all select 'fact', e.at, to_timestamp((e.payload::jsonb #>> '{data,at}')::float8 / 1000) from audit_events e where e.run_id is not null
        union all select 'comment', e.at, c.at from audit_events e join draft_comments c on c.id::text = e.payload::jsonb #>> '{data,commentId}' where e.action = 'draft.commented'
      ) select what, max(abs(extract(epoch from at - own)))::float8 as apart from rows group by what order by what`);
    expect(rows.map(({ what }) => what)).toEqual([
      'approval',
      'comment',
      'draft',
      'end',
      'fact',
      'made',
      'merge',
      'person',
      'run',
    ]);
    for (const { what, apart } of rows) expect(apart, what).toBeLessThan(2);
    const { rows: late } = await owner.query<{ n: number }>(
      'select count(*)::int as n from notifications where created_at > now() or read_at > now() or read_at < created_at',
    );
    expect(late).toEqual([{ n: 0 }]);
  });

  it('has an intact trail, and a valid certificate for every merged version', async () => {
    expect(await verdictOn(server.deps, orgId)).toMatchObject({ is: 'ended', found: null });
    const merged = await mergedVersions();
    expect(new Set(merged.map(({ key }) => key)).size).toBeGreaterThan(5);
    for (const { key, version } of merged) {
      const path = `/api/workflows/${key}/versions/${version.version}/certificate`;
      const text = await (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).text();
      const keys = server.deps.auditSigner.trustedKeysOf(orgId);
      expect(
        verifyCertificate({ text, keys, verifySignature: verifyEd25519 }),
        `${key} ${version.label}`,
      ).toMatchObject({
        ok: true,
        trust: 'key',
        facts: { key, version: version.version, contentHash: version.contentHash },
      });
    }
  });

  it('resets the clock of the database, and leaves nothing behind that could change it', async () => {
    const { rows } = await owner.query<{ schemas: number; settings: number; paths: number; defaults: number }>(`
      select (select count(*)::int from pg_namespace where nspname like '%clock%') as schemas,
             (select count(*)::int from pg_db_role_setting) as settings,
             (select count(*)::int from pg_proc where proconfig::text like '%clock%') as paths,
             (select count(*)::int from pg_attrdef where pg_get_expr(adbin, adrelid) like '%demo%') as defaults`);
    expect(rows).toEqual([{ schemas: 0, settings: 0, paths: 0, defaults: 0 }]);
    expect(new Date().getTime() - began).toBeLessThan(10 * 60_000);
  });

  it('has runs on both branches of a condition, after a script that used the run’s form', async () => {
    const { steps } = await get<'GET /api/workflows/{key}/versions/{version}'>(
      '/api/workflows/expense-approval-5k/versions/4',
    );
    const script = steps.flatMap((step) => (step.type === 'automated' ? [step.config.script ?? ''] : []))[0];
    const results = new Set<unknown>();
    for (const { id, name, workflowKey } of await runs()) {
      if (workflowKey !== 'expense-approval-5k') continue;
      const run = await get<'GET /api/runs/{id}'>(`/api/runs/${id}`);
      const outputOf = (stepId: string) =>
        run.steps.find((step) => step.id === stepId)?.output as Record<string, unknown> | null | undefined;
      const [form, budget, large] = [outputOf('receipts'), outputOf('budget'), outputOf('large')];
      if (!form || !budget) continue;
      const body = { script, outputs: { receipts: form } };
      const trial = await mara<OkOf<'POST /api/workflows/script-trial'>>('POST', '/api/workflows/script-trial', {
        body,
      });
      expect(trial, name).toMatchObject({ ok: true, output: budget });
      expect(large).toEqual({ result: Number((form['fields'] as { net_amount: number }).net_amount) > 20_000 });
      results.add(large?.['result']);
    }
    expect(results).toEqual(new Set([true, false]));
  });

  it('has workflows with every status, a rollback, and drafts in several states of review', async () => {
    const listed = await workflows();
    const of = (key: string) => listed.find((workflow) => workflow.key === key);
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['draft', 'in_review', 'live', 'archived']));
    expect([of('vendor-onboarding')?.version?.number, of('incident-response')?.version?.number]).toEqual([7, 5]);

    const openDraft = async (key: string) => {
      const id = of(key)?.versions.find(({ version }) => version === null)?.id;
      return get<'GET /api/workflows/{key}/drafts/{id}'>(`/api/workflows/${key}/drafts/${id}`);
    };
    const vendor = await openDraft('vendor-onboarding');
    expect(vendor.status).toBe('in_review');
    expect(vendor.blockers.map(({ code }) => code)).toEqual(['changes_requested', 'needs_approvals']);
    expect(vendor.comments).toHaveLength(2);
    const refund = await openDraft('customer-refund-500');
    expect(refund.reviews.map(({ verdict, current }) => [verdict, current])).toEqual([['approved', false]]);
    expect((await openDraft('expense-approval-5k')).blockers.map(({ code }) => code)).toEqual(['needs_approvals']);
    expect((await openDraft('quarterly-access-review')).status).toBe('draft');
  });

  it('sends no email about past events', async () => {
    const { rows } = await owner.query<{ outbox: number; queued: number; muted: number }>(
      `select (select count(*)::int from outbox) as outbox,
              (select count(*)::int from graphile_worker.jobs where task_identifier in ('notify_assignee', 'mail_notice')) as queued,
              (select count(*)::int from notification_preferences) as muted`,
    );
    expect(rows).toEqual([{ outbox: 0, queued: 0, muted: 0 }]);
    expect(await mailsIn(config.dataDir)).toEqual([]);
  });
});
