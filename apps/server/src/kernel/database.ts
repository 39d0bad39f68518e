import type { Permission } from '@stet/domain/access';
import type { z } from 'zod';
import type { Tenant } from './actor.ts';
import type { Answer } from './answer.ts';
import type { Change } from './live.ts';

/** One SQL statement, declared once and prepared under its name. */
export type Statement<P extends string, Row> = {
  readonly name: string;
  readonly text: string;
  /** Names of `$1`, `$2`, … in order. */
  readonly params: readonly P[];
  /** The columns it answers with; null where it answers none. A test holds it against the migrated schema. */
  readonly row: z.ZodObject | null;
  /** Carries the row's type; never there at run time. */
  readonly Row?: Row;
};

/** An Idempotency-Key with the digest of the request that it came with. */
export type Once = { key: string; digest: string };

/** Values for a statement, by the names of its parameters. */
export type Values<P extends string> = { readonly [K in P]: unknown };

/** What a use case works with: reads are awaited, writes are gathered and sent together with the commit. */
export type Tx = {
  many: <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => Promise<Row[]>;
  /** The one row, or undefined. */
  maybeOne: <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => Promise<Row | undefined>;
  /** Sent with the commit; a failure of it undoes the whole transaction. */
  write: <P extends string>(s: Statement<P, unknown>, values: Values<P>) => void;
  /** What is done is kept only if the person holds this permission too at the commit. */
  needs: (permission: Permission) => void;
  /** Tells browsers of this once it is committed. What is audited is told by itself. */
  announce: (changes: readonly Change[]) => void;
};

export type Database = {
  /**
   * Runs `work` in one transaction as the tenant. All is kept, or, where it throws, nothing. Nothing either where the person
   * has lost, since the request came in, the permission that its route asks for: `forbidden`.
   */
  transaction: <T>(tenant: Tenant | null, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Reads as of one moment for as long as `work` takes; writes are refused. */
  snapshot: <T>(tenant: Tenant, work: (tx: Pick<Tx, 'many' | 'maybeOne'>) => Promise<T>) => Promise<T>;
  /** A transaction whose answer is kept under an Idempotency-Key: the same request again gets that answer, and nothing happens. */
  changeOnce: <T>(tenant: Tenant, once: Once | null, work: (tx: Tx) => Promise<Answer<T>>) => Promise<Answer<T>>;
  /** One statement on its own, outside any tenant: what comes before a tenant is known. */
  query: <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => Promise<Row[]>;
  close: () => Promise<void>;
};
