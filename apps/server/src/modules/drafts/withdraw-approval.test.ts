import type { Notification, ReviewTask, WholeDraft } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';
import { secondPersonBench } from '../../testing/second-person.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, at, read, create, act, blockersOf, eventsOf } = bench;
const people = secondPersonBench(server);

afterAll(() => server.stop());

const withdrawn = { status: 200, body: { status: 'in_review' } };
const standingsOf = async (draftId: string) => (await read(draftId)).reviews.map(({ standing }) => standing);

describe('withdrawing an approval', () => {
  beforeEach(() => bench.newKey());

  it('removes it from the count, shows it as withdrawn, and makes the draft wait for a review again', async () => {
    const { draftId } = await create();
    expect((await read(draftId, reviewer)).abilities).toMatchObject({ withdrawApproval: false });
    await act(reviewer, draftId, 'approve', { comment: 'Fine' });
    expect((await read(draftId, reviewer)).abilities).toMatchObject({ withdrawApproval: true, merge: true });
    expect((await read(draftId, owner)).abilities).toMatchObject({ withdrawApproval: false });

    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject({
      status: 200,
      body: { status: 'in_review', approvalsCount: 0 },
    });
    expect(await read(draftId, reviewer)).toMatchObject({
      approvalsCount: 0,
      reviews: [{ comment: 'Fine', current: false, standing: 'withdrawn', marks: [] }],
      blockers: [{ code: 'needs_approvals' }],
      own: { approvedAt: null, reviewedAt: expect.any(String) as string },
      abilities: { approve: true, withdrawApproval: false, merge: false },
    });
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    const tasks = await reviewer.get<ReviewTask[]>('/api/tasks/reviews');
    expect(tasks.map((task) => task.draftId)).toContain(draftId);
    expect((await eventsOf(draftId)).slice(-2)).toEqual(['draft.approved', 'draft.approval_withdrawn']);
    const [latest] = await editor.get<Notification[]>('/api/notifications');
    expect(latest).toMatchObject({
      kind: 'draft_approval_withdrawn',
      body: 'The reviewer withdrew their approval of this draft.',
    });

    await act(reviewer, draftId, 'approve');
    expect(await standingsOf(draftId)).toEqual(['withdrawn', 'counts']);
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
  });

  it('is possible only for one’s own approval, and only while the draft is in review', async () => {
    const { draftId } = await create();
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'not_in_review'));
    await act(reviewer, draftId, 'approve');
    expect(await act(owner, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'not_approved'));
    expect(await act(editor, draftId, 'withdraw-approval')).toMatchObject(refused(403, 'forbidden'));
    await act(editor, draftId, 'withdraw');
    expect((await read(draftId, reviewer)).abilities.withdrawApproval).toBe(false);
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'not_in_review'));
    await act(editor, draftId, 'submit');
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(withdrawn);
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'not_approved'));
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'already_merged'));
  });

  it('withdraws all of the person’s approvals of the content', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'approve', { comment: 'Still fine' });
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(withdrawn);
    expect(await standingsOf(draftId)).toEqual(['withdrawn', 'withdrawn']);
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
  });

  it('reopens the request for changes that the approval had ended', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'request-changes', { comment: 'Shorter' });
    await act(editor, draftId, 'submit');
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'approve', { comment: 'Really' });
    await act(owner, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual([]);
    await act(reviewer, draftId, 'withdraw-approval');
    expect(await blockersOf(draftId)).toEqual(['changes_requested']);
    expect(await read(draftId)).toMatchObject({ objections: [{ reviewer: { id: reviewer.user.id }, carried: false }] });
    expect(await standingsOf(draftId)).toEqual(['counts', 'withdrawn', 'withdrawn', 'counts']);
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    expect(await editor.call('DELETE', at(draftId))).toMatchObject(refused(400, 'reason_required'));
    await act(reviewer, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual([]);
  });

  it('doesn’t reopen a request for changes that was replaced or that its author ended by editing', async () => {
    const { draftId } = await create();
    await act(owner, draftId, 'request-changes', { comment: 'Shorter' });
    await act(owner, draftId, 'approve');
    await act(owner, draftId, 'request-changes', { comment: 'Even shorter' });
    await owner.patch(at(draftId), content('Short'));
    await act(editor, draftId, 'submit');
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'withdraw-approval');
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
  });

  it('also reopens a request on another draft with the same content', async () => {
    const copied = content('Copied');
    const [first, second] = [await create(editor, copied), await create(editor, copied)];
    await act(reviewer, first.draftId, 'request-changes', { comment: 'Shorter' });
    await act(reviewer, second.draftId, 'approve');
    expect((await read(first.draftId)).objections).toEqual([]);
    await act(reviewer, second.draftId, 'withdraw-approval');
    for (const { draftId } of [first, second]) {
      expect(await blockersOf(draftId)).toContain('changes_requested');
      await act(owner, draftId, 'approve');
      expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    }
  });

  it('isn’t possible after the reviewer has edited the draft, and neither is a new approval', async () => {
    const { draftId } = await create();
    await act(owner, draftId, 'approve');
    await owner.patch(at(draftId), content('Changed'));
    expect(await act(owner, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'not_approved'));
    expect(await act(owner, draftId, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
  });

  it('is permanent, even if the content is changed and changed back', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'withdraw-approval');
    await editor.patch(at(draftId), content('Changed'));
    await editor.patch(at(draftId), content('Hiring'));
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
    expect(await act(reviewer, draftId, 'withdraw-approval')).toMatchObject(refused(409, 'not_approved'));
    expect(await standingsOf(draftId)).toEqual(['withdrawn']);
  });

  it('excludes a concurrent merge: only one of the two requests succeeds', async () => {
    for (let n = 0; n < 4; n += 1) {
      bench.newKey();
      const { draftId } = await create(editor, content(`Raced ${n}`));
      await act(reviewer, draftId, 'approve');
      const [undo, merge] = await Promise.all([
        act(reviewer, draftId, 'withdraw-approval'),
        act(owner, draftId, 'merge'),
      ]);
      expect(new Set([undo.status, merge.status])).toEqual(new Set([200, 409]));
      const draft = await read(draftId);
      expect(draft.merged === null).toBe(undo.status === 200);
    }
  });

  it('is possible with a personal token if the request names the revision, but not with an organization’s token', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    const mine = await personalToken(server, reviewer);
    const robot = await organizationToken(server, owner, 'admin');
    const undo = (who: typeof mine, headers?: Record<string, string>) =>
      who.call('POST', at(draftId, '/withdraw-approval'), undefined, headers);
    expect(await undo(robot)).toMatchObject({ status: 403 });
    expect(await undo(mine)).toMatchObject(refused(400, 'invalid'));
    expect(await undo(mine, { 'if-match': '"7"' })).toMatchObject(refused(409, 'stale_revision'));
    expect((await undo(mine, { 'if-match': '"1"' })).status).toBe(200);
    expect(await standingsOf(draftId)).toEqual(['withdrawn']);
  });
});

