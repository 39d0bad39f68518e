/** How an installation stands now, for those who watch it. Counts; seconds. */
export type Gauges = {
  /** Connections that requests share: in use, at rest, and requests that wait for one. */
  pool: { busy: number; idle: number; waiting: number };
  /** Null where PostgreSQL doesn't answer. */
  database: {
    /** Jobs that are due, are being done, or were given up. */
    jobs: { due: number; running: number; givenUp: number };
    /** For how long the oldest job that is due has waited. */
    oldestJobSeconds: number;
    /** For how long the oldest event of any audit trail has had no signed checkpoint. */
    unsealedSeconds: number;
    /** Audit trails whose last verification found a change. */
    brokenTrails: number;
  } | null;
};
