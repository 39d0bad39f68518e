import type { Confirmation, VersionRecord } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type Reply, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { logIn, found, add, prove, setRole, remove, draft, pass } = secondPersonBench(server);
afterAll(() => server.stop());

const orgOf = ({ user }: Person): string => user.currentOrgId ?? '';
const about = async (who: Person, person: Person) =>
  (await who.get<Confirmation[]>('/api/confirmations')).find(({ subjectId }) => subjectId === person.user.id);
const confirm = (who: Person, id = '') => who.call<Confirmation>('POST', `/api/confirmations/${id}/confirm`);
const confirmAbout = async (who: Person, person: Person): Promise<number> =>
  (await confirm(who, (await about(who, person))?.id)).status;
const marksOf = (reply: Reply<{ version?: unknown }>): string[] =>
  ((reply.body.version as VersionRecord | undefined)?.approvals ?? []).flatMap(({ marks }) => marks);
/** Two proved managers who can confirm each other's changes. */
const managers = async (): Promise<{ mara: Person; jon: Person }> => {
  const mara = await found(true);
  const jon = await add(mara, 'admin', { mailed: true });
  await pass(orgOf(mara), 8);
  return { mara, jon };
};

describe('someone who was confirmed in a lower role', () => {
  it.each([false, true])(
    'needs confirmation again before their reviews count if their inviter makes them a reviewer (address proved: %s)',
    async (proves) => {
      const { mara, jon } = await managers();
      const eve = await add(jon, 'viewer');
      expect(await confirmAbout(mara, eve)).toBe(200);
      if (proves) await prove(eve);
      const made = await draft(jon);
      await made.act(jon, 'submit');
      expect((await setRole(jon, eve, 'reviewer')).status).toBe(200);
      expect((await about(mara, eve))?.sentence).toContain('a reviewer');
      expect((await made.act(eve, 'approve')).status).toBe(409);
      expect(await confirmAbout(mara, eve)).toBe(200);
      const later = await draft(jon);
      await later.act(jon, 'submit');
      expect((await later.act(eve, 'approve')).status).toBe(200);
      // Mara vouches for the unproved reviewer, and she also invited the author.
      const marks = proves ? [] : ['added_by_author', 'author_added_by_reviewer'];
      expect(marksOf(await later.act(eve, 'merge'))).toEqual(marks);
    },
  );

  it('isn’t treated as their inviter’s second account again while a higher role isn’t confirmed', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'editor');
    const before = await draft(eve);
    expect((await before.read()).contributors.map(({ id }) => id)).toContain(jon.user.id);
    await confirmAbout(mara, eve);
    expect((await setRole(mara, eve, 'admin')).status).toBe(200);
    expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: null });
    const made = await draft(eve);
    expect((await made.read()).contributors.map(({ id }) => id)).toEqual([eve.user.id]);
  });

  it('remains confirmed as an editor', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'viewer');
    await confirmAbout(mara, eve);
    await setRole(jon, eve, 'editor');
    expect(await about(mara, eve)).toBeUndefined();
    expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: 'manager' });
  });

  it('needs confirmation again when they rejoin as an admin, even if they were confirmed as a reviewer', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'viewer', { mailed: true });
    await setRole(jon, eve, 'reviewer');
    await confirmAbout(mara, eve);
    expect((await remove(jon, eve)).status).toBe(200);
    const { link } = await jon.post<{ link: string }>(`/api/organizations/${orgOf(jon)}/invitations`, {
      email: eve.user.email,
      role: 'admin',
    });
    await (await logIn(eve.user.email)).post(`/api/invitations/${link.split('/').at(-1)}/join`);
    expect((await about(mara, eve))?.sentence).toContain('an admin');
  });

  it('is still confirmed as an editor after they were an unconfirmed reviewer for some time', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'viewer');
    await confirmAbout(mara, eve);
    await setRole(jon, eve, 'reviewer');
    expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: null });
    await setRole(jon, eve, 'editor');
    expect(await about(mara, eve)).toBeUndefined();
    expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: 'manager' });
    // The confirmation as a viewer still isn't enough for a reviewer.
    await setRole(jon, eve, 'reviewer');
    expect((await about(mara, eve))?.sentence).toContain('a reviewer');
  });

  it.each(['viewer', 'editor', 'reviewer'] as const)(
    'counts as a second manager only once confirmed as an admin, even if first confirmed as %s',
    async (role) => {
      const { mara, jon } = await managers();
      const eve = await add(jon, role);
      await confirmAbout(mara, eve);
      await setRole(jon, eve, 'admin');
      expect((await about(mara, eve))?.payload).toMatchObject({ role: 'admin' });
      await pass(orgOf(mara), 8);
      await jon.call('PATCH', `/api/organizations/${orgOf(mara)}`, { requiredApprovals: 0 });
      const policy = (await mara.get<Confirmation[]>('/api/confirmations')).find(({ kind }) => kind === 'policy');
      expect((await confirm(eve, policy?.id)).status).not.toBe(200);
      expect(await confirmAbout(mara, eve)).toBe(200);
      expect((await confirm(eve, policy?.id)).status).toBe(200);
    },
  );

  it('remains confirmed in every role if they were confirmed before confirmations depended on the role', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'viewer');
    await confirmAbout(mara, eve);
    await server.sql('update confirmations set counts_for_all_roles = true where subject_id = $1', [eve.user.id]);
    await setRole(jon, eve, 'reviewer');
    expect(await about(mara, eve)).toBeUndefined();
    expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: 'manager' });
  });
});

