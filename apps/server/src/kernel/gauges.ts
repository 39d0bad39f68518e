export type JobGauges = {
  /** Jobs that are due, running, or failed for good. */
  jobs: { due: number; running: number; givenUp: number };
  /** How long the oldest due job has been waiting. */
  oldestJobSeconds: number;
};

export type TrailGauges = {
  /** Age of the oldest event of any audit trail without a signed checkpoint. */
  unsealedSeconds: number;
  /** Audit trails whose last verification found a change. */
  brokenTrails: number;
};

/** The state of an installation for monitoring. Counts; seconds. */
export type Gauges = {
  /** The request connections: in use, idle, and requests waiting for one. */
  pool: { busy: number; idle: number; waiting: number };
  /** Null if PostgreSQL isn't responding. */
  database: (JobGauges & TrailGauges) | null;
};

/** Reads one row over all organizations, as the owner of the schema. */
export type QueryGauges = (text: string) => Promise<unknown>;
