import type { LastBackup } from './last-backup.ts';

export type JobGauges = {
  /** Jobs that are due, running, or failed for good. */
  jobs: { due: number; running: number; failed: number };
  /** How long the oldest due job has been waiting. */
  oldestJobSeconds: number;
};

export type TrailGauges = {
  /** Age of the oldest event without a signed checkpoint in any audit trail. */
  unsealedSeconds: number;
  /** Number of audit trails whose last verification found a change. */
  brokenTrails: number;
};

/** The state of an installation, for monitoring. */
export type Gauges = {
  /** False if the data directory is missing or can't be written. */
  hasDataDirectory: boolean;
  lastBackup: LastBackup;
  /** The connections for requests: how many are in use and idle, and how many requests are waiting for one. */
  pool: { busy: number; idle: number; waiting: number };
  /** Null if it can't be read, for example because PostgreSQL isn't responding. */
  database: (JobGauges & TrailGauges) | null;
};

/** Runs a query as the schema's owner, across all organizations, and returns its only row. */
export type QueryGauges = (text: string) => Promise<unknown>;
