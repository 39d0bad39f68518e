import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, at, read, create, act, blockersOf, eventsOf } = bench;

describe('a draft in review', () => {
  beforeEach(() => bench.newKey());
  afterAll(() => server.stop());

  it('permanently loses its approvals if its content changes', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual([]);
    await owner.patch(at(draftId), content('Changed'));
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    await owner.patch(at(draftId), content('Hiring'));
    const draft = await read(draftId);
    expect(draft).toMatchObject({
      approvalsCount: 0,
      reviews: [{ verdict: 'approved', current: false }],
      contributors: [{ id: owner.user.id }, { id: editor.user.id }],
    });
    expect(await eventsOf(draftId)).toContain('draft.approval_dismissed');
    await act(reviewer, draftId, 'approve');
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
  });

  it("can't be approved by its contributors, even if one is the owner", async () => {
    const { draftId } = await create(owner);
    expect(await act(owner, draftId, 'approve')).toMatchObject({
      status: 403,
      body: {
        code: 'contributor_cannot_approve',
        error: 'You contributed to this draft, so someone else has to review it',
      },
    });
    expect(await act(owner, draftId, 'request-changes', { comment: 'Hm' })).toMatchObject(
      refused(403, 'contributor_cannot_approve'),
    );
    expect((await read(draftId, owner)).abilities).toMatchObject({
      approve: false,
      requestChanges: false,
      merge: false,
    });
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'not_submitted'));
  });

  it('accepts marked approvals by a personal token if they name the revision and review isn’t strict', async () => {
    const token = await personalToken(server, reviewer);
    const { draftId, revision } = await create();
    const match = { 'if-match': `"${revision}"` };
    for (const [action, body] of [
      ['approve', {}],
      ['request-changes', { comment: 'Shorter' }],
    ] as const)
      expect(await token.call('POST', at(draftId, `/${action}`), body)).toMatchObject({
        status: 400,
        body: { code: 'invalid', details: [{ field: 'If-Match' }] },
      });
    const strictly = (strict: boolean) =>
      server.sql('update organizations set strict = $2 where id = $1', [bench.orgId, strict]);
    await strictly(true);
    expect(await token.call('POST', at(draftId, '/approve'), {}, match)).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'by_api_token' }] },
    });
    await strictly(false);
    expect((await token.call('POST', at(draftId, '/approve'), {}, match)).status).toBe(200);
    expect((await read(draftId)).reviews).toMatchObject([{ standing: 'counts', marks: ['by_api_token'] }]);
    // Marked approvals given before strict review was turned on no longer count.
    await strictly(true);
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    await strictly(false);
    expect((await act(owner, draftId, 'merge')).status).toBe(200);
  });

  it('can be approved by its author if there is no other reviewer, with a note in the trail', async () => {
    const alone = await server.signUp({ team: 'One person' });
    const { draftId } = await create(alone);
    expect((await act(alone, draftId, 'approve')).status).toBe(200);
    expect((await act(alone, draftId, 'merge')).status).toBe(200);
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where subject_id = $1 and action = 'draft.approved'`,
      [draftId],
    );
    expect(event?.payload).toContain('self-approved: no other reviewer');
  });

  it('is submitted by an approval, and sent back by a request for changes', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    expect((await read(draftId)).status).toBe('in_review');
    for (const body of [undefined, {}, { comment: '' }, { comment: '  ' }]) {
      expect(await act(owner, draftId, 'request-changes', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid', error: 'Comment required to request changes' },
      });
    }
    expect(await act(owner, draftId, 'request-changes', { comment: 'Shorter' })).toMatchObject({
      status: 200,
      body: { status: 'draft', approvalsCount: 1 },
    });
    expect(await blockersOf(draftId)).toEqual(['not_submitted', 'changes_requested']);
    await act(editor, draftId, 'submit');
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    await act(owner, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual([]);
    expect(await act(editor, draftId, 'withdraw')).toMatchObject({ status: 200, body: { status: 'draft' } });
    expect(await act(editor, draftId, 'withdraw')).toMatchObject(refused(409, 'not_in_review'));
  });

  it('refuses reviews and merges of a stale revision', async () => {
    const { draftId } = await create();
    await editor.patch(at(draftId), content('Sneaked in'));
    for (const [action, body] of [
      ['approve', undefined],
      ['request-changes', { comment: 'Shorter' }],
    ] as const) {
      expect(await act(reviewer, draftId, action, body, { 'if-match': '"1"' })).toMatchObject({
        status: 409,
        body: { code: 'stale_revision', details: [{ sent: 1, current: 2, savedBy: 'The editor' }] },
      });
    }
    expect((await read(draftId)).reviews).toEqual([]);
    expect((await act(reviewer, draftId, 'approve', undefined, { 'if-match': '"2"' })).status).toBe(200);
    expect(await act(reviewer, draftId, 'merge', undefined, { 'if-match': '"1"' })).toMatchObject(
      refused(409, 'stale_revision'),
    );
    expect((await act(reviewer, draftId, 'merge', undefined, { 'if-match': '"2"' })).status).toBe(200);
  });

  it('explains each blocker and how to resolve it', async () => {
    const { draftId } = await create();
    await act(owner, draftId, 'approve');
    await act(reviewer, draftId, 'request-changes', { comment: 'Shorter' });
    await editor.patch(at(draftId), content('Changed'));
    expect((await read(draftId)).blockers).toEqual([
      {
        code: 'not_submitted',
        sentence: 'Not submitted for review',
        hint: 'An author must submit it; approving also submits it.',
      },
      {
        code: 'changes_requested',
        sentence: 'Changes requested by The reviewer',
        hint: 'Remains open until The reviewer approves the draft.',
      },
      {
        code: 'needs_approvals',
        sentence: '0 of 1 approval',
        hint: `${owner.user.name} approved earlier content. 2 people can approve.`,
      },
    ]);
  });
});
