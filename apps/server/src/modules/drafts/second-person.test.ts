import type { Confirmation, User, WholeDraft } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { organizationToken } from '../../testing/api-tokens.ts';
import { refused } from '../../testing/drafts.ts';
import { contentTitled } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, prove, setRole, remove, draft, pass } = secondPersonBench(server);
afterAll(() => server.stop());

const me = (who: Person): Promise<User> => who.get<User>('/api/auth/me');
const waiting = (who: Person): Promise<Confirmation[]> => who.get<Confirmation[]>('/api/confirmations');
const confirm = (who: Person, id: string) => who.call<Confirmation>('POST', `/api/confirmations/${id}/confirm`);
const marksOf = async (made: Awaited<ReturnType<typeof draft>>, author: Person) =>
  (await made.read(author)).reviews.map(({ standing, marks }) => [standing, marks]);

describe('one person with two accounts and one mailbox', () => {
  it('can add the second account as a reviewer, whose approvals are marked, if there is no other manager', async () => {
    const mara = await found(true);
    const second = await add(mara, 'reviewer');
    expect(await me(second)).toMatchObject({ provedBy: null, withheldPermissions: [] });
    const made = await draft(mara);
    expect(await made.act(second, 'approve')).toMatchObject({ status: 200 });
    expect(await marksOf(made, mara)).toEqual([['counts', ['added_by_author', 'address_not_proved']]]);
    const merged = await made.act(second, 'merge');
    expect(merged.body.version?.approvals).toMatchObject([{ marks: ['added_by_author', 'address_not_proved'] }]);
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where action = 'draft.merged' and subject_id = $1`,
      [made.draftId],
    );
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject({
      data: { note: 'reviewer added by the author, address not proved' },
    });
  });

  it('gains nothing from the second account while another manager could confirm it', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const second = await add(mara, 'reviewer');
    expect(await me(second)).toMatchObject({
      provedBy: null,
      orgPermissions: expect.not.arrayContaining(['draft.review', 'draft.merge']) as string[],
      withheldPermissions: ['draft.review', 'draft.merge'],
    });
    const made = await draft(mara);
    await made.act(mara, 'submit');
    expect(await made.act(second, 'approve')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] },
    });
    expect(await made.act(second, 'merge')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect((await made.read()).notCounted).toMatchObject([{ id: second.user.id, because: 'address_not_proved' }]);
    expect((await made.act(jon, 'approve')).status).toBe(200);
  });

  it('counts as an author through both accounts if the second one writes', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const second = await add(mara, 'editor');
    const made = await draft(second);
    expect((await made.read(second)).contributors).toMatchObject([
      { id: second.user.id, through: null },
      { id: mara.user.id, through: { id: second.user.id } },
    ]);
    const own = await made.act(mara, 'approve');
    expect(own).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'behind_the_author' }] },
    });
    expect(own.body.error).toContain('An account that you invited edited this draft before its address was proved');
    expect((await made.act(jon, 'approve')).status).toBe(200);
    // Mara also counts as the author of the second account's changes, and she added Jon.
    expect(await marksOf(made, second)).toEqual([['counts', ['added_by_author', 'author_not_proved']]]);
  });

  it('gains nothing if another manager lets them use the second account’s invitation link', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    const second = await add(jon, 'reviewer');
    const made = await draft(mara);
    expect(await made.act(second, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    // Mara confirms the account herself, so its approval doesn't count for her own drafts.
    const [ask] = (await waiting(mara)).filter(({ subjectId }) => subjectId === second.user.id);
    expect(await confirm(mara, ask?.id ?? '')).toMatchObject({ status: 200, body: { status: 'confirmed' } });
    expect(await me(second)).toMatchObject({ provedBy: 'manager', withheldPermissions: [] });
    expect(await made.act(second, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    // Her approval of a draft by the second account counts only with a mark.
    await setRole(jon, second, 'editor');
    const own = await draft(second);
    await own.act(mara, 'approve');
    expect(await marksOf(own, second)).toEqual([['counts', ['author_added_by_reviewer']]]);
  });

  it('has one vote with all accounts together', async () => {
    const mara = await found(true);
    const [local, domain] = mara.user.email.split('@');
    await mara.patch(`/api/organizations/${mara.user.currentOrgId}`, { requiredApprovals: 2 });
    const twin = await add(mara, 'admin', { mailed: true, email: `${local}+two@${domain}` });
    const made = await draft(mara);
    await made.act(mara, 'approve');
    await made.act(twin, 'approve');
    expect((await made.read()).blockers).toMatchObject([{ code: 'needs_approvals' }]);
    expect(await made.act(mara, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    // An account that isn't proved counts as the same person as its inviter.
    const team = await found(true);
    await team.patch(`/api/organizations/${team.user.currentOrgId}`, { requiredApprovals: 2 });
    const ed = await add(team, 'editor', { mailed: true });
    const second = await add(team, 'reviewer');
    const other = await draft(ed);
    for (const who of [team, second]) await other.act(who, 'approve');
    expect(await other.act(team, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
  });

  it("can't remove anyone else with an unproved account while there is another proved manager", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const second = await add(mara, 'admin');
    expect(await remove(second, jon)).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect(await remove(second, second)).toMatchObject({ status: 200 });
  });

  it('can’t approve with a different address for the same mailbox', async () => {
    const mara = await found(true);
    await add(mara, 'admin', { mailed: true });
    const [local, domain] = mara.user.email.split('@');
    const second = await add(mara, 'reviewer', { mailed: true, email: `${local}+two@${domain}` });
    const made = await draft(mara);
    expect(await made.act(second, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    const own = await draft(mara);
    expect((await own.read()).notCounted).toContainEqual(
      expect.objectContaining({ id: second.user.id, because: 'behind_the_author' }),
    );
  });

  it('gets a mark on each account’s approval of the other’s draft if the founding account’s address isn’t proved', async () => {
    const founder = await found(false);
    const second = await add(founder, 'reviewer', { mailed: true });
    expect(await me(founder)).toMatchObject({ provedBy: 'founder', withheldPermissions: [] });
    const made = await draft(founder);
    await made.act(second, 'approve');
    expect(await marksOf(made, founder)).toEqual([['counts', ['added_by_author', 'author_not_proved']]]);
    await setRole(founder, second, 'editor');
    const other = await draft(second);
    await other.act(founder, 'approve');
    expect(await marksOf(other, second)).toEqual([['counts', ['address_not_proved', 'author_added_by_reviewer']]]);
  });

  it('can send at most ten invitations before the address is proved', async () => {
    const founder = await found(false);
    const path = `/api/organizations/${founder.user.currentOrgId}/invitations`;
    const invite = (n: number) =>
      founder.call('POST', path, { email: `many-${n}-${founder.user.id}@example.com`, role: 'viewer' });
    for (let n = 0; n < 10; n += 1) expect((await invite(n)).status).toBe(201);
    expect(await invite(10)).toMatchObject(refused(409, 'too_many_invitations'));
    const [pending] = await founder.get<{ id: string }[]>(path);
    expect(await founder.call('POST', `${path}/${pending?.id}/resend`)).toMatchObject(
      refused(409, 'too_many_invitations'),
    );
    await prove(founder);
    expect((await invite(11)).status).toBe(201);
  });

  it('counts each time that an invitation is sent, and an admin who isn’t proved either can’t send it', async () => {
    const founder = await found(false);
    const twin = await add(founder, 'admin');
    const path = `/api/organizations/${founder.user.currentOrgId}/invitations`;
    const email = `again-${founder.user.id}@example.com`;
    const { id } = await founder.post<{ id: string }>(path, { email, role: 'viewer' });
    const resend = (by: Person) => by.call('POST', `${path}/${id}/resend`);
    // The founder has also sent the admin's invitation.
    for (let sent = 2; sent < 10; sent += 1) expect((await resend(founder)).status).toBe(200);
    expect(await resend(founder)).toMatchObject(refused(409, 'too_many_invitations'));
    expect(await resend(twin)).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    await prove(founder);
    expect((await resend(founder)).status).toBe(200);
  });
});

describe('one person with two mailboxes', () => {
  const plus = (who: Person, tag: string): string => who.user.email.replace('@', `+${tag}@`);
  const patch = (who: Person, body: object) => who.call('PATCH', `/api/organizations/${who.user.currentOrgId}`, body);

  it('gets at most a marked approval from a reviewer whom an account of the other mailbox invited', async () => {
    const ana = await found(true);
    const bea = await add(ana, 'admin', { mailed: true });
    const twin = await add(bea, 'reviewer', { mailed: true, email: plus(bea, 'x') });
    const made = await draft(ana);
    await made.act(twin, 'approve');
    expect(await marksOf(made, ana)).toEqual([['counts', ['added_by_author']]]);
    expect(await patch(ana, { strict: true })).toMatchObject(refused(409, 'strict_needs_people'));
    await server.sql('update organizations set strict = true where id = $1', [ana.user.currentOrgId]);
    expect(await made.act(twin, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
  });

  it('gets a marked approval even if the account that connects the two left long ago', async () => {
    const ana = await found(true);
    const bea = await add(ana, 'admin', { mailed: true });
    const twin = await add(bea, 'reviewer', { mailed: true, email: plus(bea, 'x') });
    await remove(ana, bea);
    await pass(ana.user.currentOrgId, 30);
    const made = await draft(ana);
    await made.act(twin, 'approve');
    expect(await marksOf(made, ana)).toEqual([['counts', ['added_by_author']]]);
  });

  it('gets a marked approval if further accounts of both mailboxes write and approve', async () => {
    const ana = await found(true);
    const bea = await add(ana, 'admin', { mailed: true });
    const writer = await add(bea, 'editor', { mailed: true, email: plus(ana, 'x') });
    const twin = await add(bea, 'reviewer', { mailed: true, email: plus(bea, 'y') });
    const made = await draft(writer);
    await made.act(twin, 'approve');
    expect(await marksOf(made, writer)).toEqual([['counts', ['added_by_author', 'author_added_by_reviewer']]]);
  });

  it("can't confirm anything for 7 days, even with further manager accounts that the new manager adds", async () => {
    const hana = await found(true);
    const ana = await add(hana, 'admin', { mailed: true });
    await pass(hana.user.currentOrgId, 8);
    await patch(hana, { requiredApprovals: 2 });
    const bea = await add(ana, 'admin', { mailed: true });
    const twin = await add(bea, 'admin', { mailed: true, email: plus(bea, 'x') });
    const third = await add(twin, 'admin', { mailed: true });
    await patch(ana, { requiredApprovals: 0 });
    const [lower] = (await waiting(hana)).filter(({ kind }) => kind === 'policy');
    for (const who of [bea, twin, third])
      expect(await confirm(who, lower?.id ?? '')).toMatchObject({
        status: 409,
        body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'made_manager_lately' }] },
      });
    expect((await confirm(hana, lower?.id ?? '')).status).toBe(200);
  });

  it("can't confirm a proposal made by a manager they have just appointed until 7 days have passed", async () => {
    const hana = await found(true);
    const ana = await add(hana, 'admin', { mailed: true });
    const bea = await add(ana, 'reviewer', { mailed: true });
    await pass(hana.user.currentOrgId, 8);
    await setRole(ana, bea, 'admin');
    await patch(bea, { requiredApprovals: 0 });
    const [lower] = (await waiting(ana)).filter(({ kind }) => kind === 'policy');
    expect(await confirm(ana, lower?.id ?? '')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'made_proposer_lately' }] },
    });
    await pass(hana.user.currentOrgId, 8);
    expect((await confirm(ana, lower?.id ?? '')).status).toBe(200);
  });

  it("can't have a proposal by an unproved manager confirmed by the only manager who vouches for them", async () => {
    const fay = await found(true);
    const hana = await add(fay, 'admin', { mailed: true });
    await setRole(fay, hana, 'owner');
    const ana = await add(fay, 'admin');
    await pass(fay.user.currentOrgId, 8);
    const [ask] = (await waiting(hana)).filter(({ subjectId }) => subjectId === ana.user.id);
    expect((await confirm(hana, ask?.id ?? '')).status).toBe(200);
    await remove(fay, fay);
    await pass(fay.user.currentOrgId, 8);
    expect(await patch(ana, { requiredApprovals: 0 })).toMatchObject({ status: 200, body: { requiredApprovals: 1 } });
    const [lower] = (await waiting(hana)).filter(({ kind }) => kind === 'policy');
    expect(await confirm(hana, lower?.id ?? '')).toMatchObject({ body: { details: [{ missing: 'vouched' }] } });
    await prove(ana);
    expect((await confirm(hana, lower?.id ?? '')).status).toBe(200);
  });
});

describe('a proof', () => {
  it('is given by the mailed link, but not by the link shown to the inviter', async () => {
    const mara = await found(true);
    expect(await me(await add(mara, 'editor', { mailed: true }))).toMatchObject({ provedBy: 'mailbox' });
    expect(await me(await add(mara, 'editor'))).toMatchObject({ provedBy: null });
    const guest = await server.signUp({ proved: false });
    const { link } = await mara.post<{ link: string }>(`/api/organizations/${mara.user.currentOrgId}/invitations`, {
      email: guest.user.email,
      role: 'editor',
    });
    await guest.post(`/api/invitations/${link.split('/').at(-1)}/join`);
    expect(await me(guest)).toMatchObject({ currentOrgId: mara.user.currentOrgId, provedBy: null });
  });

  it('is given by a mailed code, which allows up to ten attempts', async () => {
    const guest = await server.signUp({ proved: false });
    const attempt = (code: string) => guest.call('POST', '/api/auth/prove-address', { code });
    expect(await attempt('AAAAAAAA')).toMatchObject(refused(409, 'code_expired'));
    await guest.post('/api/auth/prove-address/code');
    for (let n = 0; n < 10; n += 1) expect(await attempt('AAAAAAAA')).toMatchObject(refused(409, 'wrong_code'));
    expect(await attempt('AAAAAAAA')).toMatchObject(refused(409, 'code_expired'));
    const other = await server.signUp({ proved: false });
    expect(await prove(other)).toMatchObject({ provedBy: 'mailbox' });
    expect(await other.call('POST', '/api/auth/prove-address/code')).toMatchObject(refused(409, 'already_proved'));
  });

  it("is valid only in one organization if it comes from a manager's confirmation", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const guest = await add(mara, 'reviewer');
    await pass(mara.user.currentOrgId, 8);
    const [ask] = await waiting(jon).then((all) => all.filter(({ subjectId }) => subjectId === guest.user.id));
    await confirm(jon, ask?.id ?? '');
    expect(await me(guest)).toMatchObject({ provedBy: 'manager' });
    const elsewhere = await found(true);
    await server.sql(`insert into memberships (org_id, user_id, role, invited_by) values ($1, $2, 'reviewer', $3)`, [
      elsewhere.user.currentOrgId,
      guest.user.id,
      elsewhere.user.id,
    ]);
    await guest.post('/api/users/switch-organization', { organizationId: elsewhere.user.currentOrgId });
    expect(await me(guest)).toMatchObject({ provedBy: null });
  });
});

describe('a reviewer added by an author', () => {
  it("gives an approval with a mark until another manager's confirmation permanently removes the mark", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rob = await add(mara, 'reviewer', { mailed: true });
    const made = await draft(mara);
    await made.act(rob, 'approve');
    expect(await marksOf(made, mara)).toEqual([['counts', ['added_by_author']]]);
    const [ask] = (await waiting(jon)).filter(({ subjectId }) => subjectId === rob.user.id);
    // Mara has only just made Jon a manager, so he can't confirm this yet.
    expect(ask).toMatchObject({ kind: 'member', abilities: { confirm: false }, from: expect.any(String) as string });
    expect(await confirm(jon, ask?.id ?? '')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect(await confirm(rob, ask?.id ?? '')).toMatchObject({ status: 403 });
    await pass(mara.user.currentOrgId, 8);
    expect((await confirm(jon, ask?.id ?? '')).status).toBe(200);
    expect(await marksOf(made, mara)).toEqual([['counts', []]]);
    await setRole(mara, rob, 'viewer');
    await setRole(mara, rob, 'reviewer');
    expect(await marksOf(made, mara)).toEqual([['counts', []]]);
  });

  it("can't approve if they got the permission after the first save and another manager could confirm them", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    const made = await draft(mara);
    const rob = await add(mara, 'reviewer', { mailed: true });
    expect(await made.act(rob, 'approve')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'added_after_first_save', from: null }] },
    });
    const [ask] = (await waiting(jon)).filter(({ subjectId }) => subjectId === rob.user.id);
    await confirm(jon, ask?.id ?? '');
    expect((await made.act(rob, 'approve')).status).toBe(200);
    expect(await marksOf(made, mara)).toEqual([['counts', []]]);
  });
});

describe('an author', () => {
  it('can approve alone only if nobody else could in the last seven days; the refusal names the date', async () => {
    const mara = await found(true);
    const rob = await add(mara, 'reviewer', { mailed: true });
    const made = await draft(mara);
    for (const change of ['demoted', 'removed'] as const) {
      await (change === 'demoted' ? setRole(mara, rob, 'viewer') : remove(mara, rob));
      expect(await made.act(mara, 'approve')).toMatchObject({
        status: 409,
        body: {
          code: 'reviewer_not_counted_yet',
          error: expect.stringContaining('It counts from') as string,
          details: [{ missing: 'self_approval' }],
        },
      });
    }
    await pass(mara.user.currentOrgId, 8);
    expect((await made.act(mara, 'approve')).status).toBe(200);
    expect(await marksOf(made, mara)).toEqual([['counts', ['self_approved']]]);
  });
});

describe('a request for changes', () => {
  it('remains open after its reviewer has left, and can be set aside by an uninvolved manager', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rob = await add(mara, 'reviewer', { mailed: true });
    const ed = await add(mara, 'editor', { mailed: true });
    const made = await draft(ed);
    await made.act(rob, 'request-changes', { comment: 'Who pays?' });
    const setAside = (who: Person) => made.act(who, `objections/${rob.user.id}/set-aside`, { reason: 'Rob has left' });
    expect(await setAside(jon)).toMatchObject(refused(409, 'reviewer_still_here'));
    await remove(mara, rob);
    await made.act(jon, 'approve');
    expect(await made.act(jon, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    expect(await setAside(ed)).toMatchObject(refused(403, 'forbidden'));
    expect((await made.read(jon)).objections).toMatchObject([{ abandoned: true, carried: false }]);
    expect((await setAside(jon)).status).toBe(200);
    expect((await made.act(jon, 'merge')).status).toBe(200);
  });

  it('also applies to the next draft with the same content, and discarding its draft requires a reason', async () => {
    const mara = await found(true);
    const rob = await add(mara, 'reviewer', { mailed: true });
    const ed = await add(mara, 'editor', { mailed: true });
    const made = await draft(ed, 'Shared content');
    await made.act(rob, 'request-changes', { comment: 'Who pays?' });
    const other = await add(mara, 'editor', { mailed: true });
    await other.patch(made.path, contentTitled('Mine too'));
    const discard = (who: Person, body?: object) => who.call('DELETE', made.path, body);
    expect(await discard(other, { reason: 'Mine' })).toMatchObject(refused(403, 'not_your_draft'));
    expect(await discard(ed)).toMatchObject(refused(400, 'reason_required'));
    await ed.patch(made.path, contentTitled('Shared content'));
    expect((await discard(ed, { reason: 'Starting again' })).status).toBe(200);
    const notifications = await rob.get<{ kind: string; body: string }[]>('/api/notifications');
    expect(notifications).toContainEqual(
      expect.objectContaining({ body: expect.stringContaining('Starting again') as string }),
    );
    const again = await draft(ed, 'Shared content');
    expect((await again.read()).objections).toMatchObject([{ carried: true, comment: 'Who pays?' }]);
    await again.act(mara, 'approve');
    expect(await again.act(mara, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    await again.act(rob, 'approve');
    expect((await again.act(mara, 'merge')).status).toBe(200);
  });
});

describe('a request for changes on a draft that other people change', () => {
  it("is not ended by the reviewer's earlier save, or by another person's save of the same content", async () => {
    const mara = await found(true);
    const rob = await add(mara, 'reviewer', { mailed: true });
    const max = await add(mara, 'admin', { mailed: true });
    const ed = await add(mara, 'editor', { mailed: true });
    const made = await draft(ed, 'Disputed content');
    await made.act(max, 'request-changes', { comment: 'Who pays?' });
    const { draftId } = await max.post<{ draftId: string }>(
      `/api/workflows/${made.key}/drafts`,
      contentTitled('Content of Max'),
    );
    const path = `/api/workflows/${made.key}/drafts/${draftId}`;
    await ed.patch(path, contentTitled('Disputed content'));
    await rob.post(`${path}/approve`);
    expect(await mara.call('POST', `${path}/merge`)).toMatchObject(refused(409, 'changes_requested'));
    expect((await made.read()).blockers).toContainEqual(
      expect.objectContaining({
        code: 'changes_requested',
        hint: `Remains open until ${max.user.name} approves the draft or saves a change to it.`,
      }),
    );
    // A save by the reviewer who requested changes ends the request if it changes the content.
    await max.patch(made.path, contentTitled('Changed by Max'));
    expect((await made.read()).blockers.map(({ code }) => code)).not.toContain('changes_requested');
  });

  it("can be set aside by an uninvolved manager if its reviewer's approval doesn't count", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    const made = await draft(mara, 'Another disputed content');
    const rob = await add(mara, 'reviewer', { mailed: true });
    await made.act(rob, 'request-changes', { comment: 'Who pays?' });
    expect(await made.act(rob, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    await made.act(jon, 'approve');
    const setAside = await made.act(jon, `objections/${rob.user.id}/set-aside`, { reason: 'We pay for it' });
    expect(setAside.status).toBe(200);
    expect((await made.act(jon, 'merge')).status).toBe(200);
  });
});

describe('a request for changes by an author', () => {
  it("can be set aside once its reviewer's role no longer lets them approve or save", async () => {
    const mara = await found(true);
    const made = await draft(mara, 'Own doubts');
    expect((await made.act(mara, 'request-changes', { comment: 'Not yet' })).status).toBe(200);
    const jon = await add(mara, 'admin', { mailed: true });
    const setAside = () => made.act(jon, `objections/${mara.user.id}/set-aside`, { reason: 'They no longer can' });
    expect(await setAside()).toMatchObject(refused(409, 'reviewer_still_here'));
    await setRole(mara, jon, 'owner');
    await setRole(jon, mara, 'reviewer');
    expect(await made.act(mara, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await setAside()).status).toBe(200);
  });
});

describe('a change that waits for a second person', () => {
  const lower = (who: Person) =>
    who.call('PATCH', `/api/organizations/${who.user.currentOrgId}`, { requiredApprovals: 0 });

  it("can't be refused by its proposer with a different address, or by the person whom it concerns", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const [local, domain] = mara.user.email.split('@');
    const twin = await add(mara, 'admin', { mailed: true, email: `${local}+two@${domain}` });
    await pass(mara.user.currentOrgId, 8);
    await lower(mara);
    const [policy] = (await waiting(twin)).filter(({ kind }) => kind === 'policy');
    expect(policy?.abilities).toMatchObject({ confirm: false, refuse: false });
    const refuse = (who: Person, id = '') => who.call('POST', `/api/confirmations/${id}/refuse`, {});
    expect(await refuse(twin, policy?.id)).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect((await refuse(jon, policy?.id)).status).toBe(200);
    const [about] = (await waiting(jon)).filter(({ subjectId }) => subjectId === jon.user.id);
    expect(about).toMatchObject({ abilities: { confirm: false, refuse: false } });
    expect(about?.because).toContain('This is about you');
  });

  it('is closed when the person whom it concerns is removed', async () => {
    const mara = await found(true);
    const [jon, rob] = [await add(mara, 'admin', { mailed: true }), await add(mara, 'reviewer', { mailed: true })];
    const aboutRob = async () => (await waiting(jon)).filter(({ subjectId }) => subjectId === rob.user.id).length;
    expect(await aboutRob()).toBe(1);
    await remove(mara, rob);
    expect(await aboutRob()).toBe(0);
  });

  it("can't be confirmed after its proposer has left, and the refusal gives this reason", async () => {
    const mara = await found(true);
    const [jon, max] = [await add(mara, 'admin', { mailed: true }), await add(mara, 'admin', { mailed: true })];
    await pass(mara.user.currentOrgId, 8);
    await lower(jon);
    await remove(mara, jon);
    const [policy] = (await waiting(max)).filter(({ kind }) => kind === 'policy');
    expect(await confirm(max, policy?.id ?? '')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proposer_gone' }] },
    });
    expect((await lower(max)).status).toBe(200);
    const [again] = (await waiting(mara)).filter(({ kind }) => kind === 'policy');
    expect((await confirm(mara, again?.id ?? '')).status).toBe(200);
  });

  it('is proposed again if a reviewer gets their role from the only manager who has confirmed them', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    const rob = await add(mara, 'reviewer', { mailed: true });
    const about = async (who: Person) => (await waiting(who)).find(({ subjectId }) => subjectId === rob.user.id);
    await confirm(jon, (await about(jon))?.id ?? '');
    const made = await draft(jon);
    await setRole(jon, rob, 'admin');
    expect(await made.act(rob, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect((await confirm(mara, (await about(mara))?.id ?? '')).status).toBe(200);
    expect((await made.act(rob, 'approve')).status).toBe(200);
    expect(await marksOf(made, jon)).toEqual([['counts', []]]);
  });
});

describe('an organization’s token', () => {
  it('also counts its previous owners as authors when it writes', async () => {
    const hana = await found(true);
    const mara = await add(hana, 'admin', { mailed: true });
    const [local, domain] = mara.user.email.split('@');
    const twin = await add(hana, 'reviewer', { mailed: true, email: `${local}+two@${domain}` });
    await add(hana, 'reviewer', { mailed: true });
    const { secret } = await mara.post<{ secret: string }>(`/api/organizations/${hana.user.currentOrgId}/tokens`, {
      name: 'Robot',
      role: 'editor',
      scopes: ['workflow.read', 'draft.edit'],
      expiresInDays: null,
    });
    const removed = await hana.call('DELETE', `/api/organizations/${hana.user.currentOrgId}/users/${mara.user.id}`, {
      takeOverTokens: true,
    });
    expect(removed.status).toBe(200);
    const key = 'by-a-robot';
    const robot = server.as(secret);
    const { draftId } = await robot.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, contentTitled('Robot'));
    const path = `/api/workflows/${key}/drafts/${draftId}`;
    expect((await hana.get<WholeDraft>(path)).contributors).toMatchObject([
      { id: mara.user.id, through: null },
      { id: hana.user.id, through: { id: mara.user.id } },
    ]);
    expect(await twin.call('POST', `${path}/approve`)).toMatchObject(refused(403, 'contributor_cannot_approve'));
  });

  it('counts as its creator, who can’t approve its work even after someone else took it over', async () => {
    const hana = await found(true);
    const mara = await add(hana, 'admin', { mailed: true });
    const organization = `/api/organizations/${hana.user.currentOrgId}`;
    const robot = { ...mara, ...(await organizationToken(server, mara, 'editor')) };
    await hana.call('DELETE', `${organization}/users/${mara.user.id}`, { takeOverTokens: true });
    const { link } = await hana.post<{ link: string }>(`${organization}/invitations`, {
      email: mara.user.email,
      role: 'reviewer',
    });
    const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', {
      email: mara.user.email,
      password: 'a long enough one',
    });
    const back = { ...mara, ...server.as(token) };
    await back.post(`/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/join`, {});
    const made = await draft(robot);
    expect(await made.act(back, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await made.act(hana, 'approve')).status).toBe(200);
    expect(await marksOf(made, hana)).toEqual([['counts', ['self_approved']]]);
  });

  it('can’t be created by an unproved account, because the account’s user could keep the secret', async () => {
    const frida = await found(true);
    const unproved = await add(frida, 'admin');
    await setRole(frida, unproved, 'owner');
    await setRole(frida, frida, 'reviewer');
    await pass(frida.user.currentOrgId, 8);
    expect(await me(unproved)).toMatchObject({ provedBy: null, withheldPermissions: [] });
    const create = () =>
      unproved.call('POST', `/api/organizations/${frida.user.currentOrgId}/tokens`, {
        name: 'Robot',
        role: 'editor',
        scopes: ['workflow.read', 'draft.edit'],
        expiresInDays: null,
      });
    expect(await create()).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] },
    });
    await prove(unproved);
    expect((await create()).status).toBe(201);
  });

  it('is revoked rather than taken over if its creator isn’t proved', async () => {
    const hana = await found(true);
    const mara = await add(hana, 'admin', { mailed: true });
    const robot = { ...mara, ...(await organizationToken(server, mara, 'editor')) };
    await server.sql('update users set proved_by = null, proved_at = null where id = $1', [mara.user.id]);
    const removed = await hana.call('DELETE', `/api/organizations/${hana.user.currentOrgId}/users/${mara.user.id}`, {
      takeOverTokens: true,
    });
    expect(removed.status).toBe(200);
    expect(await robot.call('GET', '/api/workflows')).toMatchObject(refused(401, 'token_ended'));
  });

  it('lets its new owner discard the drafts that it creates', async () => {
    const hana = await found(true);
    const mara = await add(hana, 'admin', { mailed: true });
    const robot = { ...mara, ...(await organizationToken(server, mara, 'editor')) };
    const organization = `/api/organizations/${hana.user.currentOrgId}`;
    await hana.call('DELETE', `${organization}/users/${mara.user.id}`, { takeOverTokens: true });
    const [one, other] = [await draft(robot), await draft(robot)];
    expect((await one.read(hana)).abilities).toMatchObject({ discard: true });
    expect((await hana.call('DELETE', one.path)).status).toBe(200);
    expect((await robot.call('DELETE', other.path)).status).toBe(200);
  });
});

describe('a merge by an organization’s token', () => {
  it('needs an approval by a person, so it is refused in an emergency or if none is required', async () => {
    const mara = await found(true);
    const rita = await add(mara, 'reviewer', { mailed: true });
    const robot = { ...mara, ...(await organizationToken(server, mara, 'admin')) };
    const made = await draft(mara);
    await made.act(mara, 'submit');
    expect(await made.act(robot, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    const emergency = { emergency: { reason: 'The shop is down' } };
    expect(await made.act(robot, 'merge', emergency)).toMatchObject(refused(403, 'not_for_tokens'));
    expect(await made.act(robot, 'approve')).toMatchObject({ status: 403 });
    await made.act(rita, 'approve');
    expect((await made.act(robot, 'merge')).status).toBe(200);

    await mara.patch(`/api/organizations/${mara.user.currentOrgId}`, { requiredApprovals: 0 });
    const next = await draft(mara);
    expect(await next.act(robot, 'merge')).toMatchObject({ body: { code: 'token_merges_reviewed' } });
    expect((await next.act(mara, 'merge')).status).toBe(200);
  });
});

describe('strict review', () => {
  const setStrict = (who: Person, strict: boolean) =>
    who.call<{ strict: boolean; code?: string }>('PATCH', `/api/organizations/${who.user.currentOrgId}`, { strict });

  it('needs a team that can satisfy it, refuses marked approvals, and takes two people to turn off', async () => {
    const mara = await found(true);
    const rob = await add(mara, 'reviewer', { mailed: true });
    expect(await setStrict(mara, true)).toMatchObject(refused(409, 'strict_needs_people'));
    const jon = await add(mara, 'admin', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    expect(await setStrict(mara, true)).toMatchObject({ status: 200, body: { strict: true } });
    const lower = { requiredApprovals: 0 };
    expect(await mara.call('PATCH', `/api/organizations/${mara.user.currentOrgId}`, lower)).toMatchObject(
      refused(409, 'strict_needs_people'),
    );
    const made = await draft(mara);
    expect(await made.act(rob, 'approve')).toMatchObject({
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'strict' }] },
    });
    const [ask] = (await waiting(jon)).filter(({ subjectId }) => subjectId === rob.user.id);
    await confirm(jon, ask?.id ?? '');
    expect((await made.act(rob, 'approve')).status).toBe(200);
    expect((await made.read()).abilities.emergency).toBe(false);
    expect(await setStrict(mara, false)).toMatchObject({
      status: 200,
      body: { strict: true, pendingStrictOff: { proposedBy: { id: mara.user.id } } },
    });
    expect(await rob.get(`/api/organizations/${mara.user.currentOrgId}`)).toMatchObject({
      pendingStrictOff: { proposedBy: { id: mara.user.id } },
    });
    const [off] = (await waiting(jon)).filter(({ kind }) => kind === 'policy');
    expect(off).toMatchObject({ sentence: 'Turn off strict review.', abilities: { confirm: true } });
    await confirm(jon, off?.id ?? '');
    expect(await setStrict(mara, false)).toMatchObject({ body: { strict: false, pendingStrictOff: null } });
  });
});

describe('a role change', () => {
  it('notifies the person and the other managers', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rob = await add(mara, 'viewer', { mailed: true });
    await setRole(mara, rob, 'reviewer');
    for (const who of [jon, rob]) {
      const notifications = await who.get<{ body: string }[]>('/api/notifications');
      expect(notifications.map(({ body }) => body).join('\n')).toMatch(
        /changed the role of .+ from viewer to reviewer/,
      );
    }
  });
});
