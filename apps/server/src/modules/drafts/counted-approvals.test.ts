import type { OrgRole } from '@stet/domain/access';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';
import { changeBefore } from '../../testing/delayed-change.ts';
import { joinOrganization } from '../../testing/organization.ts';
import type { Person } from '../../testing/server.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, read, create, act, blockersOf, eventsOf } = bench;

describe('a draft in review', () => {
  beforeEach(() => bench.newKey());
  afterAll(() => server.stop());

  it('counts only approvals by people who can review now', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    await server.sql(`update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, [
      orgId,
      reviewer.user.id,
    ]);
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    await server.sql(`update memberships set role = 'reviewer' where org_id = $1 and user_id = $2`, [
      orgId,
      reviewer.user.id,
    ]);
    expect((await act(owner, draftId, 'merge')).status).toBe(200);
  });

  it("can't be approved by people who contributed to it, even after their role changes", async () => {
    const { draftId } = await create();
    await inRole(editor, 'admin', async () => {
      expect(await act(editor, draftId, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    });
    await act(reviewer, draftId, 'approve');
    await inRole(reviewer, 'admin', async () => {
      await reviewer.patch(at(draftId), content('Mine now'));
      expect(await act(reviewer, draftId, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    });
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    expect((await act(owner, draftId, 'approve')).status).toBe(200);
  });

  it('needs as many approvals as the current policy requires, and counts each person once', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'approve');
    await server.sql('update organizations set required_approvals = 2 where id = $1', [orgId]);
    expect((await read(draftId)).blockers).toEqual([
      { code: 'needs_approvals', sentence: '1 of 2 approvals', hint: '1 more person can approve.' },
    ]);
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    await act(owner, draftId, 'approve');
    expect((await act(owner, draftId, 'merge')).status).toBe(200);
    await server.sql('update organizations set required_approvals = 1 where id = $1', [orgId]);
  });

  it("no longer counts its author's approval once someone else can approve it", async () => {
    const alone = await server.signUp({ team: 'Soon two' });
    const { draftId } = await create(alone);
    await act(alone, draftId, 'approve');
    expect((await read(draftId, alone)).reviews).toMatchObject([{ standing: 'counts' }]);
    await joinOrganization(server, await server.signUp(), alone.user.currentOrgId ?? '', 'reviewer');
    expect(await read(draftId, alone)).toMatchObject({
      reviews: [{ standing: 'not_counted' }],
      blockers: [{ code: 'needs_approvals' }],
    });
    expect(await act(alone, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
  });

  it("isn't merged if a concurrent change to a role, membership or policy leaves it with too few approvals", async () => {
    for (const change of [
      { text: `update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, code: 'needs_approvals' },
      { text: 'delete from memberships where org_id = $1 and user_id = $2', code: 'needs_approvals' },
    ]) {
      bench.newKey();
      const { draftId } = await create();
      await act(reviewer, draftId, 'approve');
      const values = [orgId, reviewer.user.id];
      const merged = await changeBefore(server, orgId, { text: change.text, values }, () =>
        act(owner, draftId, 'merge'),
      );
      await joinOrganization(server, reviewer, orgId, 'reviewer');
      expect(merged).toMatchObject(refused(409, change.code));
    }
    bench.newKey();
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    const raised = { text: 'update organizations set required_approvals = 2 where id = $1', values: [orgId] };
    expect(await changeBefore(server, orgId, raised, () => act(owner, draftId, 'merge'))).toMatchObject(
      refused(409, 'needs_approvals'),
    );
    await server.sql('update organizations set required_approvals = 1 where id = $1', [orgId]);
  });

  it('refuses reviews, merges and comments if the person loses the permission while the request is waiting', async () => {
    const demoted = {
      text: `update memberships set role = 'viewer' where org_id = $1 and user_id = $2`,
      values: [orgId, reviewer.user.id],
    };
    const { draftId } = await create();
    await act(owner, draftId, 'approve');
    for (const [action, body] of [
      ['approve', undefined],
      ['request-changes', { comment: 'No' }],
      ['merge', undefined],
      ['comments', { body: 'Hm' }],
    ] as const) {
      const answer = await changeBefore(server, orgId, demoted, () => act(reviewer, draftId, action, body));
      await joinOrganization(server, reviewer, orgId, 'reviewer');
      expect({ action, ...answer }).toMatchObject({ action, ...refused(403, 'forbidden') });
    }
    expect(await eventsOf(draftId)).toEqual(['draft.created', 'draft.submitted', 'draft.approved']);
  });

  it('shows each review’s state, and the people whose approval would count', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'request-changes', { comment: 'Shorter' });
    await act(owner, draftId, 'approve');
    await editor.patch(at(draftId), content('Shorter'));
    await act(reviewer, draftId, 'approve', { comment: 'Good' });
    const draft = await read(draftId, reviewer);
    expect(draft.reviews.map(({ reviewer: { id }, verdict, standing }) => [id, verdict, standing])).toEqual([
      [reviewer.user.id, 'changes_requested', 'replaced'],
      [owner.user.id, 'approved', 'dismissed'],
      [reviewer.user.id, 'approved', 'counts'],
    ]);
    expect(draft.reviewers.map(({ id }) => id).toSorted()).toEqual([owner.user.id, reviewer.user.id].toSorted());
    expect(draft).toMatchObject({
      baseVersion: null,
      liveVersion: null,
      nextVersion: 1,
      submitted: { by: { id: owner.user.id } },
      merged: null,
      own: { approvedAt: draft.reviews[2]?.at, reviewedAt: draft.reviews[2]?.at },
    });
    expect((await read(draftId, owner)).own).toEqual({
      approvedAt: draft.reviews[1]?.at,
      reviewedAt: draft.reviews[1]?.at,
    });
    expect((await read(draftId, editor)).own).toEqual({ approvedAt: null, reviewedAt: null });
    await inRole(reviewer, 'viewer', async () => {
      expect((await read(draftId)).reviews[2]).toMatchObject({ current: true, standing: 'not_counted' });
    });
  });

  const inRole = async (person: Person, role: OrgRole, work: () => Promise<void>): Promise<void> => {
    const before = person === editor ? 'editor' : 'reviewer';
    await joinOrganization(server, person, orgId, role);
    await work();
    await joinOrganization(server, person, orgId, before);
  };
});
