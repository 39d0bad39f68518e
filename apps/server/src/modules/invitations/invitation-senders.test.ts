import type { AuditEventView, Notification, PendingInvitation, SentInvitation } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, join, setRole, remove, draft } = secondPersonBench(server);
afterAll(() => server.stop());

let guests = 0;
const pathOf = ({ user }: Person): string => `/api/organizations/${user.currentOrgId}/invitations`;
const invite = (by: Person, role = 'admin', email = `invited-${process.pid}-${(guests += 1)}@example.com`) =>
  by.post<SentInvitation>(pathOf(by), { email, role });
const pending = async (who: Person): Promise<string[]> =>
  (await who.get<PendingInvitation[]>(pathOf(who))).map(({ email }) => email);
const open = ({ link }: SentInvitation) => server.anyone.call('GET', `/api/invitations/${link.split('/').at(-1)}`);
const accept = ({ link }: SentInvitation) =>
  server.anyone.call('POST', `/api/invitations/${link.split('/').at(-1)}/accept`, {
    name: 'Guest',
    password: 'a long enough one',
  });
const revocations = async (owner: Person): Promise<AuditEventView[]> =>
  owner.get<AuditEventView[]>('/api/audit/events?action=invitation.revoked');
const notified = async (who: Person): Promise<string[]> =>
  (await who.get<Notification[]>('/api/notifications'))
    .filter(({ kind }) => kind === 'invitations_revoked')
    .map(({ body }) => body);

it('an invitation shows its link only to its sender, and sending it again creates a new link', async () => {
  const owner = await found(true);
  const jon = await add(owner, 'admin', { mailed: true });
  const links = async (who: Person) => (await who.get<PendingInvitation[]>(pathOf(who))).map(({ link }) => link);
  const sent = await invite(jon, 'viewer');
  expect(await links(jon)).toEqual([sent.link]);
  expect(await links(owner)).toEqual([null]);
  const again = await owner.post<SentInvitation>(`${pathOf(owner)}/${sent.id}/resend`);
  expect(await links(owner)).toEqual([again.link]);
  expect(await links(jon)).toEqual([null]);
  expect((await open(sent)).status).toBe(404);
  expect(await open(again)).toMatchObject({ status: 200, body: { invitedBy: again.invitedBy.name } });
});

it('an approval is marked if the author invited the reviewer, even if another manager sent the invitation again', async () => {
  const owner = await found(true);
  const jon = await add(owner, 'admin', { mailed: true });
  const sent = await invite(jon, 'reviewer');
  const first = linkIn(await mailTo(server.dataDir, sent.email), '/invite/');
  await owner.post(`${pathOf(owner)}/${sent.id}/resend`);
  const again = await mailTo(server.dataDir, sent.email, (mail) => linkIn(mail, '/invite/') !== first);
  const reviewer = await join({ link: linkIn(again, '/invite/') }, sent.email);
  const made = await draft(jon);
  await made.act(jon, 'submit');
  expect((await made.act(reviewer, 'approve')).status).toBe(200);
  expect((await made.read()).reviews.map(({ marks }) => marks)).toEqual([['added_by_author']]);
  // The owner was the last to send the invitation, so the owner also counts as having added the reviewer.
  const theirs = await draft(owner);
  await theirs.act(owner, 'submit');
  await theirs.act(reviewer, 'approve');
  expect((await theirs.read()).reviews.map(({ marks }) => marks)).toEqual([['added_by_author']]);
});

describe('an invitation whose sender leaves or gets another role', () => {
  it.each([
    ['removed', (owner: Person, sender: Person) => remove(owner, sender), 'member_removed'],
    ['demoted', (owner: Person, sender: Person) => setRole(owner, sender, 'editor'), 'role_changed'],
    ['gone', (_owner: Person, sender: Person) => remove(sender, sender), 'member_left'],
  ])('is revoked once its sender is %s, and managers are notified', async (_, end, because) => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const mia = await add(owner, 'admin', { mailed: true });
    const [mine, other, honest] = [await invite(jon), await invite(jon, 'viewer'), await invite(owner)];
    expect(await end(owner, jon)).toMatchObject({ status: 200, body: { revokedInvitations: 2 } });
    for (const one of [mine, other]) {
      expect((await open(one)).status).toBe(404);
      expect((await accept(one)).status).toBe(404);
    }
    expect(await pending(owner)).toEqual([honest.email]);
    expect((await accept(honest)).status).toBe(201);
    const events = await revocations(owner);
    expect(events.map(({ subject }) => subject.id).toSorted()).toEqual([mine.id, other.id].toSorted());
    for (const { data } of events) expect(data).toMatchObject({ sentBy: jon.user.id, because });
    for (const manager of [owner, mia]) {
      const sentences = await notified(manager);
      expect(sentences).toHaveLength(1);
      for (const part of ['2 pending invitations', mine.email, other.email]) expect(sentences[0]).toContain(part);
    }
  });

  it('causes an email to the managers when it is revoked, with a link to the members page', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    await invite(jon);
    await remove(owner, jon);
    const mail = await mailTo(
      server.dataDir,
      owner.user.email,
      ({ headers }) => headers.get('subject') === 'Members: Invitations revoked',
    );
    expect(linkIn(mail, '/app/settings/members')).toContain('/app/settings/members');
    expect(mail.text).toContain('because you are an owner or admin');
  });

  it("doesn't let its sender return as an admin with their own link", async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const back = await server.signUp();
    const own = await invite(jon, 'admin', back.user.email);
    await remove(owner, jon);
    expect((await back.call('POST', `/api/invitations/${own.link.split('/').at(-1)}/join`)).status).toBe(404);
  });

  it('remains valid if its sender can still manage the organization in the new role', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const sent = await invite(jon);
    expect(await setRole(owner, jon, 'owner')).toMatchObject({ status: 200, body: { revokedInvitations: 0 } });
    expect(await pending(owner)).toEqual([sent.email]);
    expect(await notified(owner)).toEqual([]);
  });

  it('remains valid if another manager has sent it again and has therefore become its sender', async () => {
    const owner = await found(true);
    const jon = await add(owner, 'admin', { mailed: true });
    const sent = await invite(jon);
    const again = await owner.post<SentInvitation>(`${pathOf(owner)}/${sent.id}/resend`);
    expect(again.invitedBy.id).toBe(owner.user.id);
    await remove(owner, jon);
    expect(await owner.get<PendingInvitation[]>(pathOf(owner))).toMatchObject([
      { email: sent.email, invitedBy: { id: owner.user.id } },
    ]);
    expect((await accept(again)).status).toBe(201);
  });
});
