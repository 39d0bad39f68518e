import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../kernel/config.ts';
import { openVault } from '../../kernel/vault.ts';
import { type Finding, failure } from './finding.ts';

type Secrets = Pick<Config, 'secretKey' | 'previousSecretKeys' | 'dataDir'>;

const idOf = (secret: string): string => openVault(secret).keyId;

/** A short id of the server's current secret, or null if there is none yet. It doesn't reveal the secret. */
export function currentSecretId({ secretKey, dataDir }: Omit<Secrets, 'previousSecretKeys'>): string | null {
  if (secretKey !== undefined) return idOf(secretKey);
  const file = join(dataDir, 'keys', 'secret');
  const savedSecret = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return savedSecret === '' ? null : idOf(savedSecret);
}

/** The ids of all secrets that this installation can use to open sealed values. */
export function knownSecretIds(secrets: Secrets): string[] {
  const current = currentSecretId(secrets);
  return [...(current === null ? [] : [current]), ...secrets.previousSecretKeys.map(idOf)];
}

/** Reports Slack connections that no secret of this installation can open. The list is empty if there are none. */
export async function checkSealed(client: pg.Client, secrets: Secrets): Promise<Finding[]> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from slack_connections where split_part(sealed_token, '.', 2) <> all($1)`,
    [knownSecretIds(secrets)],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return [];
  const connections = count === 1 ? '1 connection to Slack was' : `${count} connections to Slack were`;
  return [
    failure(
      'keys',
      `${connections} sealed with a secret that isn't configured: set SECRET_KEY or SECRET_KEY_PREVIOUS to that secret, or reconnect.`,
    ),
  ];
}
