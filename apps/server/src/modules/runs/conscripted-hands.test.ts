import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add } = secondPersonBench(server);
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

  it('can approve after work of an account that they invited, done through the link that managers see', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const run = await runFor(mara, jon, jon);
    const second = await add(jon, 'editor');
    await complete(second, run, 'work');
    expect(await act(mara, run, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
    const decided = await act(jon, run, 'check', 'approve');
    expect(decided.status).toBe(200);
    expect(JSON.stringify(decided.body)).toContain('doer_not_proved');
  });
});
