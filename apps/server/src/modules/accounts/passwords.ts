import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { PASSWORD_MINIMUM, PASSWORD_TOO_SHORT } from '@stet/domain/defaults';
import { Refused } from '../../kernel/refused.ts';
import type { Passwords } from '../../kernel/deps.ts';

/** argon2id (number 2 in the library) with 19 MiB and two passes, the minimum that OWASP recommends. */
const SETTINGS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Limits how many passwords are hashed in parallel, so that a burst of sign-ins leaves CPU cores for other requests.
 */
export async function openPasswords(
  atOnce = Math.max(1, Math.floor(availableParallelism() / 2)),
  settings: { memoryCost: number; timeCost: number } = SETTINGS,
): Promise<Passwords> {
  const inTurn = pLimit(atOnce);
  const cost = { ...SETTINGS, ...settings };
  const nobody = await hash('no such account', cost);
  return {
    assertGood,
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: async (stored, password) => {
      const matches = await inTurn(() => verify(stored ?? nobody, password));
      return matches && stored !== null;
    },
  };
}

async function assertGood(password: string, minimum = PASSWORD_MINIMUM): Promise<void> {
  const refuse = (problem: string): never => {
    throw new Refused({ code: 'invalid', problems: [{ field: 'password', problem }] });
  };
  if (password.length < minimum) refuse(PASSWORD_TOO_SHORT.replace(String(PASSWORD_MINIMUM), String(minimum)));
  const common = await (commonPasswords ??= loadCommonPasswords());
  if (common.has(password.toLowerCase())) refuse('This password is too common. Choose another one.');
}

let commonPasswords: Promise<ReadonlySet<string>> | null = null;

/**
 * About 50 000 common passwords in lower case. They are loaded when the first new password is checked, because many
 * processes never need them.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
