import type { SentInvitation } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, join } = secondPersonBench(server);
afterAll(() => server.stop());

let made = 0;
/** A run with work, and with an approval by a person who may not have done the work. */
async function runFor(author: Person, reviewer: Person, approver: Person): Promise<string> {
  const key = `conscripted-${(made += 1)}`;
  await publish(author, reviewer, key, [
    { id: 'work', title: 'Work', next: ['check'] },
    {
      id: 'check',
      title: 'Check',
      type: 'approval',
      assignee: approver.user.email,
      config: { separateFrom: true },
      next: [],
    },
  ]);
  return (await start(author, key)).id;
}
const hasTask = async (person: Person, runId: string): Promise<boolean> =>
  (await person.get<{ runId: string }[]>('/api/tasks?limit=200')).some((task) => task.runId === runId);
const comments = { comments: 'For them' };

describe('the approver whom a step names', () => {
  it('can approve after work under another address of their mailbox that nobody has proved', async () => {
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

  it('can’t approve after work of an unproved account that they invited, because only they got its link', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const run = await runFor(mara, jon, jon);
    const second = await add(jon, 'editor');
    await complete(second, run, 'work');
    expect(await act(jon, run, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(jon, run)).toBe(false);
    // Now too few of the people whom the step names can decide.
    expect(await hasTask(mara, run)).toBe(true);
    const decided = await act(mara, run, 'check', 'approve', comments);
    expect(decided.body.run.status).toBe('completed');
  });

  it('can’t approve if another account of their mailbox sent that invitation', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const twin = await add(mara, 'admin', { mailed: true, email: jon.user.email.replace('@', '+two@') });
    const run = await runFor(mara, jon, jon);
    const second = await add(twin, 'editor');
    await complete(second, run, 'work');
    expect(await act(jon, run, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(mara, run)).toBe(true);
  });

  it('can approve after work of an account that another manager invited again', async () => {
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

  it('can approve after work of an account that joined when all managers saw the links', async () => {
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
