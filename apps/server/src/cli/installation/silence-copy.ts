import type pg from 'pg';

const REASON = 'The installation was restored without its pending jobs';

/** The statements for each table, in order. They are executed if the backup's schema has the table. */
const STEPS: readonly (readonly [table: string, text: string])[] = [
  ['outbox', 'delete from outbox'],
  ['webhooks', 'update webhooks set is_active = false'],
  // The original installation sends the deliveries for everything that happened before the backup.
  [
    'webhook_cursors',
    'update webhook_cursors c set seq = greatest(c.seq, h.seq) from audit_heads h where h.org_id = c.org_id',
  ],
  [
    'webhook_deliveries',
    `update webhook_deliveries set state = 'dead', ended_at = now(), claimed_until = null, last_problem = '${REASON}' where state = 'waiting'`,
  ],
  [
    'slack_messages',
    `update slack_messages set state = 'failed', claim = null, problem = '${REASON}' where state in ('waiting', 'sending')`,
  ],
  // With the token, the copy could post as the original, or end the original's connection.
  ['slack_connections', 'delete from slack_connections'],
  [
    'digests',
    `update notifications set email = 'none', slack = 'none', digest_id = null
     where (email = 'daily' or slack = 'daily')
       and (digest_id is null or (org_id, digest_id) in (select org_id, id from digests where state <> 'sent'))`,
  ],
  ['digests', `delete from digests where state <> 'sent'`],
];

/**
 * Turns a restored database into a copy for inspection: deletes pending jobs and unsent digests, turns off webhooks,
 * disconnects Slack, and marks waiting deliveries and Slack messages as failed. Clocks continue, and actions in the
 * copy still send mail.
 */
export async function silence(client: pg.Client, tables: ReadonlySet<string>): Promise<void> {
  for (const [table, text] of STEPS) if (tables.has(table)) await client.query(text);
}
