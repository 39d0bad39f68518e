import pg from 'pg';
import { z } from 'zod';
import { macMessage } from '@stet/domain/audit';
import type { Permission } from '@stet/domain/access';
import { type Tenant, isGoverned } from '../kernel/actor.ts';
import type { AuditMac } from '../kernel/deps.ts';
import type { Answer } from '../kernel/answer.ts';
import type {
  ChangeObserver,
  Database,
  Once,
  RequestRules,
  Send,
  Statement,
  Tx,
  Values,
  Write,
} from '../kernel/database.ts';
import type { Change } from '../kernel/live.ts';
import type { RecordedEvent, UnrecordedEvent } from '../kernel/recorded-event.ts';
import { Refused } from '../kernel/refused.ts';
import { Batch, type Executed } from './batch.ts';
import { openLanes } from './lanes.ts';
import { type Read, asArrays, distribute, mergeReads } from './merge-reads.ts';
import { withBytes } from './long-texts.ts';
import { mergeWrites } from './merge-writes.ts';
import { statement } from './statement.ts';
import type { Connections } from './watch-pool.ts';

const begin = { name: 'begin', text: 'begin' };
const beginSnapshot = { name: 'begin_snapshot', text: 'begin isolation level repeatable read read only' };
const setLockTimeout = { name: 'set_lock_timeout', text: `select set_config('lock_timeout', $1, true)` };
const setTenant = { name: 'set_tenant', text: `select set_config('stet.org_id', $1, true)` };
// Statements of changes read few rows, by their keys. Without these settings, PostgreSQL would plan some of them at
// each execution, which takes longer than the execution itself. While tables have no statistics yet, it would also
// choose plans that read a whole organization.
const setTenantOfChange = {
  name: 'set_tenant_of_change',
  text: `select set_config('stet.org_id', $1, true), set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true),
                set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_hashjoin', 'off', true),
                set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true),
                set_config('enable_seqscan', 'off', true)`,
};
const commit = { name: 'commit', text: 'commit' };
const enterOrganization = statement({
  name: 'enter_organization',
  params: ['orgId'],
  row: z.object({ org_id: z.string() }),
  text: `select set_config('stet.org_id', $1, true) as org_id`,
});

const execute = (batch: Batch, s: Statement<string, unknown>, values: Record<string, unknown>): Promise<Executed> => {
  const given = s.long ? withBytes(s.list, s.long, values) : values;
  return batch.add({
    name: s.name,
    text: s.text,
    values: s.params.map((name) => (name === s.list ? JSON.stringify(given[name]) : given[name])),
  });
};

/** Sends everything that `add` adds to the batch in one network round trip. If `add` throws, nothing is sent. */
function together<T>(client: pg.PoolClient, add: (batch: Batch) => T): T {
  const batch = new Batch(client);
  const result = add(batch);
  batch.send();
  return result;
}

