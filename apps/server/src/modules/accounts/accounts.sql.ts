import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const insertUser = statement({
  name: 'insert_user',
  params: ['id', 'email', 'name', 'role', 'passwordHash', 'currentOrgId'],
  text: `insert into users (id, email, name, role, password_hash, current_org_id) values ($1, $2, $3, $4, $5, $6)`,
});

export const insertOrganization = statement({
  name: 'insert_organization',
  params: ['id', 'name', 'type', 'slug', 'requiredApprovals'],
  text: `insert into organizations (id, name, type, slug, required_approvals) values ($1, $2, $3, $4, $5)`,
});

export const insertMembership = statement({
  name: 'insert_membership',
  params: ['orgId', 'userId', 'role'],
  text: `insert into memberships (org_id, user_id, role) values ($1, $2, $3)`,
});

export const insertSession = statement({
  name: 'insert_session',
  params: ['id', 'userId', 'lifetimeSeconds'],
  text: `insert into sessions (id, user_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))`,
});

export const findLogin = statement({
  name: 'find_login',
  params: ['email'],
  row: z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: z.string(), password_hash: z.string(), current_org_id: z.uuid().nullable() }),
  text: `select id, email, name, role, password_hash, current_org_id from users where email = $1`,
});

export const endSession = statement({
  name: 'end_session',
  params: ['id'],
  text: `update sessions set ended_at = now() where id = $1 and ended_at is null`,
});

export const setCurrentOrganization = statement({
  name: 'set_current_organization',
  params: ['userId', 'orgId'],
  text: `update users set current_org_id = $2 where id = $1`,
});
