import type { Confirmation, VersionRecord, WholeDraft } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressCodeTo } from '../../testing/mailbox.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';
import { letDaysPass } from '../../testing/people/time.ts';

type Problem = { code: string; error: string; details?: Record<string, unknown>[] };

/** The tests set up teams as users would without help, by following the suggestions of the product. */
describe('a new team', () => {
  // No mail server is configured, so each mail is written to a file.
  let server: TestServer;
  let keys = 0;
  let key = '';
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  /** Signs up a founder, whose address isn't proved yet. */
  const signUpFounder = (name: string): Promise<Person> =>
    server.signUp({ name, team: `Team of ${name}`, proved: false });
  const orgOf = (owner: Person): string => owner.user.currentOrgId ?? '';

  /** Signs up a member who joins with the link that the inviter sees. Returns the member. */
  async function join(inviter: Person, name: string, role: OrgRole, owner = inviter): Promise<Person> {
    const member = await server.signUp({ name, proved: false });
    const path = `/api/organizations/${orgOf(owner)}/invitations`;
    const { link } = await inviter.post<{ link: string }>(path, { email: member.user.email, role });
    await member.post(`/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/join`);
    return member;
  }

  async function proveAddress(person: Person): Promise<void> {
    await person.post('/api/auth/prove-address/code');
    const code = await addressCodeTo(server.dataDir, person.user.email);
    const { provedBy } = await person.post<{ provedBy: string }>('/api/auth/prove-address', { code });
    expect(provedBy).toBe('mailbox');
  }

  const at = (draftId: string, action = ''): string => `/api/workflows/${key}/drafts/${draftId}${action}`;
  async function submitNewDraft(author: Person): Promise<string> {
    key = `flow-${(keys += 1)}`;
    const body = { metadata: { title: 'Paying invoices' }, steps: [{ id: 'pay', title: 'Pay' }] };
    const { draftId } = await author.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, body);
    await author.post(at(draftId, '/submit'));
    return draftId;
  }
  const read = (person: Person, draftId: string): Promise<WholeDraft> => person.get<WholeDraft>(at(draftId));
  const approve = (person: Person, draftId: string): Promise<Reply<Problem>> =>
    person.call('POST', at(draftId, '/approve'));
  const merge = (person: Person, draftId: string): Promise<Reply<{ version: VersionRecord }>> =>
    person.call('POST', at(draftId, '/merge'));
  const marksOf = ({ body }: Reply<{ version: VersionRecord }>): string[] =>
    (body.version.approvals ?? []).flatMap(({ marks }) => marks);
  const waiting = (person: Person): Promise<Confirmation[]> => person.get<Confirmation[]>('/api/confirmations');

  it('with three people and one manager merges drafts with a mark until everyone has proved their address', async () => {
    const olga = await signUpFounder('Olga');
    const [ed, rita] = [await join(olga, 'Ed', 'editor'), await join(olga, 'Rita', 'reviewer')];
    const first = await submitNewDraft(ed);
    // There is no other manager who could confirm Rita, so her approval counts with a mark.
    const before = await read(ed, first);
    expect(before.reviewers.map(({ name }) => name)).toContain('Rita');
    // Ed hasn't proved his address, so his changes also count as Olga's.
    expect(before.notCounted).toMatchObject([{ name: 'Olga', because: 'behind_the_author' }]);
    expect((await approve(rita, first)).status).toBe(200);
    const live = await merge(rita, first);
    expect(live.status).toBe(200);
    expect(marksOf(live)).toContain('address_not_proved');

    for (const who of [olga, ed, rita]) await proveAddress(who);
    const second = await submitNewDraft(ed);
    expect((await approve(rita, second)).status).toBe(200);
    expect(marksOf(await merge(rita, second))).toEqual([]);
  });

  it('with two managers asks one of them to confirm the reviewer, and then merges without a mark', async () => {
    const olga = await signUpFounder('Olga');
    const [ed, max, rita] = [
      await join(olga, 'Ed', 'editor'),
      await join(olga, 'Max', 'admin'),
      await join(olga, 'Rita', 'reviewer'),
    ];
    for (const who of [olga, ed, max]) await proveAddress(who);
    // Max can confirm changes only 7 days after Olga made him a manager.
    await letDaysPass(server, orgOf(olga), 8);
    const draftId = await submitNewDraft(ed);
    const refused = await approve(rita, draftId);
    expect(refused).toMatchObject({ status: 409, body: { code: 'reviewer_not_counted_yet' } });
    expect((await read(ed, draftId)).notCounted).toMatchObject([{ name: 'Rita', because: 'address_not_proved' }]);

    const [waits] = (await waiting(max)).filter(({ subjectId }) => subjectId === rita.user.id);
    expect(waits).toMatchObject({
      kind: 'member',
      abilities: { confirm: true },
      sentence: expect.stringContaining('Rita') as string,
    });
    // Olga proposed it, so the response says that another manager has to confirm it.
    const own = await olga.call<Problem>('POST', `/api/confirmations/${waits?.id}/confirm`);
    expect(own).toMatchObject({ status: 403, body: { code: 'proposer_cannot_confirm' } });
    await max.post(`/api/confirmations/${waits?.id}/confirm`);

    expect((await approve(rita, draftId)).status).toBe(200);
    const live = await merge(rita, draftId);
    expect(live.status).toBe(200);
    expect(marksOf(live)).toEqual([]);
  });

  it('without a mail server merges without a mark once everyone has entered a code from a file', async () => {
    const olga = await signUpFounder('Olga');
    const rita = await join(olga, 'Rita', 'reviewer');
    const ed = await join(olga, 'Ed', 'editor');
    expect((await rita.get<{ provedBy: string | null }>('/api/auth/me')).provedBy).toBeNull();
    for (const who of [rita, ed]) await proveAddress(who);
    // Olga added both of them. Until her own address is proved, either of them could be her second account.
    const first = await submitNewDraft(ed);
    await approve(rita, first);
    expect(marksOf(await merge(rita, first))).toEqual(['added_by_one_not_proved']);
    await proveAddress(olga);
    const draftId = await submitNewDraft(ed);
    expect((await approve(rita, draftId)).status).toBe(200);
    expect(marksOf(await merge(rita, draftId))).toEqual([]);
  });

  it('whose reviewer has just left shows when the author can approve alone, and allows it from then on', async () => {
    const olga = await signUpFounder('Olga');
    const rita = await join(olga, 'Rita', 'reviewer');
    await proveAddress(rita);
    await rita.call('DELETE', `/api/organizations/${orgOf(olga)}/users/${rita.user.id}`);
    const draftId = await submitNewDraft(olga);
    const refused = await approve(olga, draftId);
    expect(refused).toMatchObject({ status: 409, body: { code: 'reviewer_not_counted_yet' } });
    // The refusal says when the author can approve alone, which is about a week from now.
    const from = Date.parse(JSON.stringify(refused.body.details).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/)?.[0] ?? '');
    const days = (from - Date.now()) / (24 * 3_600_000);
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(8);

    await letDaysPass(server, orgOf(olga), 8);
    expect((await approve(olga, draftId)).status).toBe(200);
    const live = await merge(olga, draftId);
    expect(live.status).toBe(200);
    expect(marksOf(live)).toContain('self_approved');
  });

  it('whose reviewer has just left can immediately invite a new one', async () => {
    const olga = await signUpFounder('Olga');
    const rita = await join(olga, 'Rita', 'reviewer');
    await proveAddress(rita);
    const draftId = await submitNewDraft(olga);
    await rita.call('DELETE', `/api/organizations/${orgOf(olga)}/users/${rita.user.id}`);
    const sam = await join(olga, 'Sam', 'reviewer');
    expect((await approve(sam, draftId)).status).toBe(200);
    const live = await merge(sam, draftId);
    expect(live.status).toBe(200);
    expect(marksOf(live)).toContain('added_by_author');
  });
});