/** Throws the first failure of a batch, in the order of sending, because later failures are consequences of it. */
async function allSucceeded(batch: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(batch);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Receives the changes of a transaction after it has committed. */
type OnCommitted = (orgId: string, changes: readonly Change[]) => void;

/** Writes the reactions to events in the transaction that records them. */
type Follow = (tx: Tx, orgId: string, events: readonly (RecordedEvent | UnrecordedEvent)[]) => void;

type DatabaseOptions = {
  onCommitted?: OnCommitted;
  /** Called after the commit of a transaction whose writes added jobs to the outbox. */
  onJobs?: () => void;
  macOf?: AuditMac['macOf'];
  follow?: Follow;
  rules?: RequestRules;
  /** Maximum number of transactions in which changes of records are made at the same time, without slow ones. */
  changesAtOnce?: number;
};

/** Ends a piece of work if a response is already saved under its key. */
class Replayed extends Error {
  constructor(readonly answer: Answer<unknown>) {
    super('already answered');
  }
}

const refuseRequests = (): never => {
  throw new Error('this database has no rules for requests');
};
const NO_REQUESTS: RequestRules = {
  recheckPermissions: refuseRequests,
  findAnswer: refuseRequests,
  answerToSave: refuseRequests,
};

/** Work that runs in a transaction, alone or together with other work for the same organization. */
type Piece = {
  tenant: Tenant | null;
  once: Once | null;
  /** The only record that the work locks for update. Null if it may lock any. */
  record: string | null;
  /** True if the work has no effects outside of the transaction, so that it can run again after a deadlock. */
  isRepeatable: boolean;
  work: (tx: Tx) => Promise<unknown>;
};

/** The result of a piece. `again` means that the shared transaction ended without the piece, so it has to run alone. */
type Outcome = { value: unknown; isReplay?: true } | { error: unknown } | 'again';

/**
 * How long a read of a shared transaction waits for a row that another transaction has locked, in milliseconds. This
 * limit doesn't apply to its writes.
 */
const LOCK_PATIENCE_MS = 200;
/** How long a shared transaction waits for its slowest piece, in milliseconds. */
const WORK_PATIENCE_MS = 500;
/** Maximum number of times that a repeatable piece that runs alone is repeated after deadlocks. */
const MAX_REPEATS = 3;

export function openDatabase(
  pool: Connections,
  refusalOf: (error: unknown) => Refused | null,
  {
    onCommitted = () => {},
    onJobs = () => {},
    macOf,
    follow = () => {},
    rules = NO_REQUESTS,
    changesAtOnce = Infinity,
  }: DatabaseOptions = {},
): Database {
  /**
   * Runs all pieces in one transaction. If a piece throws, none of its writes are saved, and the other pieces aren't
   * affected. If a statement fails, nothing at all is saved. Then, if there are several pieces, each one has to run
   * again alone, unless the connection was lost: in that case, they may have been saved, so all of them fail.
   */
  async function transact(
    pieces: readonly Piece[],
    {
      beginning = begin,
      isDecided = () => {},
      connect = () => pool.connect(),
    }: { beginning?: typeof begin; isDecided?: () => void; connect?: Connections['connect'] } = {},
  ): Promise<Outcome[]> {
    const isShared = pieces.length > 1;
    const orgId = pieces[0]?.tenant?.orgId;
    const isChange = pieces.every(({ tenant, record }) => tenant !== null && record !== null);
    // A single change saves its response under a unique key, so a copy of it fails, and then gets the saved response
    // (`once`). If several changes share the transaction, they would all fail with the copy.
    const looksUpKey = isShared || !isChange;
    const client = await connect();
    let opening: Promise<unknown>[] | null = null;
    let failure: { error: unknown } | null = null;
    let isOver = false;
    let broken: Error | undefined;
    let hasJobs = false;
    let outcomes: Outcome[] = [];
    let timer: NodeJS.Timeout | undefined;

    const attempt = (
      batch: Batch,
      s: Statement<string, unknown>,
      values: Record<string, unknown>,
    ): Promise<Executed> => {
      if (isOver) throw new Error('the transaction is over');
      return execute(batch, s, values).catch((error: unknown) => {
        failure ??= { error };
        throw error;
      });
    };
    const sendIn =
      (batch: Batch): Send =>
      async (s, values) =>
        (await attempt(batch, s, values)).rows;
    const write = async (executed: Promise<Executed>, s: Statement<string, unknown>): Promise<void> => {
      const { rowCount } = await executed;
      if (rowCount !== 0 && addsJobs(s)) hasJobs = true;
    };
    let reads: Read[] = [];
    const sendReads = (): void => {
      const requested = reads;
      reads = [];
      if (isOver) return requested.forEach(({ reject }) => reject(new Error('the transaction is over')));
      const executions = isShared ? mergeReads(requested) : requested.flatMap((read) => mergeReads([read]));
      together(client, (batch) => {
        void open(batch);
        const send = sendIn(batch);
        for (const execution of executions)
          send(execution.s, execution.values).then(
            (rows) => distribute(execution, rows),
            (error: unknown) => execution.reads.forEach(({ reject }) => reject(error)),
          );
      });
    };
    /** Sends a read together with all others that are requested in the same turn of the event loop. */
    const request: Send = (s, values) =>
      new Promise((resolve, reject) => {
        if (reads.length === 0) process.nextTick(sendReads);
        reads.push({ s, values, resolve, reject });
      });
    const open = (batch: Batch): Promise<unknown>[] => {
      if (opening) return opening;
      opening = [batch.add(beginning)];
      if (isChange) {
        const lockPatience = isShared ? String(LOCK_PATIENCE_MS) : null;
        opening.push(batch.add({ values: [orgId, lockPatience], ...setTenantOfChange }));
      } else if (orgId !== undefined) opening.push(batch.add({ values: [orgId], ...setTenant }));
      for (const promise of opening) promise.catch(() => undefined);
      return opening;
    };

    function begun({ tenant, once, record, work }: Piece) {
      const writes: Write[] = [];
      const changes: Change[] = [];
      const changesInside = new Map<string, Change[]>();
      const neededPermissions = new Set<Permission>();
      if (tenant?.userId && isGoverned(tenant.asks)) neededPermissions.add(tenant.asks);
      let replay: Promise<void> | null = null;
      const read = async (s: Statement<string, unknown>, values: Record<string, unknown>): Promise<unknown[]> => {
        if (record !== null && locksOtherThan(record, s, values))
          throw new Error(`${s.name} locks another record than the one that the change named`);
        if (looksUpKey && once && tenant && !replay) {
          replay = rules.findAnswer(request, tenant, once).then((saved) => {
            if (saved) throw new Replayed(saved);
          });
          replay.catch(() => undefined);
        }
        const rows = request(s, values);
        rows.catch(() => undefined);
        // The saved response was requested before this read. If there is one, the result of the read is discarded.
        await replay;
        return await rows;
      };
      const tx: Tx = {
        many: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) =>
          (await read(s, values)) as Row[],
        maybeOne: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) =>
          (await read(s, values))[0] as Row | undefined,
        write: (s, values) => writes.push([s, values]),
        needs: (permission) => neededPermissions.add(permission),
        announce: (more) => changes.push(...more),
        follow: (events) => {
          if (tenant) follow(tx, tenant.orgId, events);
        },
        macOf: (event) => {
          if (!tenant || !macOf) throw new Error("this database can't append audit events");
          return macOf(macMessage({ orgId: tenant.orgId, ...event }));
        },
        enter: (entered) => {
          if (tenant || !macOf) throw new Error("this transaction can't enter an organization");
          tx.write(enterOrganization, { orgId: entered });
          const announced = changesInside.get(entered) ?? [];
          changesInside.set(entered, announced);
          const inside: Tx = {
            ...tx,
            announce: (more) => announced.push(...more),
            follow: (events) => follow(inside, entered, events),
            macOf: (event) => macOf(macMessage({ orgId: entered, ...event })),
          };
          return inside;
        },
      };
      // `work` may also throw before it returns a promise.
      const outcome = (async () => work(tx))().then(
        (value): Outcome => ({ value }),
        (error: unknown): Outcome => (error instanceof Replayed ? { value: error.answer, isReplay: true } : { error }),
      );
      return { tenant, once, writes, changes, changesInside, neededPermissions, outcome };
    }

    try {
      const all = pieces.map(begun);
      const patience = new Promise<Outcome>((resolve) => {
        if (isShared) timer = setTimeout(() => resolve('again'), WORK_PATIENCE_MS);
      });
      outcomes = await Promise.all(all.map(({ outcome }) => Promise.race([outcome, patience])));
      if (reads.length > 0) sendReads();
      const done = all.flatMap((piece, at) => {
        const outcome = outcomes[at];
        return isNew(outcome) ? [{ value: outcome.value, ...piece }] : [];
      });
      if (failure && (isShared || done.length > 0)) throw (failure as { error: unknown }).error;
      if (done.length === 0) {
        await client.query('rollback').catch((lost: Error) => (broken = lost));
        return outcomes;
      }
      isDecided();
      await together(client, (batch) => {
        const sent = [...open(batch)];
        // All changes wait for the head of the audit trail, so this lock may take longer than the limit for reads.
        if (isShared) sent.push(batch.add({ values: ['0'], ...setLockTimeout }));
        // Permissions are rechecked first. If this fails, nothing is saved, so routes don't have to recheck them.
        for (const { tenant, writes, neededPermissions } of done) {
          if (tenant?.userId && writes.length > 0 && neededPermissions.size > 0)
            sent.push(rules.recheckPermissions(sendIn(batch), tenant, neededPermissions));
        }
        const writes = mergeWrites(
          done.map(({ tenant, once: key, value, writes: own }) =>
            key && tenant ? [rules.answerToSave(tenant, key, value as Answer<unknown>), ...own] : own,
          ),
        );
        for (const [s, values] of writes) sent.push(write(attempt(batch, s, values), s));
        sent.push(batch.add(commit));
        return allSucceeded(sent);
      });
      const changes = done.flatMap((piece) => piece.changes);
      if (orgId !== undefined && changes.length > 0) onCommitted(orgId, changes);
      for (const [entered, announced] of done.flatMap((piece) => [...piece.changesInside]))
        if (announced.length > 0) onCommitted(entered, announced);
      if (hasJobs) onJobs();
      return outcomes;
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => (broken = lost));
      const failed: Outcome = isShared && isRolledBack(error) ? 'again' : { error };
      return pieces.map((_, at) => {
        const outcome = outcomes[at];
        // A replayed response was committed earlier, so it doesn't depend on this transaction.
        return typeof outcome === 'object' && 'value' in outcome && outcome.isReplay ? outcome : failed;
      });
    } finally {
      clearTimeout(timer);
      isOver = true;
      client.release(broken);
    }
  }

  async function alone(piece: Piece, options: Parameters<typeof transact>[1] = {}): Promise<unknown> {
    for (let left = piece.isRepeatable ? MAX_REPEATS : 0; ; left -= 1) {
      const [outcome] = await transact([piece], options);
      if (left === 0 || !isDeadlock(outcome)) return unwrapOutcome(outcome);
    }
  }

  const unwrapOutcome = (outcome: Outcome | undefined): unknown => {
    if (outcome === undefined || outcome === 'again') throw new Error('this work has no result');
    if ('error' in outcome) throw refusalOf(outcome.error) ?? outcome.error;
    return outcome.value;
  };

  async function query(
    s: Statement<string, unknown>,
    values: Record<string, unknown>,
    connect = () => pool.connect(),
  ): Promise<unknown[]> {
    const client = await connect();
    try {
      const { rows } = await together(client, (batch) => execute(batch, s, values));
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  const connectSoon = (): Promise<pg.PoolClient> => (pool.connectSoon ? pool.connectSoon() : pool.connect());
  const changeAlone = (piece: Piece): Promise<unknown> => alone(piece, { connect: connectSoon });
  const lookups = openLanes<{ s: Statement<'keys', unknown>; key: string }>(async (items) => {
    const [first] = items;
    if (!first) return [];
    const keys = [...new Set(items.map(({ key }) => key))];
    const rows = (await query(first.s, { keys }, connectSoon)) as { key: string }[];
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return items.map(
      ({ key }) =>
        async () =>
          byKey.get(key),
    );
  });

  let observer: ChangeObserver = { began: () => {}, repeated: () => {} };
  const lanes = openLanes<Piece>(
    async (pieces, isDecided) => {
      const outcomes = await transact(pieces, { isDecided, connect: connectSoon });
      return outcomes.map((outcome, at) => {
        const piece = pieces[at];
        return async () => {
          if (!piece || (outcome !== 'again' && !isDeadlock(outcome))) return unwrapOutcome(outcome);
          observer.repeated();
          return await changeAlone(piece);
        };
      });
    },
    { onBegin: (waitedMs) => observer.began(waitedMs), maxOpen: changesAtOnce },
  );

  async function savedAnswer(tenant: Tenant, once: Once): Promise<Answer<unknown> | null> {
    const client = await connectSoon();
    let broken = true;
    try {
      const { answer, ended } = together(client, (batch) => {
        const opening = [batch.add(begin), batch.add({ values: [tenant.orgId], ...setTenant })];
        const send: Send = async (s, values) => (await execute(batch, s, asArrays(s, [values]))).rows;
        const found = rules.findAnswer(send, tenant, once);
        found.catch(() => undefined);
        return { answer: found, ended: Promise.all([...opening, batch.add(commit)]) };
      });
      await ended;
      // A refusal, for example of a different request with the same key, isn't a failure of the connection.
      broken = false;
      return await answer;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Runs the work of a request. If it fails, but a copy of the request has succeeded, returns the response of that
   * copy, which was committed together with its changes. Nothing is looked up if the database is unavailable.
   */
  async function once<T>(piece: Piece, run: (piece: Piece) => Promise<unknown>): Promise<Answer<T>> {
    try {
      return (await run(piece)) as Answer<T>;
    } catch (error) {
      const isUnavailable = error instanceof Refused && error.refusal.code === 'database_unavailable';
      const saved = piece.tenant && piece.once && !isUnavailable ? await savedAnswer(piece.tenant, piece.once) : null;
      if (!saved) throw error;
      return saved as Answer<T>;
    }
  }

  const inLane = (piece: Piece): Promise<unknown> => {
    const { tenant, record } = piece;
    return tenant && record !== null
      ? lanes({
          item: piece,
          lane: tenant.orgId,
          // Two changes of one record, or two copies of a request, must not share a transaction.
          marks: [`record ${record}`, ...(piece.once ? [`key ${tenant.userId ?? ''} ${piece.once.key}`] : [])],
          order: record,
        })
      : changeAlone(piece);
  };

  return {
    transaction: async <T>(tenant: Tenant | null, work: (tx: Tx) => Promise<T>, { isRepeatable = false } = {}) =>
      (await alone({ tenant, once: null, record: null, isRepeatable, work })) as T,
    snapshot: async <T>(tenant: Tenant, work: (tx: Pick<Tx, 'many' | 'maybeOne'>) => Promise<T>) =>
      (await alone({ tenant, once: null, record: null, isRepeatable: false, work }, { beginning: beginSnapshot })) as T,
    changeOnce: (tenant, key, work, { isRepeatable = false } = {}) =>
      once({ tenant, once: key, record: null, isRepeatable, work }, changeAlone),
    changeRecord: (tenant, key, record, work) => once({ tenant, once: key, record, isRepeatable: true, work }, inLane),
    observeChanges: (given) => (observer = given),
    lookUp: async <Row extends { key: string }>(s: Statement<'keys', Row>, key: string) =>
      (await lookups({ item: { s, key }, lane: s.name, marks: [], order: key })) as Row | undefined,
    query: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => (await query(s, values)) as Row[],
    close: () => pool.end(),
  };
}

/** True if the piece was decided in this transaction and has to be saved. */
const isNew = (outcome: Outcome | undefined): outcome is { value: unknown } =>
  outcome !== undefined && outcome !== 'again' && 'value' in outcome && !outcome.isReplay;

const LOCKS = /\bfor (?:no key )?update\b/;

const locksOtherThan = (record: string, s: Statement<string, unknown>, values: Record<string, unknown>): boolean =>
  LOCKS.test(s.text) && !Object.values(values).includes(record);

const jobAdders = new WeakMap<Statement<string, unknown>, boolean>();

/** True if the statement inserts jobs. */
function addsJobs(s: Statement<string, unknown>): boolean {
  const known = jobAdders.get(s) ?? /\binsert into outbox\b/.test(s.text);
  jobAdders.set(s, known);
  return known;
}

/** True if PostgreSQL ended the transaction so that another one, which waited for it, can continue. */
const isDeadlock = (outcome: Outcome | undefined): boolean =>
  typeof outcome === 'object' &&
  'error' in outcome &&
  outcome.error instanceof pg.DatabaseError &&
  outcome.error.code === '40P01';

const CONNECTION_LOST = /^(?:08|57P0|25P03)/;

/** True if it is certain that nothing was saved. If the connection is lost, the commit may have succeeded. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !CONNECTION_LOST.test(error.code ?? '08');
