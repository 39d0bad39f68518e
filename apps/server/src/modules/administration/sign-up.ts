import { statement } from '../../db/statement.ts';
import type { SignUp } from '../../kernel/config.ts';
import type { Administration } from '../../kernel/deps.ts';

const storeSignUp = statement({
  name: 'store_sign_up',
  params: ['signUp', 'by'],
  text: `insert into installation_settings (sign_up, changed_by) values ($1, $2)
         on conflict (is_only) do update set sign_up = excluded.sign_up, changed_by = excluded.changed_by, changed_at = now()`,
});

/**
 * Stores who can sign up without an invitation. Null restores the environment's setting. The change concerns no
 * organization, so it isn't in a trail.
 *
 * @param by the address of the administrator, or `command`
 */
export async function changeSignUp(
  ownerDb: Administration['ownerDb'],
  signUp: string | null,
  by: string,
): Promise<void> {
  await ownerDb.transaction(null, async (tx) => tx.write(storeSignUp, { signUp, by }));
}

export function inWords(signUp: SignUp): string {
  if (signUp.kind === 'open') return 'Anyone can sign up.';
  if (signUp.kind === 'closed') return 'Only invited people can sign up.';
  return `Invited people and addresses at ${signUp.domains.join(', ')} can sign up.`;
}
