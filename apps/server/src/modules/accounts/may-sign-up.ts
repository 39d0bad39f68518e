import type { Deps } from '../../kernel/deps.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import type { SignUp } from '../../kernel/config.ts';
import { hasAccounts, lockFirstAccount } from './accounts.sql.ts';

/**
 * Returns who can sign up now. Even if sign-up is closed, anyone can create the first account of an installation
 * (decision 250).
 */
export async function currentSignUp({ config: { signUp }, db }: Pick<Deps, 'config' | 'db'>): Promise<SignUp> {
  if (signUp.kind !== 'closed') return signUp;
  const [found] = await db.query(hasAccounts, {});
  return found?.has_accounts === false ? { kind: 'open' } : signUp;
}

/** Refuses with `sign_up_closed` if this installation requires an invitation for people with this address. */
export async function assertMaySignUp(deps: Pick<Deps, 'config' | 'db'>, email: string): Promise<void> {
  const signUp = await currentSignUp(deps);
  if (signUp.kind === 'open') return;
  const domains = signUp.kind === 'domains' ? signUp.domains : [];
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new Refused({ code: 'sign_up_closed', domains });
}

/**
 * Refuses with `sign_up_closed` if sign-up is closed and another account was created after `assertMaySignUp`, so that
 * two people can't both create the first one.
 */
export async function assertIsFirstAccount({ config: { signUp } }: Pick<Deps, 'config'>, tx: Tx): Promise<void> {
  if (signUp.kind !== 'closed') return;
  const [, found] = await Promise.all([tx.maybeOne(lockFirstAccount, {}), tx.maybeOne(hasAccounts, {})]);
  if (found?.has_accounts !== false) throw new Refused({ code: 'sign_up_closed', domains: [] });
}
