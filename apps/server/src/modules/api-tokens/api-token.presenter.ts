import type { ApiToken } from '@stet/contract';
import type { TokenRow } from './api-tokens.sql.ts';

/** A token without its secret, which isn't stored. */
export const presentToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  scopes: row.scopes,
  role: row.role,
  owner: row.owner,
  ending: row.ending,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
