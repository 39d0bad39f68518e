import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../kernel/config.ts';
import { openVault } from '../../kernel/vault.ts';
import { type Finding, failure } from './finding.ts';

type Secrets = Pick<Config, 'secretKey' | 'previousSecretKeys' | 'dataDir'>;

const idOf = (secret: string): string => openVault(secret).keyId;

/** The short name of the secret that a server works with here; null where it would make one first. It tells nothing of the secret. */
export function currentSecretId({ secretKey, dataDir }: Omit<Secrets, 'previousSecretKeys'>): string | null {
  if (secretKey !== undefined) return idOf(secretKey);
  const file = join(dataDir, 'keys', 'secret');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return kept === '' ? null : idOf(kept);
}

/** The names of all that a server here could read what is sealed by. */
export function knownSecretIds(secrets: Secrets): string[] {
  const current = currentSecretId(secrets);
  return [...(current === null ? [] : [current]), ...secrets.previousSecretKeys.map(idOf)];
}

/** Connections to Slack that no secret of this installation opens; none is a finding where all is well. */
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
      `${connections} sealed under a secret that is not here: set SECRET_KEY to that one, name it in SECRET_KEY_PREVIOUS, or connect anew.`,
    ),
  ];
}
