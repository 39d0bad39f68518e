import { weekOf } from '@stet/domain/insights';
import { DAY_MS } from '@stet/domain/sla';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findAsOf } from './cells.sql.ts';

/** The length of the period if its beginning isn't given, in weeks. */
const WEEKS = 26;
/** The most weeks between the first and the last one: about ten years. */
const MAX_WEEKS = 520;
const WEEK_MS = 7 * DAY_MS;

export type InPeriod = { from?: string | undefined; to?: string | undefined };
/** The Mondays of the first and the last week, and the time up to which events are counted. */
export type Period = { first: string; last: string; asOf: string };

export async function readPeriod(tx: Tx, orgId: string, { from, to }: InPeriod): Promise<Period> {
  const found = await tx.maybeOne(findAsOf, { orgId });
  if (!found) throw new Refused({ code: 'not_found', what: 'organization' });
  const last = weekOf(to === undefined ? found.now.getTime() : Date.parse(to));
  const first = from === undefined ? dayOf(Date.parse(last) - (WEEKS - 1) * WEEK_MS) : weekOf(Date.parse(from));
  if (first > last)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'from', problem: 'The period can’t end before it starts' }],
    });
  if (Date.parse(last) - Date.parse(first) > MAX_WEEKS * WEEK_MS)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'from', problem: 'A period can have at most ten years' }],
    });
  return { first, last, asOf: found.as_of.toISOString() };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The period in the format of a response: `to` is the Sunday of the last week. */
export const presentPeriod = ({ first, last, asOf }: Period) => ({
  asOf,
  from: first,
  to: dayOf(Date.parse(last) + 6 * DAY_MS),
});
