import type { Conformance, Run } from '@stet/contract';
import { DEVIATIONS } from '@stet/domain/insights';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovedClock, moveClock } from '../../demo/moved-clock.ts';
import { mailerTo } from '../../demo/stage.ts';
import { SERVER_ROLE, ensureServerRole } from '../../db/roles.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { personalToken } from '../../testing/api-tokens.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { type Client, type Person, type TestServer, startTestServerOn } from '../../testing/server.ts';
import { executeStep } from '../runs/execution/execute-step.job.ts';
import { followTrails } from './follow-trail.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const DAY = 24 * HOUR;

const ORDERS = [
  {
    id: 'work',
    title: 'Work',
    assignee: 'editor, reviewer',
    config: {
      fields: [
        { id: 'bill', label: 'Bill', kind: 'file_link', required: false },
        { id: 'offer', label: 'Offer', kind: 'file_link', required: false },
      ],
    },
    next: ['check'],
  },
  {
    id: 'check',
    title: 'Check',
    type: 'approval',
    assignee: 'reviewer',
    sla: '4h',
    config: { onReject: 'work' },
    next: ['input'],
  },
  { id: 'input', title: 'Input', assignee: 'editor, reviewer', config: { requiresApproval: true }, next: ['file'] },
  { id: 'file', title: 'File', assignee: 'editor', sla: '2 days', next: ['large'] },
  {
    id: 'large',
    title: 'Large?',
    type: 'condition',
    config: { condition: 'file.text = "large"', trueNext: 'extra', falseNext: 'sign' },
    next: ['extra', 'sign'],
  },
  { id: 'extra', title: 'Extra', next: ['sign'] },
  { id: 'sign', title: 'Sign', type: 'approval', assignee: 'reviewer', config: {}, next: [] as string[] },
];
const ROBOTS = [
  { id: 'ask', title: 'Ask', next: ['robot'] },
  { id: 'robot', title: 'Robot', type: 'automated', next: [] as string[] },
];
const ALONE = [{ id: 'check', title: 'Check', type: 'approval', assignee: 'viewer' }];

type Who = 'owner' | 'editor' | 'reviewer' | 'second' | 'robot' | 'founder' | 'viewer' | 'third';
/** An action on a step, `after` milliseconds after the previous one. */
type Act = { after: number; by: Who; step: string; do: string; body?: object };
type Acts = Record<string, Act | Act[]>;

const complete = (step: string, by: Who, output: object = {}, after = HOUR): Act => ({
  after,
  by,
  step,
  do: 'complete',
  body: { output: { text: 'Done', ...output } },
});
const approve = (step: string, by: Who, after = HOUR): Act => ({ after, by, step, do: 'approve' });
const reject = (step: string, by: Who): Act => ({
  after: HOUR,
  by,
  step,
  do: 'reject',
  body: { comments: 'Once more' },
});
const skip = (step: string, by: Who): Act => ({ after: HOUR, by, step, do: 'skip', body: { reason: 'Known' } });
const BILL = { fields: { bill: 'https://files.example/bill.pdf' } };

/** The actions of a run that follows its workflow. Each case replaces some of them. */
const PLAIN: Acts = {
  work: complete('work', 'editor', BILL),
  check: approve('check', 'reviewer'),
  input: complete('input', 'editor'),
  inputApproved: approve('input', 'reviewer'),
  file: complete('file', 'editor'),
  sign: approve('sign', 'second'),
};
const again = [complete('work', 'editor', BILL), reject('check', 'reviewer')];

/** Runs with one deviation each: the changed actions, and the deviation that must be found. */
const PLANTED: [string, Acts, string][] = [
  ['a skipped approval', { sign: skip('sign', 'second') }, 'control_skipped sign'],
  ['a skipped step', { file: skip('file', 'editor') }, 'step_skipped file'],
  ['an approval after 9 seconds', { sign: approve('sign', 'second', 9 * SECOND) }, 'approved_at_once sign'],
  [
    'input approved after 9 seconds',
    { inputApproved: approve('input', 'reviewer', 9 * SECOND) },
    'approved_at_once input',
  ],
  ['an approval of one’s own work', { work: complete('work', 'reviewer', BILL) }, 'own_work_approved check'],
  ['an approval by an API token', { sign: approve('sign', 'robot') }, 'decision_marked sign'],
  ['a step done by someone else', { file: complete('file', 'owner') }, 'done_by_other file'],
  [
    'a form without evidence',
    { work: complete('work', 'editor', { fields: { bill: '', offer: '' } }) },
    'evidence_missing work',
  ],
  [
    'an approval after more than twice the SLA',
    { check: approve('check', 'reviewer', 8 * HOUR + MINUTE) },
    'done_long_after check',
  ],
  ['no reaction for more than a day', { file: complete('file', 'editor', {}, 3 * DAY + MINUTE) }, 'no_reaction file'],
  [
    'three returns',
    {
      check: [
        reject('check', 'reviewer'),
        ...again,
        ...again,
        complete('work', 'editor', BILL),
        approve('check', 'reviewer'),
      ],
    },
    'returned_often work',
  ],
];

