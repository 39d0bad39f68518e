import type { Confirmation, WholeDraft } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { contentTitled } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, draft, pass, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

/** Creates another draft of the same content in the same workflow. Returns its address. */
async function copyBy(who: Person, key: string, title: string): Promise<string> {
  const { draftId } = await who.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, contentTitled(title));
  return `/api/workflows/${key}/drafts/${draftId}`;
}
const setAside = (by: Person, path: string, objector: Person) =>
  by.call('POST', `${path}/objections/${objector.user.id}/set-aside`, { reason: 'I want it live' });

describe('the author of a draft, while the reviewer who requested changes is a member,', () => {
  it('can’t set the request aside on an unproved account’s copy under strict review', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rita = await add(jon, 'reviewer', { mailed: true });
    await mara.patch(`/api/organizations/${mara.user.currentOrgId}`, { strict: true });
    const made = await draft(mara);
    await made.act(rita, 'request-changes', { comment: 'This needs changes' });
    // Jon sent the invitation, and Mara got hold of its link.
    const guest = await add(jon, 'editor');
    await setAside(mara, await copyBy(guest, made.key, 'Hiring'), rita);
    expect((await made.read()).objections).toMatchObject([{ reviewer: { id: rita.user.id } }]);
  });

  it('can’t set the request aside on a copy made by an account that the reviewer had invited', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const made = await draft(mara);
    await made.act(jon, 'request-changes', { comment: 'This needs changes' });
    const guest = await add(jon, 'editor');
    await setAside(mara, await copyBy(guest, made.key, 'Hiring'), jon);
    expect((await made.read()).objections).toMatchObject([{ reviewer: { id: jon.user.id } }]);
  });
});

describe('the author of a draft, once the reviewer who requested changes can no longer review,', () => {
  it.each([false, true])(
    'can’t set the request aside on an unproved account’s copy (the draft is discarded: %s)',
    async (discarded) => {
      const mara = await found(true);
      const jon = await add(mara, 'admin', { mailed: true });
      const rita = await add(jon, 'reviewer', { mailed: true });
      const made = await draft(mara);
      await made.act(rita, 'request-changes', { comment: 'This needs changes' });
      await setRole(mara, rita, 'viewer');
      const guest = await add(jon, 'editor');
      const copy = await copyBy(guest, made.key, 'Hiring');
      if (discarded) expect((await mara.call('DELETE', made.path, { reason: 'Given up' })).status).toBe(200);
      expect(await setAside(mara, copy, rita)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await mara.get<WholeDraft>(copy)).abilities.setAside).toBe(false);
      // A manager who is tied to neither draft can set it aside. If there is none, the manager with the loosest tie
      // can.
      expect((await setAside(jon, copy, rita)).status).toBe(200);
    },
  );

  it('can’t set it aside with an account that only they vouch for, even if everyone else is tied', async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const rita = await add(jon, 'reviewer', { mailed: true });
    await pass(mara.user.currentOrgId, 8);
    const puppet = await add(jon, 'admin');
    const asked = await mara.get<Confirmation[]>('/api/confirmations');
    const id = asked.find(({ subjectId }) => subjectId === puppet.user.id)?.id;
    expect((await mara.call('POST', `/api/confirmations/${id}/confirm`)).status).toBe(200);
    const made = await draft(mara);
    await made.act(rita, 'request-changes', { comment: 'This needs changes' });
    await setRole(mara, rita, 'viewer');
    const guest = await add(jon, 'editor');
    await guest.patch(made.path, contentTitled('Hiring, saved again'));
    for (const who of [mara, puppet])
      expect(await setAside(who, made.path, rita)).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await setAside(jon, made.path, rita)).status).toBe(200);
  });
});
