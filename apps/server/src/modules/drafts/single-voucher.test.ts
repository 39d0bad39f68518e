import type { AuditEventView, Confirmation, WholeDraft } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { contentTitled } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, draft, pass, prove, remove, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

/**
 * Jon invites an account. Mara, the other manager, gets hold of the link, accepts the invitation with it, and confirms
 * the new account. Only Mara vouches for this account.
 */
async function team(role: 'editor' | 'reviewer' | 'admin' = 'reviewer') {
  const mara = await found(true);
  const jon = await add(mara, 'admin', { mailed: true });
  const ed = await add(jon, 'editor', { mailed: true });
  await pass(mara.user.currentOrgId, 8);
  const guest = await add(jon, role);
  const asked = (await mara.get<Confirmation[]>('/api/confirmations')).find(
    ({ subjectId }) => subjectId === guest.user.id,
  );
  const confirmed = await mara.call('POST', `/api/confirmations/${asked?.id}/confirm`);
  return { mara, jon, ed, guest, confirmed };
}
/** Confirms a member. */
const confirm = async (by: Person, who: Person): Promise<void> => {
  const asked = (await by.get<Confirmation[]>('/api/confirmations')).find(({ subjectId }) => subjectId === who.user.id);
  await by.post(`/api/confirmations/${asked?.id}/confirm`);
};
const policy = (by: Person, body: object): Promise<unknown> =>
  by.patch(`/api/organizations/${by.user.currentOrgId}`, body);

