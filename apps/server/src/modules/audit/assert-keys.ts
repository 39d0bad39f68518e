import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../kernel/config.ts';
import type { Log } from '../../kernel/log.ts';

/**
 * Thrown if the installation's signing key is missing although its database was used with one. The message is for the
 * operator.
 */
export class KeysMissing extends Error {
  override readonly name = 'KeysMissing';
}

const IS_SIGNED = `
  select exists (select from audit_checkpoints)
      or exists (select from audit_heads h join audit_events e on e.org_id = h.org_id and e.seq = h.seq
                 where e.mac is not null) as is_signed`;

/**
 * Rejects with `KeysMissing` if the database contains signed events or checkpoints, but `DATA_DIR` has no signing key.
 * With a new key, the server would accept all rows as they are and sign them. Operators who have lost the keys can
 * create an empty folder for them to start with new ones. Logs an error if the secret is missing.
 */
export async function assertKeys(
  owner: pg.Client,
  { dataDir, secretKey }: Pick<Config, 'dataDir' | 'secretKey'>,
  log: Log,
): Promise<void> {
  const folder = join(dataDir, 'keys');
  const hasKey = existsSync(join(folder, 'audit-signing.key'));
  const hasSecret = secretKey !== undefined || existsSync(join(folder, 'secret'));
  if (hasKey && hasSecret) return;
  const { rows } = await owner.query<{ is_signed: boolean }>(IS_SIGNED);
  if (rows[0]?.is_signed !== true) return;
  if (!hasKey && (!existsSync(folder) || readdirSync(folder).length > 0))
    throw new KeysMissing(
      `The database contains audit trails signed with a key that is missing in ${folder}. Mount DATA_DIR, copy the keys from another server, or restore them from a backup. If they are lost, create an empty folder ${folder} to start with new keys.`,
    );
  if (!hasKey) log.error('the keys that signed the audit trails are lost, so this server creates new ones');
  if (!hasSecret)
    log.error(
      "SECRET_KEY isn't set and keys/secret is missing, so this server creates a new secret: sessions end, and Slack and the receivers of webhooks have to be connected again",
    );
}
