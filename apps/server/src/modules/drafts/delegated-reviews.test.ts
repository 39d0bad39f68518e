import type {
  AuditEventView,
  Group,
  Notification,
  ReviewTask,
  VersionInForce,
  VersionRecord,
  WholeDraft,
  WorkflowDocument,
} from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { delegate } from '../../testing/delegations.ts';
import { changeBefore, whileLocked } from '../../testing/delayed-change.ts';
import { type Saved, content, refused } from '../../testing/drafts.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';
import { appendAudit } from '../audit/index.ts';
import { verdictOn } from '../audit/verification.ts';
import { listDelegatesOfReviews } from '../delegations/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const notDelegated = refused(403, 'not_delegated');
const notCounted = (missing: string) => ({
  status: 409,
  body: { code: 'reviewer_not_counted_yet', details: [{ missing }] },
});
const plain = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');
const person = ({ user: { id, name, email } }: Person) => ({ id, name, email });
const reviews = { kinds: ['reviews'] };
let keys = 0;

/** Creates and submits a draft by the author `by`. Returns functions that review it. */
async function draftOf(
  by: Person,
  { key = `delegated-${(keys += 1)}`, body = content('Hiring') }: { key?: string; body?: object } = {},
) {
  const { draftId } = await by.post<Saved>(`/api/workflows/${key}/drafts`, body);
  const path = `/api/workflows/${key}/drafts/${draftId}`;
  await by.post(`${path}/submit`);
  const act = (who: Person, action: string, more: object = {}): Promise<Reply<VersionRecord>> =>
    who.call('POST', `${path}/${action}`, more);
  const actFor = (delegator: Person, who: Person, action: string, more: object = {}): Promise<Reply<VersionRecord>> =>
    act(who, action, { ...more, onBehalfOf: delegator.user.id });
  const read = (who: Person = by): Promise<WholeDraft> => who.get<WholeDraft>(path);
  return {
    key,
    draftId,
    path,
    act,
    actFor,
    read,
    approveFor: (delegator: Person, who: Person) => actFor(delegator, who, 'approve'),
    blockers: async () => (await read()).blockers.map(({ code }) => code),
    save: (who: Person) => who.patch(path, content('Hiring', 'First', 'Second')),
    isTaskOf: async (who: Person) => {
      const task = (await who.get<ReviewTask[]>('/api/tasks/reviews')).find((each) => each.draftId === draftId);
      return task && (task.onBehalfOf?.name ?? 'own');
    },
  };
}

/**
 * Creates a team: Mara reviews, the editor writes, and Sam is a viewer, who can't review. The members joined with audit
 * events, so that the trail can be verified.
 */
async function scene({ requiredApprovals = 1 } = {}) {
  const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
  const { owner, orgId, admin, editor, reviewer: mara, viewer: sam } = team;
  if (requiredApprovals !== 1) await owner.patch(`/api/organizations/${orgId}`, { requiredApprovals });
  const record = (role: OrgRole, { user }: Person) =>
    server.server.deps.db.transaction({ orgId, userId: null }, async (tx) =>
      appendAudit(tx, [
        { actor: SYSTEM_ACTOR, action: 'member.joined', subject: { type: 'user', id: user.id }, data: { role } },
      ]),
    );
  for (const [role, member] of Object.entries({ admin, editor, reviewer: mara, viewer: sam }))
    await record(role as OrgRole, member);
  const joined = async (role: OrgRole, name: string): Promise<Person> => {
    const member = await server.signUp({ name });
    await joinOrganization(server, member, orgId, role);
    await record(role, member);
    return member;
  };
  return { owner, orgId, admin, editor, mara, sam, joined };
}

