import type pg from 'pg';
import type { Permission } from '@stet/domain/access';
import { type Tenant, isGoverned } from '../kernel/actor.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Database, Once, Statement, Tx, Values } from '../kernel/database.ts';
import type { Change } from '../kernel/live.ts';
import type { Refused } from '../kernel/refused.ts';
import { Replayed, claimKey, keepAnswer } from './idempotency.ts';
import type { Connections } from './pulse.ts';
import { holdStanding } from './standing.ts';

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

/** Sends all that `send` queues in one piece, so that it costs one trip over the network. */
function together<T>(client: pg.PoolClient, send: () => T): T {
  const stream = (client as unknown as { connection?: { stream?: { cork: () => void; uncork: () => void } } })
    .connection?.stream;
  stream?.cork();
  const result = send();
  process.nextTick(() => stream?.uncork());
  return result;
}

/** Throws the first failure of a batch that was sent together, in the order of sending: later ones only follow from it. */
async function allKept(batch: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(batch);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Hears what a transaction changed, once it is committed. */
type OnCommitted = (orgId: string, changes: readonly Change[]) => void;

export function openDatabase(
  pool: Connections,
  refusalOf: (error: unknown) => Refused | null,
  onCommitted: OnCommitted = () => {},
): Database {
  async function run<T>(
    tenant: Tenant | null,
    once: Once | null,
    work: (tx: Tx) => Promise<T>,
    beginning = begin,
  ): Promise<T> {
    const client = await pool.connect();
    const writes: [Statement<string, unknown>, Record<string, unknown>][] = [];
    const changes: Change[] = [];
    const asked = new Set<Permission>();
    if (tenant?.userId && isGoverned(tenant.asks)) asked.add(tenant.asks);
    let claim: Promise<void> | null = null;
    let opening: Promise<unknown>[] | null = null;
    let broken: Error | undefined;

    const open = (): void => {
      if (opening) return;
      opening = [client.query(beginning)];
      if (tenant) opening.push(client.query({ ...beginReadTenant, values: [tenant.orgId] }));
      if (once && tenant) {
        claim = claimKey((s, values) => sent(client, s, values), tenant, once);
        opening.push(claim);
      }
      for (const promise of opening) promise.catch(() => undefined);
    };
    const read = async (s: Statement<string, unknown>, values: Record<string, unknown>): Promise<unknown[]> => {
      const rows = together(client, () => {
        open();
        return sent(client, s, values);
      });
      rows.catch(() => undefined);
      // The claim was sent first; where it finds the answer kept, what this read found doesn't count.
      if (claim) await claim;
      return await rows;
    };
    const tx: Tx = {
      many: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) => (await read(s, values)) as Row[],
      maybeOne: async <P extends string, Row>(s: Statement<P, Row>, values: Values<P>) =>
        (await read(s, values))[0] as Row | undefined,
      write: (s, values) => writes.push([s, values]),
      needs: (permission) => asked.add(permission),
      announce: (more) => changes.push(...more),
    };

    try {
      const result = await work(tx);
      // Where nothing was read the key isn't claimed yet, and writes that come with the claim would be kept whatever it finds.
      if (once && !opening) {
        together(client, open);
        await Promise.all(opening ?? []);
      }
      await together(client, () => {
        open();
        const batch: Promise<unknown>[] = [];
        // First of the writes: where it fails, none of them is kept, and no route has to think of it.
        if (tenant && writes.length > 0)
          batch.push(...holdStanding((s, values) => sent(client, s, values), tenant, asked));
        batch.push(...writes.map(([s, values]) => sent(client, s, values)));
        if (once && tenant)
          batch.push(keepAnswer((s, values) => sent(client, s, values), tenant, once, result as Answer<unknown>));
        batch.push(client.query(commit).then((done) => [done.command]));
        return allKept([...(opening ?? []), ...batch]);
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
