import type { AuditRecord } from '@stet/domain/audit';
import type { RunStatus } from '@stet/domain/runs';
import type { SlaState } from '@stet/domain/sla';
import type { ExportVerification } from './verify-for-export.ts';
import type { AuditedDecisionRow, AuditedPerson, AuditedRunRow, AuditedVersionRow } from './audit.sql.ts';

/**
 * The scope of an export: one run, or the runs started in a period. Times are in ISO 8601, exactly as in the request.
 */
export type Scope = { kind: 'run'; runId: string } | { kind: 'period'; from: string | null; to: string | null };

/** An event in the chain. `record` is null if personal data was erased from the event. */
export type TrailEvent = {
  seq: number;
  /** ISO 8601 in UTC, with microseconds. */
  at: string;
  actorId: string;
  action: string;
  hash: string;
  record: AuditRecord | null;
};

export type TrailDecision = Omit<AuditedDecisionRow, 'version_id'>;
/** `losses` describes the controls that the version removed, and `unknowns` the changes that only people can judge. */
export type TrailVersion = Omit<AuditedVersionRow, 'id' | 'base_steps'> & {
  decisions: TrailDecision[];
  losses: string[];
  unknowns: string[];
};

/** A run in the list of all runs. */
export type ListedRun = Pick<
  AuditedRunRow,
  'id' | 'name' | 'description' | 'workflow_key' | 'workflow_title' | 'version' | 'version_id' | 'priority' | 'state'
>;

/** A list that is never completely in memory: its pages are read while the document is written. */
type Paged<T> = AsyncIterable<T> | Iterable<T>;

export type TrailRun = ListedRun & { ofVersion: TrailVersion; events: Paged<TrailEvent> };

/** The number of occurrences of each value, in order of first appearance. */
export type Tally<T> = ReadonlyMap<T, number>;

export type TrailCounts = {
  runs: number;
  events: number;
  statuses: Tally<RunStatus>;
  slas: Tally<SlaState | null>;
  actions: Tally<string>;
};

/** A signed checkpoint for printing, with the key that verifies it. `at` is in epoch milliseconds. */
export type TrailCheckpoint = { size: number; at: number; note: string; key: string };

/**
 * All data of a document as of one moment. Runs and events are read page by page while the document is written, because
 * they might not fit in memory.
 */
export type Trail = {
  org: { id: string; name: string };
  scope: Scope;
  /** The name of the run, if the export is about a single run. */
  runName: string | null;
  /** The last event in the chain when the data was read. Its hash is in hex. */
  head: { seq: number; hash: string };
  /**
   * The checkpoint that seals the document's data, signed before the document was written. Null if the trail couldn't
   * be sealed.
   */
  checkpoint: TrailCheckpoint | null;
  /** The result of the verification before the export. */
  verification: ExportVerification;
  /** When the data was read, by the database's clock, in epoch milliseconds. */
  readAt: number;
  exportedBy: AuditedPerson;
  counts: TrailCounts;
  /** The runs, oldest first. Each call starts from the beginning. */
  listed: () => Paged<ListedRun>;
  runs: () => Paged<TrailRun>;
};

/**
 * True if someone approved their own work because nobody else could. Saving dismisses approvals, so a contributor's
 * valid approval applies to the current content.
 */
export const isSelfApproved = ({ verdict, dismissed, is_contributor }: TrailDecision): boolean =>
  verdict === 'approved' && is_contributor && !dismissed;
