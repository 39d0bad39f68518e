import { canonicalEmail } from '@stet/domain/access';
import type { Deps } from '../../kernel/deps.ts';
import { findLogin } from './accounts.sql.ts';

/**
 * Finds the account with this address. Tries the address as typed and then in canonical spelling, because earlier
 * releases stored addresses as they were typed.
 */
export async function findAccount(db: Deps['db'], email: string) {
  const typed = email.trim().toLowerCase();
  const canonical = canonicalEmail(typed) ?? typed;
  const [account] = await db.query(findLogin, { email: typed });
  if (account || canonical === typed) return account;
  const [sameMailbox] = await db.query(findLogin, { email: canonical });
  return sameMailbox;
}
