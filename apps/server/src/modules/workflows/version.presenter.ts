import type { Emergency, PeriodInForce as PresentedPeriod, VersionInForce, VersionRecord } from '@stet/contract';
import { momentText, readMoment } from '@stet/domain/audit';
import { type LiveChange, type PeriodInForce, liveChangeOf, periodsInForce } from '@stet/domain/drafts';
import type { ApprovedVersionRow, EmergencyRow, PersonRow, VersionRow } from './version-columns.ts';
import type { LiveChangeRow } from './versions.sql.ts';

const iso = (moment: string): string => new Date(moment).toISOString();

/** An emergency and its state: ratified, refused, or neither yet. Null if there was none. */
export function presentEmergency(row: EmergencyRow | null): Emergency | null {
  if (row === null) return null;
  const { by, at, reason, status, decider, decidedAt, decidedBecause } = row;
  const decided = decider !== null && decidedAt !== null ? { by: decider, at: iso(decidedAt) } : null;
  return {
    by,
    at: iso(at),
    reason,
    ratified: status === 'confirmed' ? decided : null,
    refused: status === 'refused' && decided !== null ? { ...decided, reason: decidedBecause } : null,
  };
}

/** A version record (specification, section 3). */
export const presentVersion = (row: VersionRow): VersionRecord => ({
  id: row.id,
  status: row.status,
  version: row.version,
  label: row.version === null ? 'Draft' : `v${row.version}`,
  revision: row.revision,
  contentHash: row.content_hash,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  createdBy: row.created_by,
  stepsCount: row.steps_count,
  summary: row.summary,
  approvalsCount: row.approvals_count,
  commentsCount: row.comments_count,
  approvals: row.merged_with,
  emergency: presentEmergency(row.emergency),
});

type RecordedChange = LiveChange & { by: PersonRow | null; reason: string | null };
export type RecordedPeriod = PeriodInForce<RecordedChange>;

/** Returns the periods in force of a workflow's versions from its events, oldest first. */
export function readPeriods(rows: readonly LiveChangeRow[]): RecordedPeriod[] {
  const changes = rows.flatMap(({ at: text, action, data, by }): RecordedChange[] => {
    const at = readMoment(text);
    const change = at === null ? null : liveChangeOf({ action, at, data });
    const reason = data['reason'];
    return change === null ? [] : [{ ...change, by, reason: typeof reason === 'string' ? reason : null }];
  });
  return periodsInForce(changes);
}

const presentPeriod = ({ from, until, began, ended }: RecordedPeriod): PresentedPeriod => ({
  from: momentText(from),
  until: until === null ? null : momentText(until),
  act: began.act,
  by: began.by,
  reason: began.reason,
  isEmergency: began.isEmergency,
  endedBy: ended?.act ?? null,
});

/** A version record with its approvals and the periods in which it was in force. */
export const presentInForce = (row: ApprovedVersionRow, periods: readonly RecordedPeriod[]): VersionInForce => ({
  ...presentVersion(row),
  approvals: row.approvals.map(({ reviewer, onBehalfOf, at, comment, isContributor }) => {
    const counting = row.merged_with?.find((approval) => approval.reviewer.id === reviewer.id);
    return {
      reviewer,
      ...(onBehalfOf && { onBehalfOf }),
      at: iso(at),
      comment,
      // A contributor can approve only if nobody else could have.
      selfApproved: isContributor,
      marks: counting?.marks ?? [],
      counted: row.merged_with === null ? null : counting !== undefined,
    };
  }),
  inForce: periods.filter(({ version }) => version === row.version).map(presentPeriod),
});
