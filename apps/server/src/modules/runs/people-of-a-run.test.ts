import type { OrgRole } from '@stet/domain/access';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';
import type { StepInput } from '../../testing/run-scene.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, prove } = secondPersonBench(server);
afterAll(() => server.stop());

const mailed = { mailed: true };
let made = 0;
const address = () => `one-${process.pid}-${(made += 1)}`;
/** A team of an owner and an admin who are both proved, and its runs. */
async function team() {
  const hana = await found(true);
  const mike = await add(hana, 'admin', mailed);
  return {
    hana,
    mike,
    /** Two accounts of one mailbox. */
    twins: async (role: Exclude<OrgRole, 'owner'>) => {
      const name = address();
      const one = await add(hana, role, { mailed: true, email: `${name}@example.com` });
      return [one, await add(hana, role, { mailed: true, email: `${name}+two@example.com` })] as const;
    },
    startOf: async (...steps: StepInput[]): Promise<string> => {
      const key = `people-${(made += 1)}`;
      await publish(hana, mike, key, steps);
      return (await start(hana, key)).id;
    },
  };
}
const approval = (config: object = {}, more: object = {}): StepInput => ({
  id: 'check',
  title: 'Check',
  type: 'approval',
  config,
  next: [],
  ...more,
});
const comments = { comments: 'For them' };
const reason = { reason: 'Not needed' };
const abilities = async (person: Person, runId: string, stepId = 'check') =>
  (await runOf(person, runId)).steps.find(({ id }) => id === stepId)?.abilities;
const hasTask = async (person: Person, runId: string): Promise<boolean> =>
  (await person.get<{ runId: string }[]>('/api/tasks?limit=200')).some((task) => task.runId === runId);
const notCounted = { status: 409, body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] } };
const NOTHING = { complete: false, approve: false, reject: false, skip: false };

it('owners and admins agree to a skip only while fewer of those named can than agreements are missing', async () => {
  const { hana, mike, startOf } = await team();
  const mallory = await add(hana, 'reviewer', mailed);
  const id = await startOf(approval({ minimumApprovers: 2 }, { assignee: 'reviewer' }));
  expect((await act(mike, id, 'check', 'skip', reason)).body.message).toBe('1 of 2 have agreed to skip');
  expect(await abilities(hana, id)).toMatchObject({ approve: true, skip: false });
  expect(await act(hana, id, 'check', 'skip', reason)).toMatchObject(refused(403, 'not_assigned'));
  expect((await act(mallory, id, 'check', 'skip', reason)).body.message).toBe('Step skipped');
});