/** Runs without any deviation. Most of them are just below a limit, or differ by one action from a run that has one. */
const CLEAN: [string, Acts][] = [
  ['that follow the document', {}],
  [
    'with a step on another branch',
    { file: [complete('file', 'editor', { text: 'large' }), complete('extra', 'editor')] },
  ],
  ['with an approval after 11 seconds', { sign: approve('sign', 'second', 11 * SECOND) }],
  ['with input approved after 11 seconds', { inputApproved: approve('input', 'reviewer', 11 * SECOND) }],
  ['with an approval by someone who did an earlier step', { work: complete('work', 'second', BILL) }],
  ['with work by an API token', { input: complete('input', 'robot') }],
  [
    'with a step done by the person who got it',
    {
      file: [{ after: HOUR, by: 'editor', step: 'file', do: 'hand-over' }, complete('file', 'second')],
      sign: approve('sign', 'reviewer'),
    },
  ],
  [
    'with one of two pieces of evidence',
    { work: complete('work', 'editor', { fields: { offer: 'https://files.example/offer.pdf' } }) },
  ],
  ['with an approval within twice the SLA', { check: approve('check', 'reviewer', 8 * HOUR - MINUTE) }],
  ['with a late step that was done within a day', { file: complete('file', 'editor', {}, 3 * DAY - MINUTE) }],
  [
    'with a late step that someone wrote about',
    {
      file: [{ after: 2 * DAY + HOUR, by: 'reviewer', step: 'file', do: 'note' }, complete('file', 'editor', {}, DAY)],
    },
  ],
  [
    'with two returns',
    { check: [reject('check', 'reviewer'), ...again, complete('work', 'editor', BILL), approve('check', 'reviewer')] },
  ],
];

