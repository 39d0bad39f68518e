import type { Comment } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { refused, startDraftBench } from '../../testing/drafts.ts';
import { publish, stepsNamed } from '../../testing/organization.ts';
import type { Person, Reply } from '../../testing/server.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, at, read, create, act, eventsOf } = bench;

describe('comments on a draft', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it('refer to the draft or one of its steps, and can be added until the draft is merged', async () => {
    const { draftId } = await create();
    const { status, body } = await reviewer.call('POST', at(draftId, '/comments'), {
      body: ' Who invites? ',
      stepId: 'step-1',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { body: 'Who invites?', stepId: 'step-1', author: { id: reviewer.user.id } },
    });
    expect(await act(reviewer, draftId, 'comments', { body: 'x', stepId: 'nowhere' })).toMatchObject(
      refused(400, 'invalid'),
    );
    expect(await act(reviewer, draftId, 'comments', { body: ' ' })).toMatchObject(refused(400, 'invalid'));
    expect(await read(draftId)).toMatchObject({
      commentsCount: 1,
      comments: [{ body: 'Who invites?', stepId: 'step-1' }],
    });
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    expect(await act(reviewer, draftId, 'comments', { body: 'Too late' })).toMatchObject(
      refused(409, 'already_merged'),
    );
  });

  it("don't prevent a concurrent discard of the draft", async () => {
    for (let round = 0; round < 5; round++) {
      bench.newKey();
      const { draftId } = await create();
      const [comment, discard] = await Promise.all([
        act(reviewer, draftId, 'comments', { body: 'Hm' }),
        editor.call('DELETE', at(draftId)),
      ]);
      expect(discard.status).toBe(200);
      expect([201, 404]).toContain(comment.status);
    }
  });

  it('can be resolved and reopened by anyone who can comment, until the draft is merged', async () => {
    const { draftId } = await create();
    const { id } = await reviewer.post<Comment>(at(draftId, '/comments'), { body: 'Who invites?' });
    const setResolved = (who: Person, to: 'resolve' | 'reopen'): Promise<Reply<Comment>> =>
      who.call('POST', at(draftId, `/comments/${id}/${to}`));
    expect(await setResolved(editor, 'resolve')).toMatchObject({
      status: 200,
      body: { id, body: 'Who invites?', resolvedBy: { id: editor.user.id } },
    });
    const resolved = (await read(draftId)).comments[0];
    expect(resolved).toMatchObject({ resolvedBy: { name: 'The editor' } });
    expect(await setResolved(owner, 'resolve')).toMatchObject({ status: 200, body: resolved });
    expect(await setResolved(reviewer, 'reopen')).toMatchObject({
      status: 200,
      body: { resolvedAt: null, resolvedBy: null },
    });
    expect((await read(draftId)).comments).toMatchObject([{ resolvedAt: null, resolvedBy: null }]);
    expect(await eventsOf(draftId)).toEqual([
      'draft.created',
      'draft.commented',
      'draft.comment_resolved',
      'draft.comment_reopened',
    ]);
    const other = await create(owner);
    expect(await owner.call('POST', at(other.draftId, `/comments/${id}/resolve`))).toMatchObject(
      refused(404, 'not_found'),
    );
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    expect(await setResolved(editor, 'resolve')).toMatchObject(refused(409, 'already_merged'));
  });

  it('can refer to a step that the draft removes', async () => {
    await publish(editor, reviewer, key, stepsNamed('First', 'Second'));
    const { draftId } = await create();
    expect(await act(reviewer, draftId, 'comments', { body: 'Why?', stepId: 'step-2' })).toMatchObject({
      status: 201,
      body: { stepId: 'step-2' },
    });
    expect(await act(reviewer, draftId, 'comments', { body: 'Why?', stepId: 'step-3' })).toMatchObject(
      refused(400, 'invalid'),
    );
  });
});
