import type { Confirmation, Group, Task } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const mailed = { mailed: true };
const payment = (assignee: string) => [
  { id: 'work', title: 'Work', next: ['check'] },
  { id: 'check', title: 'Check', type: 'approval', assignee, config: { separateFrom: true }, next: [] },
];

/** How a manager makes someone an approver, and the role or group that the step names then. */
const GIFTS = {
  'gives the role': 'reviewer',
  'adds the member to the group': 'group:finance',
} as const;
type Gift = keyof typeof GIFTS;

/**
 * Starts a run in a team whose founder left long ago. No manager's address is proved, so all of them manage the team.
 * The person who does the work invited one of them, the puppet, before the run. With `confirmed`, the person who does
 * the work is now an editor, and a manager who has left had confirmed them.
 */
const puppetTeam = async (gift: Gift, { confirmed = false } = {}) => {
  const { found, add, setRole, remove, pass, prove } = secondPersonBench(server);
  const founder = await found(confirmed);
  const orgId = founder.user.currentOrgId;
  const honest = await add(founder, 'admin');
  const doer = await add(founder, 'admin');
  const former = await add(founder, 'admin', mailed);
  const approver = await add(founder, 'viewer', mailed);
  const reviewer = await add(founder, 'reviewer', mailed);
  const editor = await add(founder, 'editor', mailed);
  const group = await founder.post<Group>('/api/groups', {
    name: 'Finance',
    slug: 'finance',
    members: [reviewer.user.id],
  });
  await publish(founder, reviewer, 'pay', payment(GIFTS[gift]));
  await pass(orgId, 8);
  if (confirmed) {
    const waiting = await former.get<Confirmation[]>('/api/confirmations');
    const about = waiting.find(({ subjectId }) => subjectId === doer.user.id);
    await former.post(`/api/confirmations/${about?.id}/confirm`);
  }
  await setRole(founder, honest, 'owner');
  for (const person of [former, founder]) expect((await remove(person, person)).status).toBe(200);
  await pass(orgId, 30);
  const puppet = await add(doer, 'admin');
  if (confirmed) expect((await setRole(doer, doer, 'editor')).status).toBe(200);
  const { id } = await start(editor, 'pay');
  const make = async (by: Person, who: Person = approver) => {
    const reply =
      gift === 'gives the role'
        ? await setRole(by, who, 'reviewer')
        : await by.call('PATCH', `/api/groups/${group.id}`, { addMembers: [who.user.id] });
    expect(reply.status).toBe(200);
  };
  return { honest, doer, puppet, approver, id, make, setRole, remove, prove };
};

const tasksOf = (person: Person) => person.get<Task[]>('/api/tasks?limit=200');
const cannotApprove = async (person: Person, id: string) => {
  expect(await act(person, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
  expect((await runOf(person, id)).steps[1]).toMatchObject({
    abilities: { approve: false, reject: true, skip: false },
  });
  expect(await tasksOf(person)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
};
const marksOf = (gift: Gift) => (gift === 'gives the role' ? 'role_by_doer' : 'added_by_doer');
const gifts = Object.keys(GIFTS) as Gift[];

describe.each(gifts)('an unproved manager whom the person who did the work had invited, and who %s', (gift) => {
  it.each(['is removed before the work', 'is removed after the work', 'stays'])(
    '%s: the approver can only reject',
    async (when) => {
      const { honest, doer, puppet, approver, id, make, remove, prove } = await puppetTeam(gift);
      await make(puppet);
      if (when === 'is removed before the work') expect((await remove(doer, puppet)).status).toBe(200);
      if (when === 'is removed after the work') await complete(doer, id, 'work');
      if (when === 'is removed after the work') expect((await remove(doer, puppet)).status).toBe(200);
      await prove(honest);
      if (when !== 'is removed after the work') await complete(doer, id, 'work');
      await cannotApprove(approver, id);
    },
  );

  it('doesn’t prevent anyone from approving if nobody else could make them an approver', async () => {
    const { doer, puppet, approver, id, make, remove } = await puppetTeam(gift);
    await make(puppet);
    await remove(doer, puppet);
    await complete(doer, id, 'work');
    expect(await tasksOf(approver)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(approver, id, 'check', 'approve')).body;
    expect(run.status).toBe('completed');
    expect(run.marks).toContain(marksOf(gift));
  });

  it('is still recognized if that person’s address isn’t proved, but another manager had confirmed them', async () => {
    const { honest, doer, puppet, approver, id, make, prove } = await puppetTeam(gift, { confirmed: true });
    await make(puppet);
    await prove(honest);
    await complete(doer, id, 'work');
    await cannotApprove(approver, id);
  });
});

describe('a role from an unproved manager whom the person who did the work had invited', () => {
  it('counts with a mark once another manager gave it again', async () => {
    const { honest, doer, puppet, approver, id, make, setRole, prove } = await puppetTeam('gives the role');
    await make(puppet);
    await prove(honest);
    await complete(doer, id, 'work');
    await cannotApprove(approver, id);
    await setRole(honest, approver, 'viewer');
    await make(honest);
    expect(await tasksOf(approver)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(approver, id, 'check', 'approve')).body;
    expect(run.status).toBe('completed');
    expect(run.marks).toContain('role_by_doer');
  });

  it('counts with a mark if it was stored without the people who may be behind it', async () => {
    const { honest, doer, puppet, approver, id, make, prove } = await puppetTeam('gives the role');
    await make(puppet);
    await server.sql('update role_history set possibly_behind = null, surely_behind = null where user_id = $1', [
      approver.user.id,
    ]);
    await prove(honest);
    await complete(doer, id, 'work');
    const { run } = (await act(approver, id, 'check', 'approve')).body;
    expect(run.status).toBe('completed');
    expect(run.marks).toContain('role_by_doer');
  });
});
