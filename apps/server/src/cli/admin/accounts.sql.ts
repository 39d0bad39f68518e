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

/** Allows the account to sign in with its password for some hours. 0 hours end this. */
export const allowPassword = statement({
  name: 'allow_password',
  params: ['userId', 'hours'],
  text: `update users set password_allowed_until = now() + make_interval(hours => $2) where id = $1`,
});

/** The organizations that a person belongs to. */
export const listOrganizationsOf = statement({
  name: 'list_organizations_of_account',
  params: ['userId'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from memberships where user_id = $1 order by org_id`,
});

/** The members of an organization. The organization must be locked first. */
export const listMembers = statement({
  name: 'list_members_for_new_owner',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.string(),
    is_disabled: z.boolean(),
  }),
  text: `select u.id, u.email, u.name, m.role, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id where m.org_id = $1 order by u.email`,
});