describe('the findings about runs', () => {
  let server: TestServer;
  let clock: MovedClock;
  let database: pg.Client;
  const people = new Map<Who, Person | Client>();
  const accounts: Person[] = [];
  const orgs = { team: '', alone: '' };

  const by = (who: Who): Client => {
    const found = people.get(who);
    if (!found) throw new Error(`${who} has no account`);
    return found;
  };

  /**
   * Moves the clock forward. If it moves by an hour or more, signs everyone in again, because sessions end after twelve
   * hours.
   */
  async function pass(ms: number): Promise<void> {
    await clock.moveTo(clock.now() + ms);
    if (ms < HOUR) return;
    for (const person of accounts) {
      const account = { email: person.user.email, password: 'a long enough one' };
      const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', account);
      Object.assign(person, { ...server.as(token), token });
    }
  }

  /** Executes those of the steps with these ids that are active, because this server runs no jobs. */
  async function executeSteps(orgId: string, runId: string, ids: readonly string[]): Promise<void> {
    const active = await server.sql<{ step_id: string; activation: number }>(
      `select step_id, activation from run_steps where run_id = $1 and state = 'active' and step_id = any($2)`,
      [runId, ids],
    );
    for (const { step_id: stepId, activation } of active)
      await executeStep(
        server.server.deps,
        mailerTo(() => {}),
        { orgId, runId, stepId, activation },
      );
  }

  async function perform(run: Run, { after, by: who, step, do: action, body }: Act): Promise<void> {
    await pass(after);
    const at = `/api/runs/${run.id}`;
    if (action === 'note') await by(who).post(`${at}/notes`, { text: 'We wait for the supplier', stepId: step });
    else if (action === 'hand-over') {
      const to = (by('second') as Person).user.email;
      await by(who).post(`${at}/steps/${step}/hand-over`, { to, reason: 'On holiday' });
    } else {
      // An approval by a token must name the revision that was read.
      const { revision } = await by(who).get<Run>(at);
      const headers = { 'if-match': `"${revision}"` };
      const reply = await by(who).call('POST', `${at}/steps/${step}/${action}`, body, headers);
      expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
    }
    await executeSteps(orgs.team, run.id, ['large']);
  }

  beforeAll(async () => {
    const created = await createTestDatabase();
    database = new pg.Client(created.connection);
    await database.connect();
    const served = await ensureServerRole(created.connection);
    clock = await moveClock(database, SERVER_ROLE, Date.now() - 60 * DAY);
    server = await startTestServerOn(created, { SIMULATED_FAILURE_RATE: '0' }, { migratedDatabase: served });
    const team = await teamOf(server, ['editor', 'reviewer']);
    const second = await server.signUp({ name: 'The other reviewer' });
    await joinOrganization(server, second, team.orgId, 'reviewer');
    const founder = await server.signUp({ team: 'Founders' });
    const viewer = await server.signUp({ name: 'The viewer' });
    Object.assign(orgs, { team: team.orgId, alone: founder.user.currentOrgId ?? '' });
    for (const [who, person] of Object.entries({
      owner: team.owner,
      editor: team.editor,
      reviewer: team.reviewer,
      second,
      founder,
      viewer,
    })) {
      people.set(who as Who, person);
      accounts.push(person);
    }
    await publish(team.editor, team.reviewer, 'orders', ORDERS);
    await publish(team.editor, team.reviewer, 'robots', ROBOTS);
    people.set('robot', await personalToken(server, second));
    await founder.post('/api/workflows/alone/drafts', { metadata: { title: 'Alone' }, steps: ALONE });
    const [draft] = await server.sql<{ id: string }>('select id from workflow_versions where org_id = $1', [
      orgs.alone,
    ]);
    for (const action of ['approve', 'merge']) await founder.post(`/api/workflows/alone/drafts/${draft?.id}/${action}`);
    await joinOrganization(server, viewer, orgs.alone, 'viewer');

    for (const [name, acts] of [...PLANTED, ...CLEAN]) {
      const run = await start(team.owner, 'orders', name);
      for (const act of Object.values({ ...PLAIN, ...acts }).flat()) await perform(run, act);
    }
    for (const how of ['simulated', 'skipped']) {
      const run = await start(team.owner, 'robots', how);
      await perform(run, complete('ask', 'editor'));
      if (how === 'simulated') await executeSteps(orgs.team, run.id, ['robot']);
      else await team.owner.post(`/api/runs/${run.id}/cancel`, { reason: 'Enough' });
    }
    for (const name of ['retried alone', 'retried by someone else']) {
      if (name === 'retried by someone else') {
        const third = await server.signUp({ name: 'The third' });
        accounts.push(third);
        people.set('third', third);
        await joinOrganization(server, third, orgs.alone, 'admin');
      }
      const run = await start(founder, 'alone', name);
      await perform(run, reject('check', 'viewer'));
      const who = name === 'retried alone' ? 'founder' : 'third';
      await perform(run, { after: HOUR, by: who, step: 'check', do: 'retry' });
      await perform(run, approve('check', 'viewer'));
    }
    const uncounted = () =>
      server.sql(
        `select from audit_heads h left join insight_cursors c using (org_id) where h.seq > coalesce(c.seq, 0)`,
      );
    while ((await uncounted()).length > 0) await followTrails(server.server.deps);
  }, 300_000);
  afterAll(async () => {
    await clock.putBack();
    await database.end();
    await server.stop();
  });

  /** The findings as `run: kind step`, their numbers by kind and step, and the number of ended runs. */
  async function findingsOf(who: Who, key: string) {
    const body = await by(who).get<Conformance>(`/api/workflows/${key}/conformance?limit=200`);
    return {
      found: body.findings.map(({ run, kind, step }) => `${run.name}: ${kind} ${step.id}`).toSorted(),
      counts: body.counts.map(({ kind, stepId, findings }) => `${kind} ${stepId} ${findings}`).toSorted(),
      runs: body.runs,
    };
  }

  it.each(PLANTED)('name %s with run and step, and nothing else', async (name, _acts, expected) => {
    const { found } = await findingsOf('owner', 'orders');
    expect(found.filter((each) => each.startsWith(`${name}: `))).toEqual([`${name}: ${expected}`]);
  });

  it.each(CLEAN)('name nothing in runs %s', async (name) => {
    const { found } = await findingsOf('owner', 'orders');
    expect(found.filter((each) => each.startsWith(`${name}: `))).toEqual([]);
  });

  it('name no other run, and count each deviation once', async () => {
    const { found, counts, runs } = await findingsOf('owner', 'orders');
    expect(runs).toBe(PLANTED.length + CLEAN.length);
    expect(found).toEqual(PLANTED.map(([name, , expected]) => `${name}: ${expected}`).toSorted());
    expect(counts).toEqual(PLANTED.map(([, , expected]) => `${expected} 1`).toSorted());
  });

  it('name a simulated step, but not one that nobody executed', async () =>
    expect(await findingsOf('owner', 'robots')).toEqual({
      found: ['simulated: simulated robot'],
      counts: ['simulated robot 1'],
      runs: 2,
    }));

  it('name a retry by the rejected people themselves, but not by others', async () =>
    expect(await findingsOf('founder', 'alone')).toEqual({
      found: ['retried alone: retried_alone check'],
      counts: ['retried_alone check 1'],
      runs: 2,
    }));

  it('cover every kind of deviation', () => {
    const kinds = PLANTED.map(([, , expected]) => expected.split(' ')[0]);
    expect(new Set([...kinds, 'simulated', 'retried_alone'])).toEqual(new Set(DEVIATIONS));
  });
});
