import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** Returns no row if the account is already in this state. */
export const setDisabled = statement({
  name: 'set_account_disabled',
  params: ['userId', 'isDisabled'],
  row: z.object({ id: z.uuid() }),
  text: `update users set disabled_at = case when $2 then now() end
         where id = $1 and (disabled_at is not null) <> $2 returning id`,
});

/**
 * The organizations that a person belongs to, without those that are being deleted, because nothing can be recorded
 * there. One that ends (`is_ending`) can't be changed, but events of accounts are recorded.
 */
export const listOrganizationsOf = statement({
  name: 'list_organizations_of_account',
  params: ['userId'],
  row: z.object({ org_id: z.uuid(), is_ending: z.boolean() }),
  text: `select m.org_id, exists (select from ending_organizations e where e.org_id = m.org_id) as is_ending
         from memberships m where m.user_id = $1 and not has_ended(m.org_id) order by m.org_id`,
});
