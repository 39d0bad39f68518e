import { canonicalEmail } from '@stet/domain/access';
import type pg from 'pg';

type Options = {
  /** Returns a client of the schema's owner that isn't connected yet. */
  connect: () => pg.Client;
  log: { info(data: object, message: string): void };
};

const PENDING = 'accepted_at is null and revoked_at is null';

/**
 * Rewrites account addresses that aren't plain ASCII to their canonical spelling, because earlier versions stored
 * addresses as they were typed. If another account has the canonical address, the spelling isn't changed, and
 * `mailbox_of` counts both accounts as one person. Each open task for a typed address is copied for the canonical one.
 * A pending invitation is rewritten, or revoked if the organization has also invited the canonical address.
 */
export async function canonicalizeAddresses({ connect, log }: Options): Promise<void> {
  const client = connect();
  client.on('error', () => {}); // If the connection is lost, the running query rejects.
  await client.connect();
  try {
    const { rows } = await client.query<{ address: string }>(
      `select email as address from users where octet_length(email) > length(email)
       union select who from run_tasks where octet_length(who) > length(who)
       union select email from invitations where ${PENDING} and octet_length(email) > length(email)`,
    );
    for (const { address } of rows) {
      const canonical = canonicalEmail(address);
      if (canonical === null || canonical === address || canonical.length > 254) continue;
      await client.query(
        `insert into run_tasks select (jsonb_populate_record(t, jsonb_build_object('who', $2::text))).*
         from run_tasks t where t.who = $1 on conflict do nothing`,
        [address, canonical],
      );
      await client.query(
        `update invitations set revoked_at = now() where email = $1 and ${PENDING} and org_id in (
           select org_id from invitations where email = $2 and ${PENDING}
         )`,
        [address, canonical],
      );
      await client.query(`update invitations set email = $2 where email = $1 and ${PENDING}`, [address, canonical]);
      const { rows: rewritten } = await client.query<{ id: string }>(
        `update users set email = $2 where email = $1 and not exists (select from users where email = $2) returning id`,
        [address, canonical],
      );
      for (const { id } of rewritten) log.info({ userId: id }, 'email address changed to its canonical spelling');
    }
  } finally {
    await client.end();
  }
}
