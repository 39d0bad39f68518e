import type { Confirmation, User } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
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
  it('invites the second one as a reviewer: its approval counts with marks while nobody else manages the team', async () => {
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

  it('gets nowhere with it while another manager could confirm it', async () => {
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

  it('writes with the second one: whoever invited it is an author too', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const second = await add(mara, 'editor');
    const made = await draft(second);
    expect((await made.read(second)).contributors).toMatchObject([
      { id: second.user.id, through: null },
      { id: mara.user.id, through: { id: second.user.id } },
    ]);
    expect(await made.act(mara, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await made.act(jon, 'approve')).status).toBe(200);
    // Mara stands behind what the second one wrote, and she added Jon.
    expect(await marksOf(made, second)).toEqual([['counts', ['added_by_author', 'author_not_proved']]]);
  });

  it('has the second one invited by somebody else and reads the link that managers see', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    const second = await add(jon, 'reviewer');
    const made = await draft(mara);
    expect(await made.act(second, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    // Mara vouches for it herself: that is worth nothing on her own drafts.
    const [ask] = (await waiting(mara)).filter(({ subjectId }) => subjectId === second.user.id);
    expect(await confirm(mara, ask?.id ?? '')).toMatchObject({ status: 200, body: { status: 'confirmed' } });
    expect(await me(second)).toMatchObject({ provedBy: 'manager', withheldPermissions: [] });
    expect(await made.act(second, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    // And on what the second one writes, hers carries a mark.
    await setRole(jon, second, 'editor');
    const own = await draft(second);
    await own.act(mara, 'approve');
    expect(await marksOf(own, second)).toEqual([['counts', ['author_added_by_reviewer']]]);
  });

  it('has one vote with all of its accounts', async () => {
    const mara = await found(true);
    const [local, domain] = mara.user.email.split('@');
    await mara.patch(`/api/organizations/${mara.user.currentOrgId}`, { requiredApprovals: 2 });
    const twin = await add(mara, 'admin', { mailed: true, email: `${local}+two@${domain}` });
    const made = await draft(mara);
    await made.act(mara, 'approve');
    await made.act(twin, 'approve');
    expect((await made.read()).blockers).toMatchObject([{ code: 'needs_approvals' }]);
    expect(await made.act(mara, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    // An account that isn't proved and whoever invited it are one person too.
    const team = await found(true);
    await team.patch(`/api/organizations/${team.user.currentOrgId}`, { requiredApprovals: 2 });
    const ed = await add(team, 'editor', { mailed: true });
    const second = await add(team, 'reviewer');
    const other = await draft(ed);
    for (const who of [team, second]) await other.act(who, 'approve');
    expect(await other.act(team, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
  });

  it('removes nobody while another proved manager is here', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const second = await add(mara, 'admin');
    expect(await remove(second, jon)).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect(await remove(second, second)).toMatchObject({ status: 200 });
  });

  it('gives the second account an address of the same mailbox', async () => {
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

  it('founds the team with the account that has no mailbox', async () => {
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

  it('sends no more than ten invitations before the address is proved', async () => {
    const founder = await found(false);
    const path = `/api/organizations/${founder.user.currentOrgId}/invitations`;
    const invite = (n: number) =>
      founder.call('POST', path, { email: `many-${n}-${founder.user.id}@example.com`, role: 'viewer' });
    for (let n = 0; n < 10; n += 1) expect((await invite(n)).status).toBe(201);
    expect(await invite(10)).toMatchObject(refused(409, 'too_many_invitations'));
    await prove(founder);
    expect((await invite(11)).status).toBe(201);
  });
});

describe('a proof', () => {
  it('comes with the mailed link, and not with the one that the inviter sees', async () => {
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

  it('comes with a code that was mailed, tried ten times at most', async () => {
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

  it('of a manager holds in that organization alone', async () => {
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

describe('a reviewer whom an author added', () => {
  it('counts with a mark that another manager’s confirmation lifts for ever', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rob = await add(mara, 'reviewer', { mailed: true });
    const made = await draft(mara);
    await made.act(rob, 'approve');
    expect(await marksOf(made, mara)).toEqual([['counts', ['added_by_author']]]);
    const [ask] = (await waiting(jon)).filter(({ subjectId }) => subjectId === rob.user.id);
    // Mara made Jon a manager just now, so his word is worth nothing against her yet.
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

  it('does not count if the power came after the first save and another manager could confirm them', async () => {
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
  it('approves alone only once nobody else could have for seven days, and is told from when', async () => {
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
  it('stands after its author lost the role, and an uninvolved manager sets it aside', async () => {
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

  it('goes with the content into the next draft, and discarding takes a reason', async () => {
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
    const told = await rob.get<{ kind: string; body: string }[]>('/api/notifications');
    expect(told).toContainEqual(expect.objectContaining({ body: expect.stringContaining('Starting again') as string }));
    const again = await draft(ed, 'Shared content');
    expect((await again.read()).objections).toMatchObject([{ carried: true, comment: 'Who pays?' }]);
    await again.act(mara, 'approve');
    expect(await again.act(mara, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    await again.act(rob, 'approve');
    expect((await again.act(mara, 'merge')).status).toBe(200);
  });
});

describe('strict review', () => {
  const setStrict = (who: Person, strict: boolean) =>
    who.call<{ strict: boolean; code?: string }>('PATCH', `/api/organizations/${who.user.currentOrgId}`, { strict });

  it('is switched on where it can be fulfilled, refuses every mark, and is switched off by two', async () => {
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
    expect(await setStrict(mara, false)).toMatchObject({ status: 200, body: { strict: true } });
    const [off] = (await waiting(jon)).filter(({ kind }) => kind === 'policy');
    expect(off).toMatchObject({ sentence: 'Switch strict review off.', abilities: { confirm: true } });
    await confirm(jon, off?.id ?? '');
    expect(await setStrict(mara, false)).toMatchObject({ body: { strict: false } });
  });
});

describe('a change of role', () => {
  it('is told to the person, owners and admins', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rob = await add(mara, 'viewer', { mailed: true });
    await setRole(mara, rob, 'reviewer');
    for (const who of [jon, rob]) {
      const told = await who.get<{ body: string }[]>('/api/notifications');
      expect(told.map(({ body }) => body).join('\n')).toMatch(/changed the role of .+ from viewer to reviewer/);
    }
  });
});
