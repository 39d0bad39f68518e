import { z } from 'zod';
import type { JobGauges, QueryGauges } from '../kernel/gauges.ts';
import { QUEUE_JOBS } from './queue-tables.ts';

const row = z.object({ due: z.number(), running: z.number(), given_up: z.number(), oldest: z.number() });

// Also counts the outbox, because jobs that no dispatcher moves are never executed.
const TEXT = `
  with jobs as (
    select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
           count(*) filter (where locked_at is not null)::int as running,
           count(*) filter (where locked_at is null and attempts >= max_attempts)::int as given_up,
           min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as oldest
    from ${QUEUE_JOBS}
  ), left_over as (
    select count(*)::int as due, min(run_at) as oldest from outbox where run_at <= now()
  )
  select j.due + l.due as due, j.running, j.given_up,
         coalesce(extract(epoch from clock_timestamp() - least(j.oldest, l.oldest)), 0)::float8 as oldest
  from jobs j, left_over l`;

export async function readJobGauges(query: QueryGauges): Promise<JobGauges> {
  const { due, running, given_up: failed, oldest } = row.parse(await query(TEXT));
  return { jobs: { due, running, failed }, oldestJobSeconds: oldest };
}
