import type { AuditRecord } from '@stet/domain/audit';
import type { RunStatus } from '@stet/domain/runs';
import type { SlaState } from '@stet/domain/sla';
import type { AuditedDecisionRow, AuditedPerson, AuditedRunRow, AuditedVersionRow } from './audit.sql.ts';

/** What an export is of: one run, or the runs that were started in a period. Moments as asked for, ISO 8601. */
export type Scope = { kind: 'run'; runId: string } | { kind: 'period'; from: string | null; to: string | null };

/** An event as the chain has it; `record` is null where personal data was erased from it. */
export type TrailEvent = {
  seq: number;
  /** ISO 8601 in UTC with microseconds. */
  at: string;
  actorId: string;
  action: string;
  hash: string;
  record: AuditRecord | null;
};

export type TrailDecision = Omit<AuditedDecisionRow, 'version_id'>;
/** `losses`: the controls that the version took away, in words. */
export type TrailVersion = Omit<AuditedVersionRow, 'id' | 'base_steps'> & {
  decisions: TrailDecision[];
  losses: string[];
};

/** A run as the list of all has it. */
export type ListedRun = Pick<
  AuditedRunRow,
  'id' | 'name' | 'description' | 'workflow_key' | 'workflow_title' | 'version' | 'version_id' | 'priority' | 'state'
>;

/** What is read as it is written, a page at a time: never all of it is there at once. */
type Paged<T> = AsyncIterable<T> | Iterable<T>;

export type TrailRun = ListedRun & { ofVersion: TrailVersion; events: Paged<TrailEvent> };

/** How often each stands there, in order of first appearance. */
export type Tally<T> = ReadonlyMap<T, number>;

export type TrailCounts = {
  runs: number;
  events: number;
  statuses: Tally<RunStatus>;
  slas: Tally<SlaState | null>;
  actions: Tally<string>;
};

/** A signed checkpoint as it is printed, with the key that it is checked by; `at` in epoch milliseconds. */
export type TrailCheckpoint = { size: number; at: number; note: string; key: string };

/** All that a document says, as of one moment. Nothing is left out, so the runs and their events are read as they are written. */
export type Trail = {
  org: { id: string; name: string };
  scope: Scope;
  /** The name of the run, where the export is of one. */
  runName: string | null;
  /** The last event of the chain at that moment; the hash in hex. */
  head: { seq: number; hash: string };
  /** The checkpoint that seals it, signed when the document was made; null where the trail could not be sealed. */
  checkpoint: TrailCheckpoint | null;
  /** The database's clock at that moment, epoch milliseconds. */
  readAt: number;
  exportedBy: AuditedPerson;
  counts: TrailCounts;
  /** The runs, oldest first; each call begins anew. */
  listed: () => Paged<ListedRun>;
  runs: () => Paged<TrailRun>;
};

/**
 * Whether an approval was given by someone who had worked on what was approved, since nobody else could (rulings, section 5).
 * Saving dismisses, so a contributor's approval that stands was one of the content as it is.
 */
export const isSelfApproved = ({ verdict, dismissed, is_contributor }: TrailDecision): boolean =>
  verdict === 'approved' && is_contributor && !dismissed;
