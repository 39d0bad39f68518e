import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/**
 * Only for connections as the owner of the schema. Waits while rows of the organization are being deleted. `has_ended`
 * is computed after the wait.
 */
export const lockEnd = statement({
  name: 'lock_end_of_organization',
  params: ['orgId'],
  row: z.object({ ends_at: z.date().nullable(), has_ended: z.boolean() }),
  text: `with locked as materialized (select ends_at, passed_since from ending_organizations where org_id = $1 for update)
         select ends_at, coalesce(ends_at <= clock_timestamp() and passed_since <= clock_timestamp() - interval '24 hours', false) as has_ended
         from locked`,
});

export const cancelEnd = statement({
  name: 'cancel_end_of_organization',
  params: ['orgId'],
  text: `delete from ending_organizations where org_id = $1`,
});

/** Returns no row if the organization isn't closed for its end, or if the date is already set. */
export const setEnd = statement({
  name: 'set_end_of_organization',
  params: ['orgId', 'days'],
  row: z.object({ ends_at: z.date() }),
  text: `update ending_organizations set ends_at = now() + make_interval(days => $2)
         where org_id = $1 and ends_at is null returning ends_at`,
});
