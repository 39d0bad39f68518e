import type { ContractKey, OkOf } from '@stet/contract';
import { PRIORITIES } from '@stet/contract';
import { RUN_STATUSES } from '@stet/domain/runs';
import { HOUR_MS, SLA_STATES } from '@stet/domain/sla';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsIn } from '../testing/mailbox.ts';
import { type TestServer, startTestServer } from '../testing/server.ts';
import { type Call, callAs } from './api.ts';
import { CAST, EVERYONE, NEWCOMER, PASSWORD, TEAM } from './cast.ts';
import { fillDemo, fillTeam } from './fill-demo.ts';
import { gatherPeople } from './people.ts';
import { playDraft } from './play-draft.ts';
import { signInsInWords } from './sign-ins.ts';
import { WORKFLOWS } from './workflows/all-workflows.ts';

let test: TestServer;
let mara: Call;
let outcome: string;

const get = <K extends ContractKey>(path: string): Promise<OkOf<K>> => mara<OkOf<K>>('GET', path);
const workflows = () => get<'GET /api/workflows'>('/api/workflows');
const runs = () => get<'GET /api/runs'>('/api/runs?limit=200');
async function signIn(email: string): Promise<{ call: Call; user: OkOf<'GET /api/auth/me'> }> {
  const signedIn = await callAs(test.server.url, null)<OkOf<'POST /api/auth/login'>>('POST', '/api/auth/login', {
    body: { email, password: PASSWORD },
  });
  return { user: signedIn.user, call: callAs(test.server.url, signedIn.token) };
}
async function everything() {
  const drafts = [];
  for (const { key } of WORKFLOWS)
    drafts.push(await get<'GET /api/workflows/{key}/versions'>(`/api/workflows/${key}/versions`));
  const listed = await runs();
  return {
    workflows: await workflows(),
    drafts,
    runs: listed.map(({ id, name, status, createdAt, stepsCompleted }) => ({
      id,
      name,
      status,
      createdAt,
      stepsCompleted,
    })),
  };
}

beforeAll(async () => {
  test = await startTestServer({ SIMULATED_FAILURE_RATE: '0' });
  // An interrupted first fill left the people, the first version of a workflow, and an unfinished second version.
  const people = await gatherPeople(test.server);
  const vendor = WORKFLOWS.find(({ key }) => key === 'vendor-onboarding');
  const [, second] = vendor?.versions ?? [];
  const first = vendor?.versions[0];
  if (!vendor || !first || !second) throw new Error('the demo has no vendor onboarding');
  const stage = { db: test.server.deps.db, people, today: Date.now() - HOUR_MS };
  await playDraft(stage, vendor, 'v1', first);
  await playDraft(stage, vendor, 'v2', { acts: second.acts.slice(0, 2) });

  outcome = await fillDemo(test.server);
  mara = (await signIn(CAST.mara.email)).call;
});
afterAll(() => test.stop());

describe('the demo', () => {
  it('continues an interrupted fill without repeating anything', async () => {
    expect(outcome).toBe('filled');
    const versions = await get<'GET /api/workflows/{key}/versions'>('/api/workflows/vendor-onboarding/versions');
    expect(versions.map(({ label }) => label)).toEqual(['Draft', 'v7', 'v6', 'v5', 'v4', 'v3', 'v2', 'v1']);
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

  it('has runs of every status, priority and SLA state from the last four weeks', async () => {
    const listed = await runs();
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(RUN_STATUSES));
    expect(new Set(listed.map(({ priority }) => priority))).toEqual(new Set(PRIORITIES));
    for (const status of ['running', 'completed'] as const) {
      const states = new Set(listed.filter((run) => run.status === status).map(({ slaState }) => slaState));
      expect(states).toEqual(new Set(status === 'running' ? SLA_STATES : ['on_track', 'breached']));
    }
    for (const sla of SLA_STATES) expect(await get<'GET /api/runs'>(`/api/runs?sla=${sla}`)).not.toHaveLength(0);
    for (const { createdAt } of listed) {
      expect(Date.parse(createdAt)).toBeGreaterThan(Date.now() - 28 * 24 * HOUR_MS);
      expect(Date.parse(createdAt)).toBeLessThan(Date.now());
    }
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

  it('has histories in chronological order, and runs that can be continued from their states', async () => {
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
    // The server executes its own step, and then it is a person's turn again.
    const current = async () => (await get<'GET /api/runs/{id}'>(`/api/runs/${brandt?.id}`)).currentStepIds;
    await expect.poll(current, { timeout: 15_000 }).toEqual(['confirm']);
  });

  it('has every version approved by someone who did not write it', async () => {
    for (const { key } of WORKFLOWS) {
      for (const version of await get<'GET /api/workflows/{key}/versions'>(`/api/workflows/${key}/versions`)) {
        if (version.version === null) continue;
        const draft = await get<'GET /api/workflows/{key}/drafts/{id}'>(`/api/workflows/${key}/drafts/${version.id}`);
        const authors = draft.contributors.map(({ id }) => id);
        const approvers = draft.reviews
          .filter(({ verdict }) => verdict === 'approved')
          .map(({ reviewer }) => reviewer.id);
        expect(approvers.length, `${key} ${version.label}`).toBeGreaterThan(0);
        expect(approvers.filter((id) => authors.includes(id))).toEqual([]);
        expect(Date.parse(version.createdAt)).toBeLessThan(Date.now() - 24 * HOUR_MS);
      }
    }
  });

  it('has workflows with every status, a rollback, and drafts in every state of review', async () => {
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
    const owner = new pg.Client(test.database.connection);
    await owner.connect();
    const { rows } = await owner.query<{ outbox: number; queued: number }>(
      `select (select count(*)::int from outbox) as outbox,
              (select count(*)::int from graphile_worker.jobs where task_identifier in ('notify_assignee', 'mail_notice')) as queued`,
    );
    await owner.end();
    expect(rows).toEqual([{ outbox: 0, queued: 0 }]);
    expect(await mailsIn(test.dataDir)).toEqual([]);
  });

  it("changes nothing when it is filled again, even if it can't detect that it is complete", async () => {
    const before = await everything();
    expect(await fillDemo(test.server)).toBe('was filled');
    await fillTeam(test.server, await gatherPeople(test.server));
    expect(await everything()).toEqual(before);
  });
});