describe('a delegate of reviews', () => {
  it('approves for the delegator while the delegation is active, and every record names both people', async () => {
    const { owner, orgId, editor, mara, sam } = await scene();
    const draft = await draftOf(editor);
    expect(await draft.approveFor(mara, sam)).toMatchObject(notDelegated);
    expect(await draft.act(sam, 'approve')).toMatchObject(refused(403, 'forbidden'));
    expect((await draft.read(sam)).delegated).toEqual([]);
    expect(await draft.isTaskOf(sam)).toBeUndefined();

    const { id } = await delegate(mara, sam, reviews);
    expect(await draft.isTaskOf(sam)).toBe('The reviewer');
    expect(await sam.get('/api/tasks/reviews/count')).toEqual({ count: 1 });
    const can = { onBehalfOf: person(mara), approve: true, requestChanges: true, withdrawApproval: false };
    expect(await draft.read(sam)).toMatchObject({ delegated: [can], abilities: { approve: false, merge: false } });
    // The permission isn't transferred: in a request that doesn't name Mara, Sam is only a viewer.
    expect(await draft.act(sam, 'approve')).toMatchObject(refused(403, 'forbidden'));
    expect(await draft.approveFor(mara, sam)).toMatchObject({ status: 200, body: { approvalsCount: 1 } });

    expect(await draft.read(sam)).toMatchObject({
      approvalsCount: 1,
      reviews: [{ reviewer: person(sam), onBehalfOf: person(mara), standing: 'counts', marks: [] }],
      blockers: [],
      delegated: [{ ...can, withdrawApproval: true }],
      // Merging isn't delegated.
      abilities: { merge: false },
    });
    expect(await draft.isTaskOf(sam)).toBeUndefined();
    expect(await draft.isTaskOf(mara)).toBeUndefined();
    expect(await draft.actFor(mara, sam, 'merge')).toMatchObject({ status: 403 });
    const merged = await owner.post<{ version: VersionRecord }>(`${draft.path}/merge`);
    expect(merged.version.approvals).toEqual([{ reviewer: person(sam), onBehalfOf: person(mara), marks: [] }]);

    // The approval still counts after the delegation has ended.
    await mara.call('DELETE', `/api/delegations/${id}`);
    const [version] = await owner.get<VersionInForce[]>(`/api/workflows/${draft.key}/versions`);
    expect(version?.approvals).toMatchObject([
      { reviewer: person(sam), onBehalfOf: person(mara), selfApproved: false, counted: true },
    ]);
    const document = await owner.get<WorkflowDocument>(`/api/workflows/${draft.key}/document`);
    expect(document.approvals).toMatchObject([{ reviewer: person(sam), onBehalfOf: person(mara) }]);
    const events = await owner.get<AuditEventView[]>('/api/audit/events?action=draft.approved');
    expect(events[0]).toMatchObject({ actor: { id: sam.user.id, onBehalfOf: person(mara) } });
    const notified = await editor.get<Notification[]>('/api/notifications');
    expect(notified.filter(({ kind }) => kind === 'draft_approved').map(({ body }) => plain(body))).toEqual([
      'The viewer has approved this draft for The reviewer.',
    ]);
    expect(await verdictOn(server.server.deps, orgId)).toMatchObject({ is: 'ended', found: null });
  });

  it('requests changes for the delegator, and the delegator can end this request', async () => {
    const { orgId, editor, mara, sam } = await scene();
    await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    expect(await draft.actFor(mara, sam, 'request-changes', { comment: 'No clock' })).toMatchObject({ status: 200 });
    const shown = await draft.read();
    expect(shown.objections).toMatchObject([{ reviewer: person(mara), delegate: person(sam), comment: 'No clock' }]);
    const [blocker] = shown.blockers.filter(({ code }) => code === 'changes_requested');
    expect(plain(blocker?.sentence ?? '')).toBe('Changes requested by The viewer for The reviewer');
    expect(plain(blocker?.hint ?? '')).toBe('Remains open until The reviewer approves the draft.');
    expect(await draft.act(mara, 'approve')).toMatchObject({ status: 200 });
    expect(await draft.blockers()).toEqual([]);

    // The delegate can end it too.
    const other = await draftOf(editor, { body: content('Leaving') });
    await other.act(mara, 'request-changes', { comment: 'Mine' });
    expect(await other.approveFor(mara, sam)).toMatchObject({ status: 200 });
    expect((await other.read()).objections).toEqual([]);
    expect(await verdictOn(server.server.deps, orgId)).toMatchObject({ is: 'ended', found: null });
  });

  it('requests changes, and a verification detects if such a request is altered or ended in the database', async () => {
    const { orgId, owner, editor, mara, sam } = await scene();
    await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    await draft.actFor(mara, sam, 'request-changes', { comment: 'No clock' });
    const objection = `The stored objection ${draft.draftId}:${mara.user.id}:`;
    const found = async (): Promise<string | undefined> => {
      const verdict = await verdictOn(server.server.deps, orgId);
      expect(verdict.is).toBe('ended');
      return verdict.is === 'ended' ? (verdict.found?.detail ?? undefined) : undefined;
    };
    const tamper = async (change: string): Promise<void> => {
      const [before] = await server.sql<{ row: object }>(
        'select to_jsonb(o) as row from draft_objections o where draft_id = $1',
        [draft.draftId],
      );
      await server.sql(`update draft_objections set ${change} where draft_id = $1`, [draft.draftId]);
      // The job that seals the trail can replace the result of a verification with its own, which contains no detail.
      await expect.poll(found, { timeout: 60_000 }).toContain(objection);
      await server.sql(
        `update draft_objections set (delegate_id, comment, ended_at) =
           (select r.delegate_id, r.comment, r.ended_at from jsonb_populate_record(null::draft_objections, $2) r)
         where draft_id = $1`,
        [draft.draftId, before?.row],
      );
    };
    expect(await found()).toBeUndefined();
    for (const change of [
      'delegate_id = null',
      `delegate_id = '${editor.user.id}'`,
      `comment = 'Fine'`,
      'ended_at = clock_timestamp()',
    ])
      await tamper(change);
    expect(await found()).toBeUndefined();

    // An approval ends it, and its withdrawal opens it again.
    expect(await draft.approveFor(mara, sam)).toMatchObject({ status: 200 });
    expect(await found()).toBeUndefined();
    expect(await draft.actFor(mara, sam, 'withdraw-approval')).toMatchObject({ status: 200 });
    expect((await draft.read()).objections).toHaveLength(1);
    expect(await found()).toBeUndefined();
    await tamper('delegate_id = null');

    // Another manager sets it aside once Mara can no longer review.
    await owner.patch(`/api/organizations/${orgId}/users/${mara.user.id}`, { role: 'viewer' });
    const path = `${draft.path}/objections/${mara.user.id}/set-aside`;
    expect(await owner.call('POST', path, { reason: 'She is gone' })).toMatchObject({ status: 200 });
    expect(await found()).toBeUndefined();
  });

  it('can review only if reviews are delegated, in the delegated workflows, and during the delegation', async () => {
    const { orgId, owner, editor, mara, sam } = await scene();
    await publish(owner, mara, 'only-this');
    await delegate(mara, sam, { kinds: ['tasks', 'votes'] });
    const draft = await draftOf(editor);
    expect(await draft.approveFor(mara, sam)).toMatchObject(notDelegated);
    const { id } = await delegate(mara, sam, { ...reviews, workflowKeys: ['only-this'] });
    expect(await draft.approveFor(mara, sam)).toMatchObject(notDelegated);
    expect(await draft.isTaskOf(sam)).toBeUndefined();
    const covered = await draftOf(editor, { key: 'only-this' });
    expect(await covered.isTaskOf(sam)).toBe('The reviewer');
    const shift = (days: number) =>
      server.sql(
        `update delegations set starts_at = starts_at + $3 * interval '1 day', ends_at = ends_at + $3 * interval '1 day'
         where org_id = $1 and id = $2`,
        [orgId, id, days],
      );
    for (const days of [1, -9]) {
      await shift(days);
      expect(await covered.approveFor(mara, sam)).toMatchObject(notDelegated);
      expect(await covered.isTaskOf(sam)).toBeUndefined();
    }
    await shift(8);
    expect(await covered.approveFor(mara, sam)).toMatchObject({ status: 200 });
  });

  it('can’t do tasks or votes of the delegator', async () => {
    const { owner, editor, mara, sam } = await scene();
    await publish(owner, mara, 'pay', [{ id: 'work', title: 'Work', assignee: mara.user.email }]);
    await delegate(mara, sam, reviews);
    await editor.post('/api/runs', { key: 'pay', name: 'A run' });
    expect(await sam.get('/api/tasks')).toEqual([]);
    expect(await sam.get('/api/tasks/count')).toMatchObject({ count: 0 });
  });

  it('is notified of a draft that waits for the delegator, like the delegator', async () => {
    const { editor, mara, sam, joined } = await scene();
    const rita = await joined('reviewer', 'Rita');
    await delegate(mara, sam, reviews);
    await delegate(rita, mara, reviews);
    const draft = await draftOf(editor);
    const requests = async (who: Person) =>
      (await who.get<Notification[]>('/api/notifications'))
        .filter(({ kind, draft: about }) => kind === 'review_requested' && about?.id === draft.draftId)
        .map(({ body }) => plain(body));
    expect(await requests(sam)).toEqual(['The editor requested a review from The reviewer, and you do their reviews.']);
    // Mara is also Rita's delegate, but she gets the request as a reviewer herself.
    expect(await requests(mara)).toEqual(['The editor requested your review.']);
    await draft.approveFor(mara, sam);
    const unread = async (who: Person) => (await who.get<Notification[]>('/api/notifications?unread=true')).length;
    expect(await unread(rita)).toBeGreaterThan(0);
  });

  it('isn’t notified for a delegator whose account is disabled', async () => {
    const { orgId, editor, mara, sam, joined } = await scene();
    await joined('reviewer', 'Rita');
    await delegate(mara, sam, reviews);
    const delegates = (workflowKey: string) =>
      server.server.deps.db.snapshot({ orgId, userId: null }, (tx) =>
        listDelegatesOfReviews(tx, { orgId, workflowKey }),
      );
    const notified = async () =>
      (await sam.get<Notification[]>('/api/notifications')).filter(({ kind }) => kind === 'review_requested').length;
    await server.sql('update users set disabled_at = now() where id = $1', [mara.user.id]);
    const { key } = await draftOf(editor);
    expect(await delegates(key)).toEqual([]);
    expect(await notified()).toBe(0);
    await server.sql('update users set disabled_at = null where id = $1', [mara.user.id]);
    const later = await draftOf(editor);
    expect(await delegates(later.key)).toMatchObject([{ delegateId: sam.user.id, delegator: { id: mara.user.id } }]);
    expect(await notified()).toBe(1);
  });

  it('fills a requirement of a group or of the workflow’s reviewers if it accepts the delegator', async () => {
    const { owner, orgId, editor, mara, sam, joined } = await scene();
    const rita = await joined('reviewer', 'Rita');
    await publish(editor, mara, 'routed', [{ id: 'work', title: 'Work', sla: '1h' }]);
    await owner.post<Group>('/api/groups', { name: 'Legal', slug: 'legal', members: [mara.user.id] });
    await owner.patch(`/api/organizations/${orgId}/routes`, {
      routes: [{ if: 'clock_loosened', tag: 'payments', group: 'legal' }],
    });
    await owner.patch('/api/workflows/routed', { tags: ['payments'] });
    await owner.patch('/api/workflows/routed/people', { reviewers: [rita.user.id] });
    const body = { metadata: { title: 'Routed' }, steps: [{ id: 'work', title: 'Work', sla: '2h' }] };
    const draft = await draftOf(editor, { key: 'routed', body });
    await delegate(mara, sam, reviews);
    await delegate(rita, sam, reviews);
    expect(await draft.isTaskOf(sam)).toBeDefined();
    await draft.approveFor(mara, sam);
    const filled = async () => (await draft.read()).requirements.map(({ group, by }) => [group, by]);
    const byMara = { ...person(mara), delegate: person(sam) };
    expect(await filled()).toEqual([
      [null, []],
      ['legal', [byMara]],
    ]);
    expect(await draft.blockers()).toEqual(['needs_reviewer_approval']);
    // One person fills one requirement, even if they act for several people. So Sam's approval for Rita replaces the
    // one for Mara.
    await draft.approveFor(rita, sam);
    expect(await filled()).toEqual([
      [null, [{ ...person(rita), delegate: person(sam) }]],
      ['legal', []],
    ]);
    await draft.act(mara, 'approve');
    expect(await draft.blockers()).toEqual([]);
    await owner.post(`${draft.path}/merge`);
    expect((await draft.read()).requirements.map(({ by }) => by)).toEqual([[person(mara)]]);
  });

  it('can withdraw the approval that they gave, and so can the delegator', async () => {
    const { editor, mara, sam } = await scene();
    await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    expect(await draft.actFor(mara, sam, 'withdraw-approval')).toMatchObject(refused(409, 'not_approved'));
    await draft.approveFor(mara, sam);
    expect(await draft.act(sam, 'withdraw-approval')).toMatchObject(refused(403, 'forbidden'));
    expect((await draft.read(mara)).abilities.withdrawApproval).toBe(true);
    expect(await draft.actFor(mara, sam, 'withdraw-approval')).toMatchObject({
      status: 200,
      body: { approvalsCount: 0 },
    });
    expect(await draft.blockers()).toEqual(['needs_approvals']);
    await draft.approveFor(mara, sam);
    expect(await draft.act(mara, 'withdraw-approval')).toMatchObject({ status: 200, body: { approvalsCount: 0 } });
    expect((await draft.read()).reviews.map(({ standing }) => standing)).toEqual(['withdrawn', 'withdrawn']);
  });

  it('can review with a token only within its scopes', async () => {
    const { editor, mara, admin, owner } = await scene();
    await delegate(mara, admin, reviews);
    const draft = await draftOf(editor);
    const { revision } = await draft.read();
    const approve = async (who: Person, scopes: Parameters<typeof personalToken>[2]) =>
      (await personalToken(server, who, scopes)).call(
        'POST',
        `${draft.path}/approve`,
        { onBehalfOf: mara.user.id },
        { 'if-match': `"${revision}"` },
      );
    expect(await approve(admin, ['workflow.read'])).toMatchObject(refused(403, 'forbidden'));
    expect(await approve(owner, ['workflow.read', 'draft.review'])).toMatchObject(notDelegated);
    expect(await approve(admin, ['workflow.read', 'draft.review'])).toMatchObject({ status: 200 });
    expect((await draft.read()).reviews[0]).toMatchObject({ marks: ['by_api_token'] });
  });
});

