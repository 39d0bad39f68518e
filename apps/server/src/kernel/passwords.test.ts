import { describe, expect, it } from 'vitest';
import { openPasswords } from './passwords.ts';

describe('passwords', () => {
  it('are kept as argon2id of at least 19 MiB and two passes, each with a salt of its own', async () => {
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

  it('never match where there is no account, whatever stands in for its hash', async () => {
    const { verify } = await openPasswords();
    for (const guess of ['', 'secret', 'there is no such account']) expect(await verify(null, guess)).toBe(false);
  });

  it('are hashed one after the other where one at a time is allowed', async () => {
    const { hash } = await openPasswords(1);
    const done: number[] = [];
    await Promise.all([0, 1, 2, 3].map(async (n) => hash('secret').then(() => done.push(n))));
    expect(done).toEqual([0, 1, 2, 3]);
  });
});
