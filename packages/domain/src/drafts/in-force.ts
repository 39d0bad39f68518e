import type { AuditAction } from '../audit/actions.ts';
import { DAY_MS } from '../sla/duration.ts';
import { momentOf, offsetsOf } from '../sla/time-zone.ts';

/** The audit actions that change which version of a workflow is in force. */
export const LIVE_CHANGE_ACTIONS = [
  'draft.merged',
  'version.rolled_back',
  'workflow.archived',
] as const satisfies readonly AuditAction[];

/** A change of which version of a workflow is in force. `at` is in microseconds since 1970. */
export type LiveChange =
  | { act: 'merge' | 'rollback'; at: bigint; version: number; isEmergency: boolean }
  | { act: 'archive'; at: bigint };

type GoingLive<Change extends LiveChange> = Extract<Change, { version: number }>;

/**
 * A period in which a version was in force: from `from` to before `until`, in microseconds since 1970. `until` is null
 * while it is in force. A version that a rollback made live again has several periods.
 */
export type PeriodInForce<Change extends LiveChange = LiveChange> = {
  version: number;
  from: bigint;
  until: bigint | null;
  /** The merge or rollback that put the version in force. */
  began: GoingLive<Change>;
  /** The change that ended the period: the next merge or rollback, or the archiving of the workflow. Null while it lasts. */
  ended: Change | null;
};

/** Returns the change that an audit event records, or null if the event doesn't record one. */
export function liveChangeOf(event: {
  action: string;
  at: bigint;
  data: Readonly<Record<string, unknown>>;
}): LiveChange | null {
  const { action, at, data } = event;
  const isEmergency = data['emergency'] === true;
  switch (action) {
    case 'draft.merged':
      return typeof data['version'] === 'number' ? { act: 'merge', at, version: data['version'], isEmergency } : null;
    case 'version.rolled_back':
      return typeof data['to'] === 'number' ? { act: 'rollback', at, version: data['to'], isEmergency } : null;
    case 'workflow.archived':
      return { act: 'archive', at };
    default:
      return null;
  }
}

/**
 * Returns the periods in force of a workflow's versions, oldest first. They don't overlap. Archiving ends the last one,
 * because an archived workflow can't start runs. A workflow that can be deleted was never live, so it has no periods.
 * @param changes all changes of one workflow, in any order
 */
export function periodsInForce<Change extends LiveChange>(changes: readonly Change[]): PeriodInForce<Change>[] {
  const periods: PeriodInForce<Change>[] = [];
  for (const change of changes.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))) {
    const last = periods.at(-1);
    if (last?.until === null) {
      if (isGoingLive(change) && change.version === last.version) continue;
      periods[periods.length - 1] = { ...last, until: change.at, ended: change };
    }
    if (isGoingLive(change))
      periods.push({ version: change.version, from: change.at, until: null, began: change, ended: null });
  }
  return periods;
}

/** Returns the period that contains an instant (microseconds since 1970), or null if no version was in force then. */
export function inForceAt<Change extends LiveChange>(
  periods: readonly PeriodInForce<Change>[],
  instant: bigint,
): PeriodInForce<Change> | null {
  return periods.find(({ from, until }) => from <= instant && (until === null || instant < until)) ?? null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the instant (microseconds since 1970) of a valid date or ISO 8601 time. For a date, it is the last
 * microsecond of that day in the time zone.
 */
export function asOfInstant(asOf: string, timeZone: string): bigint {
  if (DAY.test(asOf)) {
    const nextDay = Date.parse(`${asOf}T00:00:00Z`) + DAY_MS;
    return BigInt(momentOf(nextDay, offsetsOf(timeZone))) * 1000n - 1n;
  }
  const [fraction = ''] = /\.\d+/.exec(asOf) ?? [];
  const seconds = Date.parse(asOf.replace(fraction, ''));
  return BigInt(seconds) * 1000n + BigInt(fraction.slice(1, 7).padEnd(6, '0'));
}

const isGoingLive = <Change extends LiveChange>(change: Change): change is GoingLive<Change> =>
  change.act !== 'archive';
