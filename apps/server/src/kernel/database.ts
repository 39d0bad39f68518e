import type { macMessage } from '@stet/domain/audit';
import type { Permission } from '@stet/domain/access';
import type { z } from 'zod';
import type { Tenant } from './actor.ts';
import type { Answer } from './answer.ts';
import type { Change } from './live.ts';
import type { RecordedEvent, UnrecordedEvent } from './recorded-event.ts';

/** An SQL statement that is declared once and prepared under its name. */
export type Statement<P extends string, Row> = {
  readonly name: string;
  readonly text: string;
  /** The names of `$1`, `$2`, … in order. */
  readonly params: readonly P[];
  /**
   * The parameter with a list of rows, which is sent as JSON. Null if there is none. In a shared transaction, writes
   * whose other values are equal usually become one write with all rows.
   */
  readonly list: P | null;
  /**
   * A column of the rows in `list` that contains long texts, and the parameter that contains all of these texts as
   * UTF-8 bytes. Instead of the text, a row has `from` and `size`: the position of its first byte, counted from 1, and
   * the number of bytes.
   */
  readonly long?: { readonly column: string; readonly param: P } | undefined;
  /**
   * The parameters of a read that are arrays in the text of the statement, although callers pass one value. Null if
   * there are none. In a shared transaction, reads that are requested at the same time and whose other values are equal
   * become one execution. Each row has a column `nth`: the position in the arrays, counted from 1.
   */
  readonly each: readonly P[] | null;
  /** The columns of the result, or null if there is none. A test compares them with the migrated schema. */
  readonly row: z.ZodObject | null;
  /** Exists only for the type of the rows, and not at run time. */
  readonly Row?: Row;
};

/** An idempotency key with the digest of its request. */
export type Once = { key: string; digest: string };

/** Values for a statement, by parameter name. */
export type Values<P extends string> = { readonly [K in P]: unknown };

/** A statement with its values, to be sent with the commit. */
export type Write = readonly [Statement<string, unknown>, Record<string, unknown>];

/** Sends a statement on the connection of a transaction. */
export type Send = (s: Statement<string, unknown>, values: Record<string, unknown>) => Promise<unknown[]>;

/** The tenant of a request. */
export type Requester = Extract<Tenant, { userId: string }>;

/** Checks and additional writes in the transactions of requests. */
export type RequestRules = {
  /** Rejects unless the person or token still has these permissions. They can't be revoked until the commit. */
  recheckPermissions: (send: Send, requester: Requester, asked: ReadonlySet<Permission>) => Promise<unknown>;
  /** Returns the response saved under the key, or null. Refuses a different request with the same key. */
  findAnswer: (send: Send, tenant: Tenant, once: Once) => Promise<Answer<unknown> | null>;
  /**
   * Returns the write that saves a response. The write fails if another transaction has saved a response under the key.
   */
  answerToSave: (tenant: Tenant, once: Once, answer: Answer<unknown>) => Write;
};

/** The transaction of a use case. Reads are awaited, and writes are collected and sent with the commit. */
export type Tx = {
  many: <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => Promise<Row[]>;
  /** The only row of the result, or undefined. */
  maybeOne: <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => Promise<Row | undefined>;
  /** Sends the statement with the commit. Its failure rolls back the whole transaction. */
  write: <P extends string>(s: Statement<P, unknown>, values: Values<P>) => void;
  /** Requires that the person or API token also has this permission at commit. Otherwise nothing is saved. */
  needs: (permission: Permission) => void;
  /** Notifies browsers of these changes after the commit. Audited changes are announced automatically. */
  announce: (changes: readonly Change[]) => void;
  /**
   * Writes the reactions to these events, for example notifications. `appendAudit` calls it for all recorded events.
   */
  follow: (events: readonly (RecordedEvent | UnrecordedEvent)[]) => void;
  /** Computes the MAC of an event of this tenant. */
  macOf: (event: Omit<Parameters<typeof macMessage>[0], 'orgId'>) => Buffer;
  /**
   * Sets an organization as the tenant of a transaction that began without one. Later writes see only this
   * organization, until the transaction enters another one.
   */
  enter: (orgId: string) => Tx;
};

/** Receives measurements of `changeRecord` for the metrics. */
export type ChangeObserver = {
  /** Called when a transaction begins. `waitedMs` contains, for each of its changes, how long the change has waited. */
  began: (waitedMs: readonly number[]) => void;
  /**
   * Called when a change is repeated alone, because its transaction failed or ended without it. A slow change is left
   * out of the transaction that it shared.
   */
  repeated: () => void;
};

export type Database = {
  /**
   * Runs `work` in one transaction as the tenant. Rolls back if `work` throws. Also rolls back, with `forbidden`, if
   * the transaction writes something and, since the request arrived, the person or API token has lost the permission of
   * the route, the account was disabled, or the token has ended. Permissions for daily work aren't checked again
   * (`isGoverned`). If `work` is repeatable, it is called again after a deadlock, so it must have no other effects.
   */
  transaction: <T>(
    tenant: Tenant | null,
    work: (tx: Tx) => Promise<T>,
    options?: { isRepeatable?: boolean },
  ) => Promise<T>;
  /** Runs `work` on a snapshot: all its reads see the same state. Writes are refused. */
  snapshot: <T>(tenant: Tenant, work: (tx: Pick<Tx, 'many' | 'maybeOne'>) => Promise<T>) => Promise<T>;
  /**
   * Runs a transaction and saves its response under an idempotency key. If the request is repeated, it gets that
   * response and nothing changes.
   */
  changeOnce: <T>(
    tenant: Tenant,
    once: Once | null,
    work: (tx: Tx) => Promise<Answer<T>>,
    options?: { isRepeatable?: boolean },
  ) => Promise<Answer<T>>;
  /**
   * Like `changeOnce`, for a small change that locks only the given record for update. Changes of different records of
   * an organization that arrive at the same time may share a transaction and its commit. Each of them behaves as if it
   * were alone: if it is refused or fails, it gets its own error, and the others are saved. A change gets its response
   * after the commit. Its audit events are in the order of the commits. Changes of the same record never share a
   * transaction, so a later one sees the state that the earlier one saved. If the shared transaction fails or doesn't
   * wait for `work` because it is slow, or if a deadlock ends the transaction, `work` is called again, so it must have
   * no other effects.
   */
  changeRecord: <T>(
    tenant: Tenant,
    once: Once | null,
    record: string,
    work: (tx: Tx) => Promise<Answer<T>>,
  ) => Promise<Answer<T>>;
  /**
   * Reads the row with a key outside any tenant. Lookups that arrive while another one is running share the next
   * execution of the statement, so each of them sees everything that was committed before it arrived.
   */
  lookUp: <Row extends { key: string }>(s: Statement<'keys', Row>, key: string) => Promise<Row | undefined>;
  /** Sets the observer of `changeRecord`. */
  observeChanges: (observer: ChangeObserver) => void;
  /** Executes one statement outside any tenant, for example before the tenant is known. */
  query: <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => Promise<Row[]>;
  close: () => Promise<void>;
};
