import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { startTransactionScene } from '../testing/transaction-scene.ts';
import { findActor } from './authenticate.ts';

const { proxy, server, person, stop } = await startTransactionScene();
const { db, tokens } = server.server.deps;
const other = await server.signUp({ name: 'Other' });
const sessionOf = async ({ token }: { token: string }): Promise<string> => (await tokens.sessionOf(token)) ?? '';

describe('sessions of requests that arrive together', () => {
  afterAll(stop);

  it('are read together, and each request gets the right person', async () => {
    const [mine, theirs] = [await sessionOf(person), await sessionOf(other)];
    proxy.forget();
    const found = await Promise.all([mine, theirs, newId(), mine, theirs].map((id) => findActor(db, id)));
    expect(found.map((actor) => actor?.userId)).toEqual([
      person.user.id,
      other.user.id,
      undefined,
      person.user.id,
      other.user.id,
    ]);
    expect(found[1]).toMatchObject({
      orgId: other.user.currentOrgId,
      organization: { role: 'owner' },
      orgRole: 'owner',
    });
    // The first request doesn't wait, and the others share the next lookup.
    expect(proxy.trips().flat()).toEqual(['find_sessions', 'find_sessions']);
  });

  it('are never read from memory: a session that has ended is refused immediately', async () => {
    const guest = await server.signUp({ name: 'Guest' });
    const [mine, ended] = [await sessionOf(person), await sessionOf(guest)];
    expect(await findActor(db, ended)).not.toBeNull();
    const early = [mine, ended].map((id) => findActor(db, id));
    await guest.post('/api/auth/logout');
    const late = await Promise.all([mine, ended].map((id) => findActor(db, id)));
    expect(late.map((actor) => actor?.userId)).toEqual([person.user.id, undefined]);
    await Promise.all(early);
  });
});