describe('a manager and an account that only this manager vouches for', () => {
  it.each([false, true])("don't give two unmarked approvals of another person's draft (strict: %s)", async (strict) => {
    const { mara, ed, guest, confirmed } = await team();
    expect(confirmed.status).toBe(200);
    await policy(mara, { requiredApprovals: 2, strict });
    const made = await draft(ed);
    for (const who of [mara, guest]) await made.act(who, 'approve');
    const merged = await made.act(mara, 'merge');
    const marks = (merged.body.version?.approvals as { marks: string[] }[] | undefined)?.flatMap((each) => each.marks);
    if (strict) expect(merged.status).toBe(409);
    else expect(merged.status === 409 || (marks ?? []).length > 0).toBe(true);
  });

  it('are one author for the reviewers whom the manager added, until the account proves its address', async () => {
    const { mara, jon, guest } = await team('admin');
    const added = await add(mara, 'reviewer', { mailed: true });
    const other = await add(jon, 'reviewer', { mailed: true });
    const made = await draft(guest);
    await made.act(guest, 'submit');
    for (const each of [added, other]) expect((await made.act(each, 'approve')).status).toBe(200);
    const marks = async () =>
      Object.fromEntries((await made.read()).reviews.map((review) => [review.reviewer.id, review.marks]));
    expect(await marks()).toEqual({ [added.user.id]: ['author_added_by_reviewer'], [other.user.id]: [] });
    await policy(mara, { strict: true });
    expect((await made.act(added, 'approve')).status).not.toBe(200);
    await prove(guest);
    expect((await made.act(added, 'approve')).status).toBe(200);
    expect(Object.values(await marks()).flat()).toEqual([]);
  });

  describe('the approval of the workflow’s reviewer', () => {
    /** A draft by the account, approved by the only reviewer of its workflow, whom one of the managers had named. */
    const approvedBy = async (manager: 'mara' | 'jon') => {
      const people = await team('editor');
      const { mara, jon, guest } = people;
      const rita = await add(jon, 'reviewer', { mailed: true });
      const first = await draft(mara);
      for (const action of ['approve', 'merge']) expect((await first.act(rita, action)).status).toBe(200);
      const named = await people[manager].call('PATCH', `/api/workflows/${first.key}/people`, {
        reviewers: [rita.user.id],
      });
      expect(named.status).toBe(200);
      const drafts = `/api/workflows/${first.key}/drafts`;
      const { draftId } = await guest.post<{ draftId: string }>(drafts, contentTitled('Hiring faster'));
      const act = (action: string) => rita.call('POST', `${drafts}/${draftId}/${action}`);
      expect((await act('approve')).status).toBe(200);
      const read = () => rita.get<WholeDraft>(`${drafts}/${draftId}`);
      const marks = async () => (await read()).reviews.flatMap((review) => review.marks);
      const merge = async () => (await act('merge')).status;
      return { ...people, marks, merge };
    };

    it('has a mark if this manager named the reviewer', async () => {
      const { marks, merge } = await approvedBy('mara');
      expect(await marks()).toEqual(['named_by_author']);
      expect(await merge()).toBe(200);
    });

    it('has no mark if another manager named the reviewer', async () => {
      const { mara, marks, merge } = await approvedBy('jon');
      expect(await marks()).toEqual([]);
      await policy(mara, { strict: true });
      expect(await merge()).toBe(200);
    });

    it('doesn’t count under strict review if this manager named the reviewer, until the account proves its address', async () => {
      const { mara, guest, marks, merge } = await approvedBy('mara');
      await policy(mara, { strict: true });
      expect(await merge()).toBe(409);
      await prove(guest);
      expect(await marks()).toEqual([]);
      expect(await merge()).toBe(200);
    });
  });

  it('give the reviewer whom the account named a mark, even after the account has had a smaller role for 7 days', async () => {
    const { mara, jon, guest } = await team('admin');
    const rita = await add(jon, 'reviewer', { mailed: true });
    const first = await draft(mara);
    for (const action of ['approve', 'merge']) expect((await first.act(rita, action)).status).toBe(200);
    await guest.patch(`/api/workflows/${first.key}/people`, { reviewers: [rita.user.id] });
    await setRole(mara, guest, 'viewer');
    await pass(mara.user.currentOrgId, 8);
    const drafts = `/api/workflows/${first.key}/drafts`;
    const { draftId } = await mara.post<{ draftId: string }>(drafts, contentTitled('Hiring faster'));
    const act = (action: string) => rita.call('POST', `${drafts}/${draftId}/${action}`);
    expect((await act('approve')).status).toBe(200);
    const { reviews } = await rita.get<WholeDraft>(`${drafts}/${draftId}`);
    expect(reviews.flatMap(({ marks }) => marks)).toEqual(['named_by_author']);
    await policy(mara, { strict: true });
    expect((await act('merge')).status).toBe(409);
  });

  it("can't set aside a request for changes to a draft that the manager wrote", async () => {
    const { mara, jon, guest } = await team('admin');
    const rita = await add(jon, 'reviewer', { mailed: true });
    const made = await draft(mara);
    await made.act(rita, 'request-changes', { comment: 'This needs changes' });
    await setRole(mara, rita, 'viewer');
    expect((await made.act(mara, `objections/${rita.user.id}/set-aside`, { reason: 'Gone' })).status).toBe(403);
    expect((await made.act(guest, `objections/${rita.user.id}/set-aside`, { reason: 'Gone' })).status).toBe(403);
  });

  describe('setting aside a request for changes to the account’s draft', () => {
    const abandoned = async () => {
      const { mara, jon, guest } = await team('editor');
      const rita = await add(jon, 'reviewer', { mailed: true });
      const made = await draft(guest);
      await made.act(rita, 'request-changes', { comment: 'This needs changes' });
      await setRole(mara, rita, 'viewer');
      const setAside = (by: Person) => made.act(by, `objections/${rita.user.id}/set-aside`, { reason: 'Moved on' });
      return { mara, jon, guest, made, setAside };
    };

    it('needs another manager', async () => {
      const { mara, jon, made, setAside } = await abandoned();
      expect(await setAside(mara)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await made.read(mara)).abilities.setAside).toBe(false);
      expect((await setAside(jon)).status).toBe(200);
    });

    it.each(['has left', 'has a disabled account'])(
      'needs the other manager, even if the first one invited them and the manager who confirmed them %s',
      async (how) => {
        const mara = await found(true);
        const orgId = mara.user.currentOrgId;
        const lea = await add(mara, 'admin', { mailed: true });
        await pass(orgId, 8);
        const jon = await add(mara, 'admin');
        await confirm(lea, jon);
        if (how === 'has left') expect((await remove(mara, lea)).status).toBe(200);
        else await server.sql('update users set disabled_at = now() where id = $1', [lea.user.id]);
        await pass(orgId, 8);
        const guest = await add(jon, 'editor');
        await confirm(mara, guest);
        const rita = await add(jon, 'reviewer', { mailed: true });
        const made = await draft(guest);
        await made.act(rita, 'request-changes', { comment: 'This needs changes' });
        await setRole(mara, rita, 'viewer');
        const setAside = (by: Person) => made.act(by, `objections/${rita.user.id}/set-aside`, { reason: 'Moved on' });
        expect(await setAside(mara)).toMatchObject(refused(403, 'contributor_cannot_approve'));
        expect((await setAside(jon)).status).toBe(200);
      },
    );

    it('needs the other manager, even if the first one vouches for the account only through another account', async () => {
      const { mara, jon, guest } = await team('admin');
      await pass(mara.user.currentOrgId, 8);
      const second = await add(jon, 'editor');
      await confirm(guest, second);
      const rita = await add(jon, 'reviewer', { mailed: true });
      const made = await draft(second);
      await made.act(rita, 'request-changes', { comment: 'This needs changes' });
      await setRole(mara, rita, 'viewer');
      const setAside = (by: Person) => made.act(by, `objections/${rita.user.id}/set-aside`, { reason: 'Moved on' });
      for (const each of [mara, guest])
        expect(await setAside(each)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await setAside(jon)).status).toBe(200);
    });

    it('needs nobody else once the account proves its address', async () => {
      const { mara, guest, setAside } = await abandoned();
      await prove(guest);
      expect((await setAside(mara)).status).toBe(200);
    });

    it('needs nobody else if there was no other manager for 7 days, which the trail records', async () => {
      const { mara, jon, setAside } = await abandoned();
      await remove(mara, jon);
      expect((await setAside(mara)).status).toBe(403);
      await pass(mara.user.currentOrgId, 8);
      expect((await setAside(mara)).status).toBe(200);
      const [event] = await mara.get<AuditEventView[]>('/api/audit/events?action=draft.objection_set_aside');
      expect(event?.data).toMatchObject({ note: 'alone: no other proved owner or admin' });
    });
  });
});