describe('two managers, one of them on holiday', () => {
  it('can publish with an approval by the delegate of the manager who is on holiday', async () => {
    const { owner, orgId, editor, admin, mara, sam, joined } = await scene({ requiredApprovals: 2 });
    const ben = await joined('viewer', 'Ben');
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${mara.user.id}`);
    await delegate(admin, ben, reviews);
    const draft = await draftOf(editor);
    await draft.act(owner, 'approve');
    expect(await draft.blockers()).toEqual(['needs_approvals']);
    expect(await draft.approveFor(admin, sam)).toMatchObject(notDelegated);
    await draft.approveFor(admin, ben);
    expect(await draft.act(owner, 'merge')).toMatchObject({ status: 200 });
  });

  it('have one vote if the manager who is present approves for the other', async () => {
    const { owner, editor, admin } = await scene({ requiredApprovals: 2 });
    await delegate(admin, owner, reviews);
    const draft = await draftOf(editor);
    for (const vote of [() => draft.act(owner, 'approve'), () => draft.approveFor(admin, owner)]) {
      expect((await vote()).status).toBe(200);
      expect((await draft.read()).blockers).toMatchObject([{ sentence: '1 of 2 approvals' }]);
    }
    // The owner's own approval replaced the one for the admin, so the admin has nothing to withdraw.
    await draft.act(owner, 'approve');
    expect((await draft.read(admin)).abilities).toMatchObject({ approve: true, withdrawApproval: false });
    await draft.approveFor(admin, owner);
    // The admin is back and approves in their own name, so each of them has one vote.
    await draft.act(admin, 'approve');
    expect(await draft.blockers()).toEqual(['needs_approvals']);
    await draft.act(owner, 'approve');
    expect(await draft.blockers()).toEqual([]);
  });
});

describe('people who combine delegations and accounts', () => {
  it('can’t approve their own draft through a delegate or as a delegate', async () => {
    const { editor, admin, mara, sam } = await scene();
    // The admin writes the draft, delegates reviews to Sam, and is Mara's delegate.
    const draft = await draftOf(admin);
    await delegate(admin, sam, reviews);
    await delegate(mara, admin, reviews);
    expect(await draft.approveFor(admin, sam)).toMatchObject(notCounted('delegator'));
    expect(await draft.approveFor(mara, admin)).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect(await draft.actFor(admin, sam, 'request-changes', { comment: 'No' })).toMatchObject({ status: 409 });
    expect(await draft.actFor(mara, admin, 'request-changes', { comment: 'No' })).toMatchObject({ status: 403 });
    for (const who of [sam, admin]) {
      expect((await draft.read(who)).delegated).toEqual([]);
      expect(await draft.isTaskOf(who)).toBeUndefined();
    }
    // If a delegate edits a draft later, the approval that they gave no longer counts.
    const other = await draftOf(editor);
    await delegate(mara, admin, { kinds: ['tasks'] });
    expect((await other.approveFor(mara, admin)).status).toBe(200);
    await other.save(admin);
    expect(await other.blockers()).toEqual(['needs_approvals']);
    expect(await other.approveFor(mara, admin)).toMatchObject(refused(403, 'contributor_cannot_approve'));
  });

  it('can’t end the delegator’s request for changes to their own content through another draft with the same content', async () => {
    const { editor, mara, joined } = await scene();
    const yara = await joined('editor', 'Yara Copy');
    const draft = await draftOf(editor);
    await draft.act(mara, 'request-changes', { comment: 'No clock' });
    await delegate(mara, editor, reviews);
    const copy = await draftOf(yara, { key: draft.key });
    expect(await copy.approveFor(mara, editor)).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await draft.read()).objections).toHaveLength(1);
    expect((await copy.act(mara, 'approve')).status).toBe(200);
  });

  it('can’t delegate a review that was delegated to them', async () => {
    const { editor, mara, sam, joined } = await scene();
    const [ben, cem] = [await joined('viewer', 'Ben'), await joined('viewer', 'Cem')];
    await delegate(mara, ben, reviews);
    await delegate(ben, cem, reviews);
    await delegate(sam, mara, reviews);
    const draft = await draftOf(editor);
    expect(await draft.approveFor(mara, cem)).toMatchObject(notDelegated);
    // Ben can only lend permissions that his own role has.
    expect(await draft.approveFor(ben, cem)).toMatchObject(refused(403, 'forbidden'));
    expect(await draft.approveFor(sam, mara)).toMatchObject(refused(403, 'forbidden'));
    expect(await draft.isTaskOf(cem)).toBeUndefined();
  });

  it('have one vote together, regardless of who casts it and for how many delegators', async () => {
    const { owner, orgId, editor, mara, sam, joined } = await scene();
    const rita = await joined('reviewer', 'Rita');
    await owner.patch(`/api/organizations/${orgId}`, { requiredApprovals: 3 });
    await delegate(mara, rita, reviews);
    await delegate(rita, mara, { kinds: ['reviews'], workflowKeys: undefined });
    const two = await draftOf(editor);
    for (const vote of [
      () => two.approveFor(mara, rita),
      () => two.act(mara, 'approve'),
      () => two.approveFor(rita, mara),
      () => two.approveFor(mara, rita),
      () => two.act(rita, 'approve'),
    ]) {
      expect((await vote()).status).toBe(200);
      expect((await two.read()).approvalsCount).toBe(1);
    }
    // Now two people delegate to the same person.
    await mara.call('DELETE', `/api/delegations/${(await mara.get<{ id: string }[]>('/api/delegations'))[0]?.id}`);
    const draft = await draftOf(editor);
    await delegate(owner, sam, reviews);
    await server.sql('update delegations set ended_at = now() where org_id = $1 and to_user_id <> $2', [
      orgId,
      sam.user.id,
    ]);
    await delegate(mara, sam, reviews);
    await delegate(rita, sam, reviews);
    for (const whose of [owner, mara, rita]) {
      expect((await draft.approveFor(whose, sam)).status).toBe(200);
      expect((await draft.read()).blockers).toMatchObject([{ sentence: '1 of 3 approvals' }]);
    }
    expect((await draft.read()).reviews.map(({ standing }) => standing)).toEqual(['replaced', 'replaced', 'counts']);
  });

  it('count as one person if they use two accounts of a mailbox, even as a delegate', async () => {
    const { owner, orgId, editor, mara } = await scene({ requiredApprovals: 2 });
    const address = `sam-${Date.now()}`;
    const [one, two] = [
      await server.signUp({ email: `${address}@example.com`, name: 'Sam' }),
      await server.signUp({ email: `${address}+2@example.com`, name: 'Sam 2' }),
    ];
    await joinOrganization(server, one, orgId, 'reviewer');
    await joinOrganization(server, two, orgId, 'viewer');
    await delegate(mara, two, reviews);
    const draft = await draftOf(editor);
    await draft.act(one, 'approve');
    expect((await draft.approveFor(mara, two)).status).toBe(200);
    expect((await draft.read()).blockers).toMatchObject([{ sentence: '1 of 2 approvals' }]);
    // An author can't approve for anyone with a second account either.
    const own = await draftOf(owner);
    await joinOrganization(server, one, orgId, 'editor');
    await own.save(one);
    expect((await own.approveFor(mara, two)).status).toBeGreaterThanOrEqual(400);
  });

  it('get a marked approval, or none, if an author added the delegate', async () => {
    const people = secondPersonBench(server);
    const owner = await people.found(true);
    const mara = await people.add(owner, 'reviewer', { mailed: true });
    const admin = await people.add(owner, 'admin', { mailed: true });
    const author = await people.add(owner, 'admin', { mailed: true });
    await people.setRole(owner, admin, 'admin');
    const early = await people.add(author, 'viewer', { mailed: true });
    await delegate(mara, early, reviews);
    const draft = await draftOf(author);
    expect((await draft.approveFor(mara, early)).status).toBe(200);
    expect((await draft.read()).reviews[0]?.marks).toContain('added_by_author');
    const late = await people.add(author, 'viewer', { mailed: true });
    await mara.call('DELETE', `/api/delegations/${(await mara.get<{ id: string }[]>('/api/delegations'))[0]?.id}`);
    await delegate(mara, late, reviews);
    expect(await draft.approveFor(mara, late)).toMatchObject(notCounted('delegate_added_after_first_save'));
    // The delegate sees the reason.
    expect((await late.get<WholeDraft>(draft.path)).delegated).toMatchObject([
      {
        approve: false,
        because: {
          code: 'reviewer_not_counted_yet',
          sentence: expect.stringContaining('One of this draft’s authors made you a member') as string,
        },
      },
    ]);
  });

  it('can’t delegate merging, submitting, rolling back, confirming or discarding', async () => {
    const { owner, orgId, editor, mara, sam, admin } = await scene();
    await delegate(owner, sam, { kinds: ['tasks', 'votes', 'reviews'] });
    await publish(editor, mara, 'back');
    await publish(editor, mara, 'back');
    const draft = await draftOf(editor, { key: 'back' });
    await draft.act(mara, 'approve');
    const onBehalfOf = owner.user.id;
    await admin.patch(`/api/organizations/${orgId}`, { requiredApprovals: 0 });
    const [proposal] = await owner.get<{ id: string }[]>('/api/confirmations');
    for (const [method, path] of [
      ['POST', `${draft.path}/merge`],
      ['POST', `${draft.path}/submit`],
      ['POST', '/api/workflows/back/versions/1/rollback'],
      ['POST', `/api/confirmations/${proposal?.id}/confirm`],
      ['DELETE', draft.path],
    ] as const)
      for (const body of [{}, { onBehalfOf }])
        expect([400, 403]).toContain((await sam.call(method, path, body)).status);
  });

  it('can’t name someone of another organization, or themselves', async () => {
    const { editor, mara, sam } = await scene();
    const { owner: stranger } = await teamOf(server, []);
    await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    for (const whose of [stranger, sam]) expect(await draft.approveFor(whose, sam)).toMatchObject(notDelegated);
    expect(await draft.approveFor(mara, mara)).toMatchObject(notDelegated);
    expect(await draft.act(sam, 'approve', { onBehalfOf: 'Mara' })).toMatchObject({ status: 400 });
    expect(await draft.approveFor(mara, stranger)).toMatchObject(refused(404, 'not_found'));
  });
});

describe('the end of a delegation of reviews', () => {
  const head = (orgId: string) => ({ text: 'select from audit_heads where org_id = $1 for update', values: [orgId] });

  it('doesn’t affect earlier approvals', async () => {
    const { orgId, owner, editor, mara, sam, joined } = await scene();
    const draft = await draftOf(editor);
    const { id } = await delegate(mara, sam, reviews);
    await draft.approveFor(mara, sam);
    await mara.call('DELETE', `/api/delegations/${id}`);
    expect(await draft.blockers()).toEqual([]);
    expect(await draft.actFor(mara, sam, 'withdraw-approval')).toMatchObject(notDelegated);
    expect((await draft.read(sam)).delegated).toEqual([]);
    // As without a delegation, the approval of someone who has left doesn't count.
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${sam.user.id}`);
    expect(await draft.blockers()).toEqual(['needs_approvals']);
    const ben = await joined('viewer', 'Ben');
    await delegate(mara, ben, reviews);
    await draft.approveFor(mara, ben);
    await owner.patch(`/api/organizations/${orgId}/users/${mara.user.id}`, { role: 'viewer' });
    expect(await draft.blockers()).toEqual(['needs_approvals']);
    expect(await draft.approveFor(mara, ben)).toMatchObject(refused(403, 'forbidden'));
    expect(await verdictOn(server.server.deps, orgId)).toMatchObject({ is: 'ended', found: null });
  });

  it('waits for an approval that is being saved, and that approval counts', async () => {
    const { orgId, editor, mara, sam } = await scene();
    const { id } = await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    const replies = await whileLocked<Reply<unknown>>(server, head(orgId), [
      () => draft.approveFor(mara, sam),
      () => mara.call('DELETE', `/api/delegations/${id}`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await draft.blockers()).toEqual([]);
  });

  it.each([
    ['the delegation', `update delegations set ended_at = now() where org_id = $1`],
    ['the delegator’s membership', `delete from memberships where org_id = $1 and role = 'reviewer'`],
    ['the delegate’s membership', `delete from memberships where org_id = $1 and role = 'viewer'`],
    ['the delegator’s role', `update memberships set role = 'viewer' where org_id = $1 and role = 'reviewer'`],
    [
      'the delegator’s account',
      `update users set disabled_at = now() where id in (select from_user_id from delegations where org_id = $1)`,
    ],
    [
      'the delegate’s account',
      `update users set disabled_at = now() where id in (select to_user_id from delegations where org_id = $1)`,
    ],
  ])('refuses an approval that waits for the end of %s', async (_, text) => {
    const { orgId, editor, mara, sam } = await scene();
    await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    const reply = await changeBefore(server, orgId, { text, values: [orgId], alone: true }, () =>
      draft.approveFor(mara, sam),
    );
    expect(reply).toMatchObject(notDelegated);
    expect((await draft.read()).reviews).toEqual([]);
  });

  it('refuses an approval that isn’t saved before the delegation ends', async () => {
    const { orgId, editor, mara, sam } = await scene();
    const { id } = await delegate(mara, sam, reviews);
    const draft = await draftOf(editor);
    await server.sql(`update delegations set ends_at = clock_timestamp() + interval '1 second' where id = $1`, [id]);
    const isOver = async () =>
      (await server.sql('select 1 from delegations where id = $1 and ends_at <= clock_timestamp()', [id])).length > 0;
    const replies = await whileLocked(server, head(orgId), [() => draft.approveFor(mara, sam)], isOver);
    expect(replies).toMatchObject([notDelegated]);
    expect((await draft.read()).reviews).toEqual([]);
  });

  it('doesn’t replace the check of the reviewer’s own permission: a demoted reviewer can’t approve', async () => {
    const { orgId, editor, mara } = await scene();
    const draft = await draftOf(editor);
    const text = `update memberships set role = 'viewer' where org_id = $1 and role = 'reviewer'`;
    const reply = await changeBefore(server, orgId, { text, values: [orgId], alone: true }, () =>
      draft.act(mara, 'approve'),
    );
    expect(reply).toMatchObject(refused(403, 'forbidden'));
  });
});

describe('an owner who requests changes and then edits the draft', () => {
  it.each(['in person', 'with a personal token', 'with a token of the organization'])(
    'leaves a trail that agrees with the stored request, if they edit it %s',
    async (how) => {
      const { owner, orgId, editor } = await scene();
      const draft = await draftOf(editor);
      expect(await draft.act(owner, 'request-changes', { comment: 'No clock' })).toMatchObject({ status: 200 });
      const isOfOrganization = how === 'with a token of the organization';
      const client = isOfOrganization
        ? await organizationToken(server, owner, 'editor')
        : how === 'in person'
          ? owner
          : await personalToken(server, owner);
      expect((await client.call('PATCH', draft.path, content('Hiring', 'First', 'Second'))).status).toBe(200);
      expect((await draft.read()).objections).toHaveLength(isOfOrganization ? 1 : 0);
      expect(await verdictOn(server.server.deps, orgId)).toMatchObject({ is: 'ended', found: null });

      // A request that is still open is still compared.
      if (!isOfOrganization) return;
      await server.sql('update draft_objections set ended_at = clock_timestamp() where draft_id = $1', [draft.draftId]);
      await expect
        .poll(() => verdictOn(server.server.deps, orgId), { timeout: 60_000 })
        .toMatchObject({
          found: { detail: expect.stringContaining(`The stored objection ${draft.draftId}`) as unknown },
        });
    },
  );
});
