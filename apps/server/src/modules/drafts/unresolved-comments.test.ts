import type { Comment, OrganizationSettings } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, read, create, act, blockersOf } = bench;
const organization = `/api/organizations/${orgId}`;

describe('unresolved comments', () => {
  beforeEach(() => bench.newKey());
  afterAll(() => server.stop());

  const comment = (draftId: string, body: object): Promise<Comment> =>
    reviewer.post<Comment>(at(draftId, '/comments'), body);

  it("don't block a merge by default", async () => {
    expect(await owner.get<OrganizationSettings>(organization)).toMatchObject({ resolvedComments: false });
    const { draftId } = await create();
    await comment(draftId, { body: 'Really?' });
    await act(owner, draftId, 'approve');
    expect((await act(owner, draftId, 'merge')).status).toBe(200);
  });

  it('block a merge if the organization requires resolved comments, and the refusal says how many and where', async () => {
    expect(await editor.call('PATCH', organization, { resolvedComments: true })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect(await owner.patch(organization, { resolvedComments: true })).toMatchObject({ resolvedComments: true });
    const { draftId } = await create(editor, content('Hiring', 'First', 'Second'));
    const made = [
      await comment(draftId, { body: 'Really?' }),
      await comment(draftId, { body: 'When?', stepId: 'step-2' }),
      await comment(draftId, { body: 'Who?', stepId: 'step-2' }),
    ];
    await act(owner, draftId, 'approve');
    const { blockers, abilities } = await read(draftId, owner);
    expect(blockers).toEqual([
      {
        code: 'unresolved_comments',
        sentence: '3 unresolved comments',
        hint: 'Resolve them first: on the draft, on Second.',
      },
    ]);
    expect(abilities.merge).toBe(false);
    expect(await act(owner, draftId, 'merge')).toMatchObject({
      status: 409,
      body: {
        code: 'unresolved_comments',
        error: 'This draft has 3 unresolved comments. Resolve them first.',
        details: [
          {
            code: 'unresolved_comments',
            comments: [{ stepId: null }, { stepId: 'step-2' }, { stepId: 'step-2' }],
          },
        ],
      },
    });
    for (const { id } of made) await editor.post(at(draftId, `/comments/${id}/resolve`));
    expect(await blockersOf(draftId)).toEqual([]);
    await editor.post(at(draftId, `/comments/${made[0]?.id}/reopen`));
    expect(await blockersOf(draftId)).toEqual(['unresolved_comments']);
    expect(await act(owner, draftId, 'merge', { emergency: { reason: 'Now' } })).toMatchObject({ status: 200 });
  });

  it('no longer block a merge once one manager has turned off the requirement, which the trail records', async () => {
    await owner.patch(organization, { resolvedComments: true });
    const admin = await server.signUp({ name: 'Second manager' });
    await server.sql(`insert into memberships (org_id, user_id, role) values ($1, $2, 'admin')`, [
      orgId,
      admin.user.id,
    ]);
    const { draftId } = await create();
    await comment(draftId, { body: 'Really?' });
    await act(reviewer, draftId, 'approve');
    expect(await owner.patch(organization, { resolvedComments: false })).toMatchObject({ resolvedComments: false });
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    const [event] = await owner.get<{ data: object }[]>('/api/audit/events?action=policy.changed');
    expect(event?.data).toMatchObject({ before: { resolvedComments: true }, after: { resolvedComments: false } });
    expect(event?.data).not.toHaveProperty('note');
  });
});
