import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';

/** Refuses with `sign_up_closed` if signing up with this address requires an invitation in this installation. */
export function assertMaySignUp({ config: { signUp } }: Pick<Deps, 'config'>, email: string): void {
  if (signUp.kind === 'open') return;
  const domains = signUp.kind === 'domains' ? signUp.domains : [];
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new Refused({ code: 'sign_up_closed', domains });
}
