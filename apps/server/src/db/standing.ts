import { type OrgRole, PERMISSIONS, type Permission } from '@stet/domain/access';
import { z } from 'zod';
import type { Tenant } from '../kernel/actor.ts';
import type { Statement } from '../kernel/database.ts';
import { statement } from './statement.ts';

type Send = (s: Statement<string, unknown>, values: Record<string, unknown>) => Promise<unknown[]>;

const hold = statement({
  name: 'hold_standing',
  params: ['orgId', 'userId', 'roles'],
  row: z.object({ held: z.boolean() }),
  text: `select hold_standing($1, $2, $3) as held`,
});

const holdToken = statement({
  name: 'hold_token_standing',
  params: ['orgId', 'tokenId', 'roles'],
  row: z.object({ held: z.boolean() }),
  text: `select hold_token_standing($1, $2, $3) as held`,
});

/**
 * Fails, and with it the transaction, unless the person's or the token's role of this moment has every permission that is asked for; until
 * the commit nobody takes it. Waits for whoever is just changing it, so locks that others may wait for come before it.
 */
export function holdStanding(send: Send, tenant: Tenant, asked: ReadonlySet<Permission>): Promise<unknown>[] {
  const { orgId, userId } = tenant;
  if (userId === null || asked.size === 0) return [];
  const tables: (readonly OrgRole[])[] = [...asked].map((permission) => PERMISSIONS[permission]);
  const roles = (tables[0] ?? []).filter((role) => tables.every((table) => table.includes(role)));
  if (tenant.token) return [send(holdToken, { orgId, tokenId: tenant.token.id, roles })];
  return [send(hold, { orgId, userId, roles })];
}
