import type { AuditRecord } from '@stet/domain/audit';
import type { AuditedDecisionRow, AuditedPerson, AuditedRunRow, AuditedVersionRow } from './audit.sql.ts';

/** The most that one document takes; what is past it is counted on the cover. */
export const EXPORT_LIMITS = { runs: 500, events: 20_000, bytes: 48 * 1024 * 1024 } as const;

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
export type TrailVersion = Omit<AuditedVersionRow, 'id'> & { decisions: TrailDecision[] };

export type TrailRun = Omit<AuditedRunRow, 'total' | 'head_seq' | 'head_hash'> & {
  ofVersion: TrailVersion;
  events: TrailEvent[];
  /** How many of its events are past the limit. */
  eventsLeftOut: number;
};

/** A signed checkpoint as it is printed, with the key that it is checked by; `at` in epoch milliseconds. */
export type TrailCheckpoint = { size: number; at: number; note: string; key: string };

/** All that a document says, read at one moment. */
export type Trail = {
  org: { id: string; name: string };
  scope: Scope;
  /** The last event of the chain at that moment; the hash in hex. */
  head: { seq: number; hash: string };
  /** The checkpoint that seals it, signed when the document was made; null where the trail could not be sealed. */
  checkpoint: TrailCheckpoint | null;
  /** The database's clock at that moment, epoch milliseconds. */
  readAt: number;
  exportedBy: AuditedPerson;
  runs: TrailRun[];
  runsLeftOut: number;
};

export const eventCount = ({ runs }: Pick<Trail, 'runs'>): number =>
  runs.reduce((sum, { events }) => sum + events.length, 0);

/**
 * Whether an approval was given by someone who had worked on what was approved, since nobody else could (rulings, section 5).
 * Saving dismisses, so a contributor's approval that stands was one of the content as it is.
 */
export const isSelfApproved = ({ verdict, dismissed, is_contributor }: TrailDecision): boolean =>
  verdict === 'approved' && is_contributor && !dismissed;
