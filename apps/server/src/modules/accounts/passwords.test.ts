import { describe, expect, it } from 'vitest';
import { openPasswords } from './passwords.ts';

describe('passwords', () => {
  it('are stored as argon2id with at least 19 MiB and two passes, each with its own salt', async () => {
    const { hash, verify } = await openPasswords();
    const [one, other] = await Promise.all([hash('secret'), hash('secret')]);
    const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(one) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
    expect(Number(passes)).toBeGreaterThanOrEqual(2);
    expect(one).not.toBe(other);
    expect(await Promise.all([verify(one, 'secret'), verify(one, 'Secret'), verify(other, 'secret')])).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('never match if there is no account, not even the password whose hash is compared instead', async () => {
    const { verify } = await openPasswords();
    for (const guess of ['', 'secret', 'no such account']) expect(await verify(null, guess)).toBe(false);
  });

  it('are hashed one at a time if the limit is one', async () => {
    const cheap = await (await openPasswords(1, { memoryCost: 1024, timeCost: 1 })).hash('secret');
    const { hash, verify } = await openPasswords(1, { memoryCost: 65_536, timeCost: 8 });
    const done: string[] = [];
    // If both ran at the same time, the cheap one would end first.
    await Promise.all([
      hash('secret').then(() => done.push('expensive')),
      verify(cheap, 'secret').then(() => done.push('cheap')),
    ]);
    expect(done).toEqual(['expensive', 'cheap']);
  });
});
