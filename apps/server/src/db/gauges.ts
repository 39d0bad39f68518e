import type pg from 'pg';
import { z } from 'zod';
import type { Gauges } from '../kernel/gauges.ts';

const row = z.object({
  due: z.number(),
  running: z.number(),
  given_up: z.number(),
  oldest: z.number(),
  unsealed: z.number(),
  broken: z.number(),
});

// The outbox counts as well: what no dispatcher moves is work that nobody does.
const TEXT = `
  with jobs as (
    select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
           count(*) filter (where locked_at is not null)::int as running,
           count(*) filter (where locked_at is null and attempts >= max_attempts)::int as given_up,
           min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as oldest
    from graphile_worker._private_jobs
  ), left_over as (
    select count(*)::int as due, min(run_at) as oldest from outbox where run_at <= now()
  ), unsealed as (
    select min(e.at) as oldest
    from unsealed_organizations() u
    join audit_events e on e.org_id = u.org_id and e.seq = 1 + coalesce(
      (select c.size from audit_checkpoints c where c.org_id = u.org_id order by c.size desc limit 1), 0)
  )
  select j.due + l.due as due, j.running, j.given_up,
         coalesce(extract(epoch from clock_timestamp() - least(j.oldest, l.oldest)), 0)::float8 as oldest,
         coalesce(extract(epoch from clock_timestamp() - u.oldest), 0)::float8 as unsealed,
         (select count(*)::int from audit_verifications where state = 'broken') as broken
  from jobs j, left_over l, unsealed u`;

/** Reads how the installation stands, over all organizations; `pool` works as the owner of the schema. */
export async function readGauges(pool: pg.Pool): Promise<NonNullable<Gauges['database']>> {
  const { rows } = await pool.query<Record<string, unknown>>(TEXT);
  const { due, running, given_up: givenUp, oldest, unsealed, broken } = row.parse(rows[0]);
  return {
    jobs: { due, running, givenUp },
    oldestJobSeconds: oldest,
    unsealedSeconds: unsealed,
    brokenTrails: broken,
  };
}
