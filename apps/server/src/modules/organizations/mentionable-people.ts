import { type Mentionable, mentionProbes } from '@stet/domain/notifications';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Tx } from '../../kernel/database.ts';

const listMentionable = statement({
  name: 'list_mentionable_people',
  params: ['orgId', 'probes'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  text: `select u.id, u.name, u.email from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and exists (
           select from unnest($2::text[]) probe
           where starts_with(probe, lower(trim(u.name))) or starts_with(probe, split_part(u.email, '@', 1))
         )
         order by u.id`,
});

/**
 * Lists the members that a text could mention. The domain decides which of them the text mentions. If the text has no
 * `@`, nothing is read.
 */
export async function mentionablePeople(tx: Tx, orgId: string, text: string): Promise<Mentionable[]> {
  const probes = mentionProbes(text);
  return probes.length === 0 ? [] : tx.many(listMentionable, { orgId, probes });
}