describe('a waiting confirmation', () => {
  it('names the person’s current role, even if someone other than the inviter gave it', async () => {
    const { mara, jon } = await managers();
    const carl = await add(mara, 'admin', { mailed: true });
    await pass(orgOf(mara), 8);
    const eve = await add(jon, 'viewer');
    const before = await about(carl, eve);
    await setRole(mara, eve, 'admin');
    const proposal = await about(carl, eve);
    expect(proposal?.sentence).toContain('an admin');
    expect(proposal).toMatchObject({ payload: { role: 'admin' }, proposedBy: { id: jon.user.id } });
    // The list of a manager may still show the former role. This manager can't confirm the new one by mistake.
    expect((await confirm(carl, before?.id)).status).toBe(409);
    expect(await confirmAbout(carl, eve)).toBe(200);
  });

  it('ends when a proved person can no longer review', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'reviewer', { mailed: true });
    const proposal = await about(mara, eve);
    await setRole(jon, eve, 'viewer');
    expect(await about(mara, eve)).toBeUndefined();
    expect((await confirm(mara, proposal?.id)).status).toBe(409);
  });

  it('can’t be withdrawn by the inviter, so the other managers can still confirm the person', async () => {
    const { mara, jon } = await managers();
    const eve = await add(jon, 'editor');
    const proposal = await about(jon, eve);
    expect(proposal?.abilities).toEqual({ confirm: false, refuse: false, withdraw: false });
    const withdrawal = await jon.call('POST', `/api/confirmations/${proposal?.id}/refuse`, {});
    expect(withdrawal).toMatchObject({ status: 403, body: { code: 'proposer_cannot_confirm' } });
    expect(await confirmAbout(mara, eve)).toBe(200);
    expect(await eve.get('/api/auth/me')).toMatchObject({ provedBy: 'manager' });
  });

  it.each(['missing', 'refused'] as const)(
    'is created again after another manager changes the role, even if it was %s before',
    async (how) => {
      const { mara, jon } = await managers();
      const eve = await add(jon, 'editor');
      const proposal = await about(mara, eve);
      if (how === 'missing') await server.sql('delete from confirmations where subject_id = $1', [eve.user.id]);
      else await mara.post(`/api/confirmations/${proposal?.id}/refuse`, {});
      expect(await about(mara, eve)).toBeUndefined();
      await setRole(mara, eve, 'viewer');
      expect(await about(mara, eve)).toMatchObject({
        proposedBy: { id: jon.user.id },
        abilities: { confirm: true },
      });
    },
  );
});

it('someone promoted and confirmed by one manager can review that manager’s drafts once their inviter confirms them', async () => {
  const zoe = await found(true);
  const [mara, jon] = [await add(zoe, 'admin', { mailed: true }), await add(zoe, 'admin', { mailed: true })];
  await pass(orgOf(zoe), 8);
  const eve = await add(jon, 'viewer');
  await setRole(mara, eve, 'reviewer');
  expect(await confirmAbout(mara, eve)).toBe(200);
  const made = await draft(mara);
  await made.act(mara, 'submit');
  expect((await made.act(eve, 'approve')).status).toBe(409);
  expect(await about(jon, eve)).toMatchObject({ proposedBy: { id: mara.user.id }, abilities: { confirm: true } });
  expect((await about(mara, eve))?.abilities.confirm).toBe(false);
  expect(await confirmAbout(jon, eve)).toBe(200);
  expect(await about(jon, eve)).toBeUndefined();
  expect((await made.act(eve, 'approve')).status).toBe(200);
  expect(marksOf(await made.act(eve, 'merge'))).toEqual(['added_by_author']);
});

it('a person with a proved address can approve, even if the manager who confirmed them invited their inviter', async () => {
  const { mara, jon } = await managers();
  const eve = await add(jon, 'viewer');
  await setRole(mara, eve, 'reviewer');
  await confirmAbout(mara, eve);
  await confirmAbout(jon, eve);
  const made = await draft(mara);
  await made.act(mara, 'submit');
  const refusal = await made.act(eve, 'approve');
  expect(refusal.status).toBe(409);
  expect(refusal.body.error).toContain('didn’t invite you, didn’t edit this draft and wasn’t added by its authors');
  await prove(eve);
  expect((await made.act(eve, 'approve')).status).toBe(200);
  expect(marksOf(await made.act(eve, 'merge'))).toEqual([]);
});