describe('an author without another reviewer', () => {
  it('can withdraw their approval, but can’t replace it once someone else can approve', async () => {
    const alone = await people.found(true);
    const made = await people.draft(alone);
    await made.act(alone, 'approve');
    const second = await people.add(alone, 'reviewer', { mailed: true });
    expect(await made.act(alone, 'withdraw-approval')).toMatchObject({ status: 200 });
    expect(await made.act(alone, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect(blockerCodes(await made.read())).toContain('needs_approvals');
    expect((await made.act(second, 'approve')).status).toBe(200);
  });

  it('can approve only seven days after the only reviewer has left', async () => {
    const mara = await people.found(true);
    const rob = await people.add(mara, 'reviewer', { mailed: true });
    const made = await people.draft(mara);
    await made.act(rob, 'approve');
    await made.act(rob, 'withdraw-approval');
    await people.remove(mara, rob);
    expect(await made.act(mara, 'approve')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'self_approval' }] },
    });
    await people.pass(mara.user.currentOrgId, 8);
    expect((await made.act(mara, 'approve')).status).toBe(200);
  });
});

describe('two accounts of one mailbox', () => {
  it('still have one vote after one of them has withdrawn its approval', async () => {
    const mara = await people.found(true);
    const [local, domain] = mara.user.email.split('@');
    const organization = `/api/organizations/${mara.user.currentOrgId}`;
    const twin = await people.add(mara, 'admin', { mailed: true, email: `${local}+two@${domain}` });
    const rob = await people.add(mara, 'editor', { mailed: true });
    await mara.patch(organization, { requiredApprovals: 2 });
    const made = await people.draft(rob);
    for (const who of [mara, twin]) await made.act(who, 'approve');
    await made.act(mara, 'withdraw-approval');
    expect(blockerCodes(await made.read())).toEqual(['needs_approvals']);
    await made.act(mara, 'approve');
    expect(blockerCodes(await made.read())).toEqual(['needs_approvals']);
  });
});

const blockerCodes = ({ blockers }: WholeDraft): string[] => blockers.map(({ code }) => code);
