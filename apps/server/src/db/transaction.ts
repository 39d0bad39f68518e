import type pg from 'pg';
import { macMessage } from '@stet/domain/audit';
import type { Permission } from '@stet/domain/access';
import { type Tenant, isGoverned } from '../kernel/actor.ts';
import type { AuditMac } from '../kernel/deps.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Database, Once, RequestRules, Send, Statement, Tx, Values } from '../kernel/database.ts';
import type { Change } from '../kernel/live.ts';
import type { RecordedEvent, UnrecordedEvent } from '../kernel/recorded-event.ts';
import type { Refused } from '../kernel/refused.ts';
import type { Connections } from './watch-pool.ts';

const begin = { name: 'begin', text: 'begin' };
const beginSnapshot = { name: 'begin_snapshot', text: 'begin isolation level repeatable read read only' };
const beginReadTenant = {
  name: 'set_tenant',
  text: `select set_config('stet.org_id', $1, true)`,
};
const commit = { name: 'commit', text: 'commit' };

const sent = async (
  client: pg.PoolClient,
  s: Statement<string, unknown>,
  values: Record<string, unknown>,
): Promise<unknown[]> => {
  const result = await client.query({ name: s.name, text: s.text, values: s.params.map((name) => values[name]) });
  return result.rows as unknown[];
};

/** Sends everything that `send` queues in one network round trip. */
function together<T>(client: pg.PoolClient, send: () => T): T {
  const stream = (client as unknown as { connection?: { stream?: { cork: () => void; uncork: () => void } } })
    .connection?.stream;
  stream?.cork();
  const result = send();
  process.nextTick(() => stream?.uncork());
  return result;
}

/** Throws the first failure of a batch, in the order of sending. Later failures are consequences of the first. */
async function allSucceeded(batch: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(batch);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Receives the changes of a transaction after it has committed. */
type OnCommitted = (orgId: string, changes: readonly Change[]) => void;

/** Writes the reactions to events in the transaction that records them. */
type Follow = (tx: Tx, orgId: string, events: readonly (RecordedEvent | UnrecordedEvent)[]) => void;

type DatabaseOptions = { onCommitted?: OnCommitted; macOf?: AuditMac['macOf']; follow?: Follow; rules?: RequestRules };

/** Ends a transaction whose response is already saved. */
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
  claimKey: refuseRequests,
  saveAnswer: refuseRequests,
};

export function openDatabase(
  pool: Connections,
  refusalOf: (error: unknown) => Refused | null,
  { onCommitted = () => {}, macOf, follow = () => {}, rules = NO_REQUESTS }: DatabaseOptions = {},
): Database {
  async function run<T>(
    tenant: Tenant | null,
    once: Once | null,
    work: (tx: Tx) => Promise<T>,
    beginning = begin,
  ): Promise<T> {
    const client = await pool.connect();
    const send: Send = (s, values) => sent(client, s, values);
    const writes: [Statement<string, unknown>, Record<string, unknown>][] = [];
    const changes: Change[] = [];
    const neededPermissions = new Set<Permission>();
    if (tenant?.userId && isGoverned(tenant.asks)) neededPermissions.add(tenant.asks);
    let claim: Promise<void> | null = null;
    let opening: Promise<unknown>[] | null = null;
    let broken: Error | undefined;

    const open = (): void => {
      if (opening) return;
      opening = [client.query(beginning)];
      if (tenant) opening.push(client.query({ ...beginReadTenant, values: [tenant.orgId] }));
      if (once && tenant) {
        claim = rules.claimKey(send, tenant, once).then((saved) => {
          if (saved) throw new Replayed(saved);
        });
        opening.push(claim);
      }
      for (const promise of opening) promise.catch(() => undefined);
    };
    const read = async (s: Statement<string, unknown>, values: Record<string, unknown>): Promise<unknown[]> => {
      const rows = together(client, () => {
        open();
        return send(s, values);
      });
      rows.catch(() => undefined);
      // The claim was sent first. If it finds a saved response, the result of this read is discarded.
      if (claim) await claim;
      return await rows;
    };
    const tx: Tx = {
      many: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => (await read(s, values)) as Row[],
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
        return macOf(macMessage({ ...event, orgId: tenant.orgId }));
      },
    };

    try {
      const result = await work(tx);
      // If nothing was read, the key isn't claimed yet. Writes sent together with the claim would be saved even if it
      // found a response.
      if (once && !opening) {
        together(client, open);
        await Promise.all(opening ?? []);
      }
      await together(client, () => {
        open();
        const batch: Promise<unknown>[] = [];
        // This write comes first: if it fails, nothing is saved, so routes don't have to recheck permissions.
        if (tenant?.userId && writes.length > 0 && neededPermissions.size > 0)
          batch.push(rules.recheckPermissions(send, tenant, neededPermissions));
        batch.push(...writes.map(([s, values]) => send(s, values)));
        if (once && tenant) batch.push(rules.saveAnswer(send, tenant, once, result as Answer<unknown>));
        batch.push(client.query(commit).then((done) => [done.command]));
        return allSucceeded([...(opening ?? []), ...batch]);
      });
      if (tenant && changes.length > 0) onCommitted(tenant.orgId, changes);
      return result;
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => (broken = lost));
      if (error instanceof Replayed) return error.answer as T;
      throw refusalOf(error) ?? error;
    } finally {
      client.release(broken);
    }
  }

  return {
    transaction: (tenant, work) => run(tenant, null, work),
    snapshot: (tenant, work) => run(tenant, null, work, beginSnapshot),
    changeOnce: (tenant, once, work) => run(tenant, once, work),
    query: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => {
      const client = await pool.connect();
      try {
        const rows = (await sent(client, s, values)) as Row[];
        client.release();
        return rows;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    close: () => pool.end(),
  };
}
