import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

describe('deleting a workflow with a draft that someone has reviewed', () => {
  let server: TestServer;
  let owner: Person;
  let editor: Person;
  let other: Person;
  let reviewer: Person;
  let orgId: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, editor, reviewer, orgId } = await teamOf(server, ['editor', 'reviewer']));
    other = await server.signUp();
    await joinOrganization(server, other, orgId, 'editor');
  });
  afterAll(() => server.stop());

  const draftOf = async (key: string): Promise<string> =>
    (
      await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
        metadata: { title: key },
        steps: stepsNamed('A'),
      })
    ).draftId;
  const remove = (by: Person, key: string, reason?: string): Promise<Reply<{ outcome: string }>> =>
    by.call('DELETE', `/api/workflows/${key}`, reason === undefined ? undefined : { reason });
  const notified = async (title: string): Promise<string[]> =>
    (
      await server.sql<{ body: string }>(
        `select body from notifications where org_id = $1 and user_id = $2 and kind = 'draft_discarded' and title = $3`,
        [orgId, reviewer.user.id, title],
      )
    ).map(({ body }) => body);

  it.each([
    ['approve', 'the author'],
    ['request-changes', 'the author'],
    ['approve', 'a manager'],
    ['request-changes', 'a manager'],
  ])('is refused after the action %s to others and without a reason, but possible for %s', async (verdict, who) => {
    const key = `reviewed-${verdict}-${who.replace(' ', '-')}`;
    const id = await draftOf(key);
    await reviewer.post(
      `/api/workflows/${key}/drafts/${id}/${verdict}`,
      verdict === 'approve' ? undefined : { comment: 'No' },
    );
    expect(await remove(other, key, 'Not mine')).toMatchObject({ status: 403, body: { code: 'not_your_draft' } });
    for (const by of [editor, owner])
      expect(await remove(by, key)).toMatchObject({ status: 400, body: { code: 'reason_required' } });
    const by = who === 'a manager' ? owner : editor;
    expect(await remove(by, key, 'A duplicate')).toMatchObject({ status: 200, body: { outcome: 'deleted' } });
    expect(await notified(key)).toEqual([expect.stringContaining('A duplicate')]);
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'workflow.deleted' and payload like '%' || $2 || '%'`,
      [orgId, key],
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ data: { key, reason: 'A duplicate' } });
  });

  it('requires a reason even from a manager, and even if the workflow is only archived', async () => {
    await publish(editor, reviewer, 'archived');
    const id = await draftOf('archived');
    await reviewer.post(`/api/workflows/archived/drafts/${id}/request-changes`, { comment: 'No' });
    expect(await remove(owner, 'archived')).toMatchObject({ status: 400, body: { code: 'reason_required' } });
    expect(await remove(owner, 'archived', 'Over')).toMatchObject({ status: 200, body: { outcome: 'archived' } });
    expect(await notified('archived')).toEqual([
      expect.stringContaining('archived the workflow of a draft that you reviewed'),
    ]);
  });

  it('requires no reason if the only approval was for earlier content', async () => {
    const id = await draftOf('moved-on');
    await reviewer.post(`/api/workflows/moved-on/drafts/${id}/approve`);
    await other.call('PATCH', `/api/workflows/moved-on/drafts/${id}`, {
      metadata: { title: 'New' },
      steps: stepsNamed('B'),
    });
    expect(await remove(other, 'moved-on')).toMatchObject({ status: 200, body: { outcome: 'deleted' } });
  });
});