describe('two accounts of one mailbox', () => {
  it('are one person to separation and to votes', async () => {
    const { twins, startOf } = await team();
    const [one, two] = await twins('admin');
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval({ separateFrom: true }));
    await complete(two, id, 'work');
    expect(await act(one, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(one, id)).toBe(false);
    const votes = await startOf(approval({ minimumApprovers: 2 }));
    await act(one, votes, 'check', 'approve');
    expect(await act(two, votes, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect(await hasTask(two, votes)).toBe(false);
  });

  it('are one person among those named', async () => {
    const { hana, twins, startOf } = await team();
    const [one, two] = await twins('reviewer');
    const id = await startOf(approval({ minimumApprovers: 2 }, { assignee: 'reviewer' }));
    expect((await runOf(hana, id)).steps[0]).toMatchObject({ actsFor: 'too_few' });
    await act(one, id, 'check', 'approve');
    expect(await hasTask(hana, id)).toBe(true);
    expect((await act(hana, id, 'check', 'approve', comments)).body.run.status).toBe('completed');

    const work = { id: 'work', title: 'Work', assignee: two.user.email, next: ['check'] };
    const apart = await startOf(work, approval({ separateFrom: true }, { assignee: one.user.email }));
    await complete(two, apart, 'work');
    expect(await hasTask(hana, apart)).toBe(true);
    expect((await act(hana, apart, 'check', 'approve', comments)).body.run.status).toBe('completed');
  });

  it('do not retry over the rejection of their own work', async () => {
    const { hana, mike, twins, startOf } = await team();
    const [one, two] = await twins('editor');
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval());
    await complete(one, id, 'work');
    await act(mike, id, 'check', 'reject', { comments: 'No' });
    expect(await abilities(two, id)).toMatchObject({ retry: false });
    expect(await act(two, id, 'check', 'retry')).toMatchObject(refused(403, 'rejected_cannot_retry'));
    expect((await act(hana, id, 'check', 'retry')).status).toBe(200);
  });
});

describe('an account that is not proved, while a proved manager besides its inviter is here', () => {
  it('decides no approval step and skips none, and does once it is proved', async () => {
    const { hana, startOf } = await team();
    const second = await add(hana, 'reviewer');
    for (const assignee of ['', 'reviewer', second.user.email]) {
      const id = await startOf(approval({ minimumApprovers: 2 }, { assignee }));
      expect(await complete(second, id, 'check')).toMatchObject(notCounted);
      expect(await act(second, id, 'check', 'approve')).toMatchObject(notCounted);
      expect(await act(second, id, 'check', 'reject', comments)).toMatchObject(notCounted);
      expect(await act(second, id, 'check', 'skip', reason)).toMatchObject(notCounted);
      expect(await abilities(second, id)).toMatchObject(NOTHING);
      expect(await hasTask(second, id)).toBe(false);
      expect((await second.get<{ count: number }>('/api/tasks/count')).count).toBe(0);
    }
    const id = await startOf(approval());
    await prove(second);
    expect(await hasTask(second, id)).toBe(true);
    expect((await act(second, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('gives input, and neither decides that of others nor skips it', async () => {
    const { hana, mike, startOf } = await team();
    const second = await add(hana, 'editor');
    const fill = { id: 'fill', title: 'Fill', config: { requiresApproval: true } };
    const id = await startOf(fill);
    expect(await hasTask(second, id)).toBe(true);
    expect(await act(second, id, 'fill', 'skip', reason)).toMatchObject(notCounted);
    expect(await abilities(second, id, 'fill')).toMatchObject({ ...NOTHING, complete: true });
    await complete(mike, id, 'fill');
    expect(await act(second, id, 'fill', 'approve')).toMatchObject(notCounted);
    expect(await act(second, id, 'fill', 'reject', comments)).toMatchObject(notCounted);
    expect(await abilities(second, id, 'fill')).toMatchObject(NOTHING);
    expect(await hasTask(second, id)).toBe(false);
    const own = await startOf(fill);
    expect((await complete(second, own, 'fill')).status).toBe(200);
    const plain = await startOf({ id: 'fill', title: 'Fill' });
    expect((await act(second, plain, 'fill', 'skip', reason)).body.message).toBe('Step skipped');
  });

  it('does not retry over a rejection', async () => {
    const { hana, mike, startOf } = await team();
    const second = await add(hana, 'editor');
    const ed = await add(hana, 'editor', mailed);
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval());
    await complete(ed, id, 'work');
    await act(mike, id, 'check', 'reject', { comments: 'No' });
    expect(await abilities(second, id)).toMatchObject({ retry: false });
    expect(await act(second, id, 'check', 'retry')).toMatchObject(notCounted);
    expect((await act(hana, id, 'check', 'retry')).status).toBe(200);
  });

  it('is not among those named who can: owners and admins act for it', async () => {
    const { hana, mike, startOf } = await team();
    const second = await add(mike, 'reviewer');
    const work = { id: 'work', title: 'Work', next: ['check'] };
    const id = await startOf(work, approval({ separateFrom: true }, { assignee: second.user.email }));
    await complete(mike, id, 'work');
    expect(await hasTask(hana, id)).toBe(true);
    expect(await abilities(hana, id)).toMatchObject({ approve: true, skip: true });
    expect((await act(hana, id, 'check', 'approve', comments)).body.run.status).toBe('completed');
  });
});

it('without a proved manager besides its inviter, the vote of an account that is not proved stands', async () => {
  const hana = await found(true);
  const lou = await add(hana, 'reviewer', mailed);
  await publish(hana, lou, 'stands', [approval({ minimumApprovers: 2 }, { assignee: 'reviewer' })]);
  const second = await add(hana, 'reviewer');
  const { id } = await start(hana, 'stands');
  expect((await runOf(hana, id)).steps[0]?.actsFor).toBeNull();
  expect((await act(second, id, 'check', 'approve')).status).toBe(200);
  expect((await act(lou, id, 'check', 'approve')).body.run.status).toBe('completed');

  // Its inviter has voted: nobody named is left, and whoever else manages the team may act.
  const named = { assignee: second.user.email };
  await publish(hana, lou, 'inviter', [
    { id: 'work', title: 'Work', next: ['check'] },
    approval({ separateFrom: true }, named),
  ]);
  const run = await start(hana, 'inviter');
  await complete(hana, run.id, 'work');
  expect(await act(second, run.id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
  const admin = await add(hana, 'admin', mailed);
  expect(await abilities(admin, run.id)).toMatchObject({ approve: true });
  expect((await act(admin, run.id, 'check', 'approve', comments)).body.run.status).toBe('completed');
});
