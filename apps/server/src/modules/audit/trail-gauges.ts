import { z } from 'zod';
import type { QueryGauges, TrailGauges } from '../../kernel/gauges.ts';

const row = z.object({ unsealed: z.number(), broken: z.number() });

const TEXT = `
  select coalesce(extract(epoch from clock_timestamp() - min(e.at)), 0)::float8 as unsealed,
         (select count(*)::int from audit_verifications where is_broken) as broken
  from unsealed_organizations() u
  join audit_events e on e.org_id = u.org_id and e.seq = 1 + coalesce(
    (select c.size from audit_checkpoints c where c.org_id = u.org_id order by c.size desc limit 1), 0)`;

/** The age of the oldest unsealed event in seconds, and the number of broken trails, in all organizations. */
export async function readTrailGauges(query: QueryGauges): Promise<TrailGauges> {
  const { unsealed, broken } = row.parse(await query(TEXT));
  return { unsealedSeconds: unsealed, brokenTrails: broken };
}
