import { enqueueJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendInEach } from '../audit/index.ts';
import {
  deleteAddressCode,
  deleteFormerAddress,
  disconnectIdentities,
  findAddressProblem,
  findOrganizationsOf,
  insertFormerAddress,
  lockAddresses,
  setEmail,
} from './accounts.sql.ts';

/**
 * Makes other transactions that give an account an address wait until this one ends. Refuses with `address_unavailable`
 * if this account can't have the new address.
 */
export async function assertFreeAddress(tx: Tx, change: { userId: string; email: string }): Promise<void> {
  await tx.maybeOne(lockAddresses, {});
  const found = await tx.maybeOne(findAddressProblem, change);
  if (found?.problem !== null) throw new Refused({ code: 'address_unavailable' });
}

/**
 * Gives an account the address that its person has just proved. The old address still identifies the account, because
 * stored content names people by address. An identity that was connected under the old address no longer signs in to
 * the account. Records the change in the trail of each of their organizations, and mails the old address. Must be
 * called last, in a transaction without a tenant, after `assertFreeAddress`.
 */
export async function changeEmail(
  tx: Tx,
  user: { id: string; name: string; email: string },
  newEmail: string,
): Promise<void> {
  const { id: userId, email } = user;
  const [organizations, identities] = await Promise.all([
    tx.many(findOrganizationsOf, { userId }),
    tx.many(disconnectIdentities, { userId }),
  ]);
  tx.write(insertFormerAddress, { userId });
  tx.write(setEmail, { userId, email: newEmail });
  tx.write(deleteFormerAddress, { userId, email: newEmail });
  tx.write(deleteAddressCode, { userId });
  enqueueJobs(tx, [{ task: 'send_email_changed', payload: { name: user.name, email, newEmail } }]);
  const event = {
    actor: { ...user, kind: 'user' as const },
    action: 'account.email_changed' as const,
    subject: { type: 'user' as const, id: userId },
    data: {
      before: { email },
      after: { email: newEmail },
      by: 'administrator',
      ...(identities.length > 0 && { disconnected: identities.map(({ issuer }) => issuer) }),
    },
    context: { name: user.name },
  };
  appendInEach(tx, new Map(organizations.map(({ id }) => [id, [event]])));
}
