import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { arrivalOf } from './provider/provider-callback.ts';

type Needs = Pick<Deps, 'config' | 'identityProvider'>;

/** Refuses with `password_sign_in_off` if this installation requires the identity provider (decision 250). */
export function assertPasswordsAllowed({ config, identityProvider }: Needs): void {
  if (!config.passwordSignIn) throw new Refused({ code: 'password_sign_in_off', label: identityProvider?.label ?? '' });
}

/**
 * Refuses with `password_sign_in_off` unless passwords are allowed in this installation or temporarily for this
 * account, or the provider has just confirmed the account's address in this browser. In the last case, the person signs
 * in to link the account to the identity. This is checked before the password, so that the response doesn't reveal
 * whether the password was right.
 */
export function assertPasswordSignIn(
  deps: Needs & Pick<Deps, 'publicUrl' | 'vault'>,
  account: { email: string; may_use_password: boolean } | undefined,
  cookies: string | undefined,
): void {
  if (account && (account.may_use_password || arrivalOf(deps, cookies)?.content.email === account.email)) return;
  assertPasswordsAllowed(deps);
}
