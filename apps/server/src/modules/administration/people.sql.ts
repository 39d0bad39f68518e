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

/** The organizations that a person belongs to. */
export const listOrganizationsOf = statement({
  name: 'list_organizations_of_account',
  params: ['userId'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from memberships where user_id = $1 order by org_id`,
});
