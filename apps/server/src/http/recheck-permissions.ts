import { type OrgRole, PERMISSIONS, type Permission } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Requester, Send } from '../kernel/database.ts';

const recheckMember = statement({
  name: 'recheck_member',
  params: ['orgId', 'userId', 'roles'],
  row: z.object({ held: z.boolean() }),
  text: `select hold_standing($1, $2, $3) as held`,
});

const recheckToken = statement({
  name: 'recheck_token',
  params: ['orgId', 'tokenId', 'roles'],
  row: z.object({ held: z.boolean() }),
  text: `select hold_token_standing($1, $2, $3) as held`,
});

/**
 * Fails the transaction unless the role of the person or token still has all required permissions, and the person's
 * account or the token is still valid. Until the commit, this can't change. Waits for a concurrent role change.
 */
export function recheckPermissions(
  send: Send,
  { orgId, userId, token }: Requester,
  required: ReadonlySet<Permission>,
): Promise<unknown> {
  const tables: (readonly OrgRole[])[] = [...required].map((permission) => PERMISSIONS[permission]);
  const roles = (tables[0] ?? []).filter((role) => tables.every((table) => table.includes(role)));
  return token
    ? send(recheckToken, { orgId, tokenId: token.id, roles })
    : send(recheckMember, { orgId, userId, roles });
}
