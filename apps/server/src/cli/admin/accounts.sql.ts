import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** Allows the account to sign in with its password for some hours. 0 hours end this. */
export const allowPassword = statement({
  name: 'allow_password',
  params: ['userId', 'hours'],
  text: `update users set password_allowed_until = now() + make_interval(hours => $2) where id = $1`,
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
