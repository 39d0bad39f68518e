import type { Deps } from '../../kernel/deps.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { type SignUp, readSignUp } from '../../kernel/config.ts';
import { findSignUpSetting, lockFirstAccount } from './accounts.sql.ts';

type Setting = NonNullable<(typeof findSignUpSetting)['Row']>;

/** Returns the administrator's setting or, if there is none or it can't be read, the environment's without a `change`. */
function applied(config: Pick<Deps['config'], 'signUp'>, setting: Setting | undefined) {
  const { sign_up: stored = null, changed_at: at = null, changed_by: by = null } = setting ?? {};
  const read = stored === null ? null : readSignUp(stored);
  if (read === null || 'problem' in read || at === null || by === null) return { signUp: config.signUp, change: null };
  return { signUp: read, change: { at, by } };
}

/** Returns who can sign up, and who changed it when, if an administrator did. */
export async function findSignUp({
  config,
  db,
}: Pick<Deps, 'config' | 'db'>): Promise<{ signUp: SignUp; change: { at: Date; by: string } | null }> {
  const [setting] = await db.query(findSignUpSetting, {});
  return applied(config, setting);
}

/**
 * Returns who can sign up now. Even if sign-up is closed, anyone can create the first account of an installation
 * (decision 250).
 */
export async function currentSignUp({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<SignUp> {
  const [setting] = await db.query(findSignUpSetting, {});
  const { signUp } = applied(config, setting);
  return signUp.kind === 'closed' && setting?.has_accounts === false ? { kind: 'open' } : signUp;
}

/** Refuses with `sign_up_closed` if this installation requires an invitation for people with this address. */
export async function assertMaySignUp(deps: Pick<Deps, 'config' | 'db'>, email: string): Promise<void> {
  assertAllows(await currentSignUp(deps), email);
}

function assertAllows(signUp: SignUp, email: string): void {
  if (signUp.kind === 'open') return;
  const domains = signUp.kind === 'domains' ? signUp.domains : [];
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new Refused({ code: 'sign_up_closed', domains });
}

/**
 * Checks again in the transaction that creates the account: an administrator may have closed sign-up after
 * `assertMaySignUp`. If it is closed, two people can't both create the first account.
 */
export async function assertStillMaySignUp({ config }: Pick<Deps, 'config'>, tx: Tx, email: string): Promise<void> {
  const setting = await tx.maybeOne(findSignUpSetting, {});
  const { signUp } = applied(config, setting);
  if (signUp.kind !== 'closed') return assertAllows(signUp, email);
  const [, found] = await Promise.all([tx.maybeOne(lockFirstAccount, {}), tx.maybeOne(findSignUpSetting, {})]);
  if (found?.has_accounts !== false) throw new Refused({ code: 'sign_up_closed', domains: [] });
}
