import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { openBoundedQueue } from './bounded.ts';

/** argon2id (2 in the library's numbering), 19 MiB, two passes (rulings, section 2). */
const SETTINGS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type Passwords = {
  hash: (password: string) => Promise<string>;
  /** Costs the same where there is no hash to compare with, so that time doesn't tell whether an account exists. */
  verify: (stored: string | null, password: string) => Promise<boolean>;
};

/** Hashing in a bounded queue: a burst of sign-ins must not take every core from other requests. */
export async function openPasswords(atOnce = Math.max(1, Math.floor(availableParallelism() / 2))): Promise<Passwords> {
  const inTurn = openBoundedQueue(atOnce);
  const nobody = await hash('there is no such account', SETTINGS);
  return {
    hash: (password) => inTurn(() => hash(password, SETTINGS)),
    verify: async (stored, password) => {
      const matches = await inTurn(() => verify(stored ?? nobody, password));
      return matches && stored !== null;
    },
  };
}
