import type { SentInvitation } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, join, prove, remove, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

let made = 0;
/** Starts a run with a work step, and an approval by `approver` unless they did the work. */
async function runFor(author: Person, reviewer: Person, approver: Person, config: object = {}): Promise<string> {
  const key = `approver-${(made += 1)}`;
  await publish(author, reviewer, key, [
    { id: 'work', title: 'Work', next: ['check'] },
    {
      id: 'check',
      title: 'Check',
      type: 'approval',
      assignee: approver.user.email,
      config: { separateFrom: true, ...config },
      next: [],
    },
  ]);
  return (await start(author, key)).id;
}
const taskOf = async (person: Person, runId: string) =>
  (await person.get<{ runId: string; onlyReject: boolean }[]>('/api/tasks?limit=200')).find(
    (task) => task.runId === runId,
  );
const hasTask = async (person: Person, runId: string): Promise<boolean> =>
  (await taskOf(person, runId))?.onlyReject === false;
const comments = { comments: 'For them' };

describe('the approver named by a step', () => {
  it('can approve after work by an unproved account with a different address for their mailbox', async () => {
    const mara = await found(true);
    const rita = await add(mara, 'reviewer', { mailed: true });
    const run = await runFor(mara, rita, rita);
    const second = await add(mara, 'editor', { email: rita.user.email.replace('@', '+other@') });
    await complete(second, run, 'work');
    expect(await act(mara, run, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
    const decided = await act(rita, run, 'check', 'approve');
    expect(decided.status).toBe(200);
    expect(JSON.stringify(decided.body)).toContain('doer_not_proved');
  });

  it('can’t approve after work by an unproved account that they invited, because nobody else got the link', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const run = await runFor(mara, jon, jon);
    const second = await add(jon, 'editor');
    await complete(second, run, 'work');
    expect(await act(jon, run, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await taskOf(jon, run)).toMatchObject({ onlyReject: true });
    // Nobody whom the step names can decide it now.
    expect(await hasTask(mara, run)).toBe(true);
    const decided = await act(mara, run, 'check', 'approve', comments);
    expect(decided.body.run.status).toBe('completed');
  });

  it('can’t approve after work by an unproved account that another account of their mailbox invited', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const twin = await add(mara, 'admin', { mailed: true, email: jon.user.email.replace('@', '+two@') });
    const run = await runFor(mara, jon, jon);
    const second = await add(twin, 'editor');
    await complete(second, run, 'work');
    expect(await act(jon, run, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(mara, run)).toBe(true);
  });

  it('can approve after work by an account that joined with a link sent again by another manager', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const run = await runFor(mara, jon, jon);
    const email = `hired-${process.pid}@example.com`;
    const path = `/api/organizations/${mara.user.currentOrgId}/invitations`;
    const { id } = await jon.post<SentInvitation>(path, { email, role: 'editor' });
    const link = await mara.post<SentInvitation>(`${path}/${id}/resend`);
    const second = await join(link, email);
    await complete(second, run, 'work');
    expect(await act(mara, run, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
    expect((await act(jon, run, 'check', 'approve')).body.run).toMatchObject({
      status: 'completed',
      marks: ['doer_not_proved'],
    });
  });

  it('can approve after work by an account that joined while all managers could still see its link', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const run = await runFor(mara, jon, jon);
    const second = await add(jon, 'editor');
    await server.sql('update memberships set link_was_private = false where user_id = $1', [second.user.id]);
    await complete(second, run, 'work');
    expect(await hasTask(jon, run)).toBe(true);
    expect((await act(jon, run, 'check', 'approve')).body.run).toMatchObject({ marks: ['doer_not_proved'] });
  });
});

describe('an approver who invited the person who did the work', () => {
  const rejection = { comments: 'Please do it again' };
  const stepOf = async (person: Person, runId: string, stepId = 'check') =>
    (await runOf(person, runId)).steps.find(({ id }) => id === stepId);
  /** Jon is the approver, Mara is the other manager, and Eve joined with a link that Jon could see. */
  async function team() {
    const jon = await found(true);
    const mara = await add(jon, 'admin', { mailed: true });
    const rita = await add(jon, 'reviewer', { mailed: true });
    return { jon, mara, rita, eve: await add(jon, 'editor') };
  }

  it.each([
    ['has left', true],
    ['is on holiday', false],
  ])(
    'can reject the work, and approve it once redone with a proved address, although the other manager %s',
    async (_, leaves) => {
      const { jon, mara, rita, eve } = await team();
      const id = await runFor(jon, mara, jon);
      await complete(eve, id, 'work');
      if (leaves) await remove(mara, mara);
      const refusal = await act(jon, id, 'check', 'approve');
      expect(refusal).toMatchObject(refused(403, 'separate_from'));
      const sentence = (refusal.body as unknown as { error: string }).error;
      expect(sentence).toContain('or reject the step so that someone else does the work again.');
      expect(await stepOf(jon, id)).toMatchObject({
        abilities: { approve: false, reject: true, skip: false },
        because: { code: 'separate_from', sentence },
      });
      expect(await act(jon, id, 'check', 'skip', { reason: 'No' })).toMatchObject(refused(403, 'separate_from'));
      expect(await act(rita, id, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
      await prove(eve);
      // Jon had the link too, so the proved address doesn't show who did the earlier work.
      expect(await act(jon, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
      expect((await act(jon, id, 'check', 'reject', rejection)).body.run.status).toBe('failed');
      expect(await act(jon, id, 'check', 'retry')).toMatchObject(refused(403, 'rejected_cannot_retry'));
      expect((await act(rita, id, 'check', 'retry')).status).toBe(200);
      expect(await stepOf(eve, id, 'work')).toMatchObject({ state: 'active', reason: rejection.comments });
      await complete(eve, id, 'work');
      expect((await act(jon, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    },
  );

  it('can reject the work so that the run returns to the work step and someone else does it', async () => {
    const { jon, mara, eve } = await team();
    const id = await runFor(jon, mara, jon, { onReject: 'work' });
    await complete(eve, id, 'work');
    expect((await act(jon, id, 'check', 'reject', rejection)).body.run.status).toBe('running');
    await complete(mara, id, 'work');
    expect((await act(jon, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('can make someone an admin, who can approve the work once no other manager could have been asked', async () => {
    const { jon, mara, rita, eve } = await team();
    const id = await runFor(jon, mara, jon);
    await complete(eve, id, 'work');
    await remove(mara, mara);
    await setRole(jon, rita, 'admin');
    expect(await act(rita, id, 'check', 'approve', comments)).toMatchObject(refused(403, 'added_during_run'));
    await server.sql(`update role_history set until = until - interval '8 days' where org_id = $1`, [
      jon.user.currentOrgId,
    ]);
    const { run } = (await act(rita, id, 'check', 'approve', comments)).body;
    expect(run.status).toBe('completed');
    expect(run.marks).toContain('role_by_doer');
  });

  it('can’t reject the work if they did some of it themselves', async () => {
    const { jon, mara, eve } = await team();
    const key = `approver-${(made += 1)}`;
    const check = { id: 'check', title: 'Check', type: 'approval', config: { separateFrom: true }, next: [] };
    await publish(jon, mara, key, [
      { id: 'work', title: 'Work', next: ['check'] },
      { id: 'aside', title: 'Aside', next: ['check'] },
      { ...check, assignee: jon.user.email },
    ]);
    const { id } = await start(jon, key);
    await complete(eve, id, 'work');
    await complete(jon, id, 'aside');
    expect(await act(jon, id, 'check', 'reject', rejection)).toMatchObject(refused(403, 'separate_from'));
    expect(await stepOf(jon, id)).toMatchObject({ abilities: { approve: false, reject: false, skip: false } });
  });

  it('can reject the work under strict review after the account has left, so it is done again', async () => {
    const { jon, mara, eve } = await team();
    const id = await runFor(jon, mara, jon);
    await jon.patch(`/api/organizations/${jon.user.currentOrgId}`, { strict: true });
    await complete(eve, id, 'work');
    await remove(jon, eve);
    expect((await act(jon, id, 'check', 'reject', rejection)).status).toBe(200);
    expect((await act(mara, id, 'check', 'retry')).status).toBe(200);
    await complete(mara, id, 'work');
    expect((await act(jon, id, 'check', 'approve')).body.run.status).toBe('completed');
  });
});
