import { z } from 'zod';
import { statement } from '../db/statement.ts';

export const findAccount = statement({
  name: 'find_demo_account',
  params: ['email'],
  row: z.object({ id: z.uuid(), created_at: z.date() }),
  text: `select id, created_at from users where email = $1`,
});

export const findMembership = statement({
  name: 'find_demo_membership',
  params: ['orgId', 'userId'],
  row: z.object({ role: z.string() }),
  text: `select role from memberships where org_id = $1 and user_id = $2`,
});

/** Dates a merged version, the end of the one before, and its workflow, as if it had been made and merged back then; once. */
export const dateVersion = statement({
  name: 'date_demo_version',
  params: ['orgId', 'id', 'createdAt', 'mergedAt'],
  text: `with dated as (
           update workflow_versions
           set created_at = $3, submitted_at = $3, merged_at = $4, updated_at = $4
           where org_id = $1 and id = $2 and merged_at <> $4
           returning workflow_id, version
         ),
         ended as (
           update workflow_versions before
           set superseded_at = $4
           from dated
           where before.org_id = $1 and before.workflow_id = dated.workflow_id and before.version = dated.version - 1
             and before.status = 'superseded'
         )
         update workflows w
         set created_at = least(w.created_at, $3), updated_at = $4
         from dated where w.org_id = $1 and w.id = dated.workflow_id`,
});
