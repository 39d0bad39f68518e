import pg from 'pg';
import { LARGE_BYTES, bindMessage, hasLargeValue } from './large-values.ts';

/** A statement that is prepared under its name, with its values. */
export type Execution = { name: string; text: string; values?: unknown[] };

/** `rowCount` is the number of rows that were returned or changed. It is 0 for commands like `begin`. */
export type Executed = { rows: unknown[]; rowCount: number };

type Column = { name: string; parse: (text: string) => unknown };

type Pending = Execution & {
  rows: Record<string, unknown>[];
  resolve: (result: Executed) => void;
  reject: (error: unknown) => void;
};

/**
 * The parts of `pg`'s connection that a batch needs. Its methods pass their messages to `_send`, which a batch
 * replaces.
 */
type Wire = {
  stream: { write: (bytes: Buffer) => boolean; writable: boolean; cork: () => void; uncork: () => void };
  close: (message: { type: 'S'; name: string }) => void;
  parse: (message: { name: string; text: string }) => void;
  bind: (message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }) => void;
  describe: (message: { type: 'P' }) => void;
  execute: (message: object) => void;
  sync: () => void;
};
type Client = { connection: Wire; getTypeParser: (oid: number, format: 'text') => (text: string) => unknown };
type Query = new (text: string) => { submit: (connection: Wire) => Error | null; callback?: () => void };

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/** The columns of the statements that each connection has prepared. */
const prepared = new WeakMap<Client, Map<string, readonly Column[]>>();

/**
 * Statements that are sent together and answered together. `pg` would send a `Sync` after each of them and request the
 * columns of each result, and PostgreSQL would respond to each separately. A batch sends one `Sync`, and requests a
 * statement's columns only the first time it is used on a connection, and again after it failed.
 *
 * If a statement fails, PostgreSQL skips the later ones, so they fail with the same error. The last one, unless it is
 * a commit, succeeds only after the `Sync`, because a statement that isn't in a transaction is committed with it.
 */
export class Batch extends (pg.Query as unknown as Query) {
  readonly #client: Client;
  readonly #known: Map<string, readonly Column[]>;
  readonly #pending: Pending[] = [];
  #at = 0;
  #isSent = false;
  #answerLast = (): void => {};

  constructor(client: pg.PoolClient) {
    super('');
    this.#client = client as unknown as Client;
    const known = prepared.get(this.#client) ?? new Map<string, readonly Column[]>();
    prepared.set(this.#client, known);
    this.#known = known;
  }

  add(execution: Execution): Promise<Executed> {
    if (this.#isSent) throw new Error(`${execution.name} was added to a batch that has been sent`);
    return new Promise((resolve, reject) => this.#pending.push({ rows: [], resolve, reject, ...execution }));
  }

  send(): void {
    this.#isSent = true;
    if (this.#pending.length > 0) (this.#client as unknown as pg.PoolClient).query(this as unknown as pg.Submittable);
  }

  /** `pg` calls this method to send the messages, and the methods below with PostgreSQL's responses. */
  override submit = (connection: Wire): Error | null => {
    try {
      write(connection, this.#messages(connection));
      return null;
    } catch (error) {
      return error as Error;
    }
  };

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#client.getTypeParser(dataTypeID, 'text'),
    }));
    this.#known.set(this.#current.name, columns);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { name, rows, reject } = this.#current;
    try {
      const columns = this.#known.get(name);
      if (!columns) throw new Error(`the columns of ${name} are unknown`);
      rows.push(rowOf(columns, fields));
    } catch (error) {
      reject(error);
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name, rows, resolve, reject } = this.#current;
    if (!this.#known.has(name)) this.#known.set(name, []);
    this.#at += 1;
    const answer = (): void => resolve({ rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    // PostgreSQL responds with `ROLLBACK` to the commit of a failed transaction.
    if (name === 'commit' && text === 'ROLLBACK') reject(new Error('The transaction was rolled back'));
    else if (text === 'COMMIT' || this.#at < this.#pending.length) answer();
    else this.#answerLast = answer;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: unknown): void {
    this.callback?.();
    // After an error between the last statement and the Sync, the last statement has failed.
    const failed = this.#pending.slice(Math.min(this.#at, this.#pending.length - 1));
    // The failed statement may or may not be prepared.
    if (failed[0]) this.#known.delete(failed[0].name);
    for (const { reject } of failed) reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#pending.length) this.handleError(new Error('PostgreSQL didn’t answer every statement'));
    this.#answerLast();
    // Stops the timer of `query_timeout`.
    this.callback?.();
  }

  get #current(): Pending {
    const current = this.#pending[this.#at];
    if (!current) throw new Error('PostgreSQL answered more statements than were sent');
    return current;
  }

  #messages(connection: Wire): Buffer[] {
    const messages: Buffer[] = [];
    const collecting = Object.create(connection, {
      _send: { value: (message: Buffer) => messages.push(message) },
    }) as Wire;
    const parsed = new Set<string>();
    for (const { name, text, values = [] } of this.#pending) {
      const isNew = !this.#known.has(name) && !parsed.has(name);
      if (isNew) {
        parsed.add(name);
        // An earlier execution may have failed after its statement was prepared.
        collecting.close({ type: 'S', name });
        collecting.parse({ name, text });
      }
      const bound = { statement: name, values, valueMapper: prepareValue };
      if (hasLargeValue(values)) messages.push(...bindMessage(bound));
      else collecting.bind(bound);
      if (isNew) collecting.describe({ type: 'P' });
      collecting.execute({});
    }
    collecting.sync();
    return messages;
  }
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach(({ name, parse }, at) => {
    const text = fields[at] ?? null;
    row[name] = text === null ? null : parse(text);
  });
  return row;
}

function write({ stream }: Wire, messages: readonly Buffer[]): void {
  if (!stream.writable) return;
  // Large values aren't copied.
  if (messages.some(({ length }) => length >= LARGE_BYTES)) {
    stream.cork();
    for (const message of messages) stream.write(message);
    stream.uncork();
  } else stream.write(Buffer.concat(messages));
}
