import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditStatus } from '@stet/contract';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { authenticate } from '../http/authenticate.ts';
import type { OrgActor } from '../kernel/actor.ts';
import { answer } from '../kernel/answer.ts';
import type { Tx } from '../kernel/database.ts';
import { Refused } from '../kernel/refused.ts';
import { actOnRun } from '../modules/runs/act-on-run.ts';
import { startRun as startARun } from '../modules/runs/start-run.ts';
import { nameOf, startTransactionScene } from '../testing/transaction-scene.ts';
import { statement } from './statement.ts';

const divide = statement({ name: 'test_divide_shared', params: ['by'], text: 'select 1 / $1::int' });
const backend = statement({
  name: 'test_shared_backend',
  params: [],
  row: z.object({ pid: z.number() }),
  text: 'select pg_backend_pid() as pid',
});
const lockUser = statement({
  name: 'test_lock_user',
  params: ['id'],
  text: 'select 1 from users where id = $1 for update',
});

const lockRun = statement({
  name: 'test_lock_run',
  params: ['id'],
  text: 'select 1 from runs where id = $1 for update',
});
const slowList = statement({
  name: 'test_slow_list',
  params: [],
  text: 'select pg_sleep(0.05)',
});
const touchUser = statement({
  name: 'test_touch_user',
  params: ['id'],
  text: 'update users set name = name where id = $1',
});

const scene = await startTransactionScene();
const { proxy, server, person, tenant, startRun } = scene;

const { deps } = server.server;
const actor = (await authenticate(deps, `Bearer ${person.token}`, 'workflow.read')) as OrgActor;

/**
 * Makes changes that share a transaction: all are called at the same time while another change is being made. Returns
 * their results or errors.
 */
async function together(...changes: (() => Promise<unknown>)[]): Promise<unknown[]> {
  proxy.forget();
  return await Promise.all(
    [change('the one that the others wait for'), ...changes].map((make) => make().catch((error: unknown) => error)),
  ).then(([, ...results]) => results);
}

type Once = { key: string; digest: string } | null;
const once = (key: string): Once => ({ key, digest: key });
const completing =
  (runId: string, key: Once = null) =>
  () =>
    actOnRun(
      deps,
      { actor, once: key, runId, command: { type: 'complete', stepId: 'step-1', output: { text: 'Done' } } },
      ({ id }) => ({ id }),
    );
const ok = (id: string) => answer({ id });
const refusedAs = (code: string): object =>
  expect.objectContaining({ refusal: expect.objectContaining({ code }) as object }) as object;

const commits = (): number =>
  proxy
    .trips()
    .flat()
    .filter((name) => name === 'commit').length;
const currentStep = async (runId: string): Promise<string> =>
  (await person.get<{ currentStepIds: string[] }>(`/api/runs/${runId}`)).currentStepIds.join(' ');
const startRuns = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => (await startRun()).id));
/** A call that takes part in a shared transaction. By default, it changes nothing. */
const change =
  (record: string, work: (tx: Tx) => Promise<unknown> = async () => null) =>
  () =>
    deps.db.changeRecord(tenant(), null, record, async (tx) => answer(await work(tx)));

describe('changes of one organization that arrive together', () => {
  afterAll(() => scene.stop());

  it('share a transaction, one commit and one append to the audit trail, and each gets its own response', async () => {
    const ids = await startRuns(8);
    expect(await together(...ids.map((id) => completing(id)))).toEqual(ids.map(ok));
    const sent = proxy.trips().flat();
    for (const name of ['lock_run', 'read_run_history', 'save_runs', 'save_steps_and_tasks', 'append_audit'])
      expect(sent.filter((each) => each === name)).toEqual([name]);
    expect(commits()).toBe(2); // The other commit belongs to the change that they waited for.
    for (const id of ids) {
      const { history } = await person.get<{ history: { action: string; stepId: string }[] }>(`/api/runs/${id}`);
      expect(history.filter(({ action }) => action === 'completed')).toMatchObject([{ stepId: 'step-1' }]);
    }
    await person.post('/api/audit/verify');
    await expect.poll(async () => (await person.get<AuditStatus>('/api/audit/status')).verification?.state).toBe('ok');
  });

  it.each([
    ['take turns with lists that wait for a connection, instead of waiting for all of them', [change('beside lists')]],
    ['do so again if they are repeated', [change('beside lists'), change('fails', (tx) => tx.many(divide, { by: 0 }))]],
    [
      'share these turns with other changes that can be repeated with an idempotency key',
      [() => deps.db.changeOnce(tenant(), null, async () => answer(null))],
    ],
  ])('%s', async (_, changes) => {
    const ended: string[] = [];
    const lists = Array.from({ length: 40 }, () => deps.db.query(slowList, {}).then(() => ended.push('list')));
    const changed = together(...changes).then(() => ended.push('change'));
    await Promise.all([...lists, changed]);
    expect(ended.indexOf('change')).toBeLessThan(changes.length > 1 ? 32 : 20);
  });

  it('don’t affect each other if some are refused, are copies, or concern the same run', async () => {
    const [paused = '', first = '', second = '', twice = ''] = await startRuns(4);
    await person.post(`/api/runs/${paused}/pause`);
    await completing(first, once('copied'))();
    const results = await together(
      completing(paused, once('refused')),
      completing(first, once('copied')),
      completing(second, once('new')),
      change('throwing', async () => {
        throw new Refused({ code: 'forbidden' });
      }),
      completing(twice),
      completing(twice),
    );
    expect(results).toEqual([
      refusedAs('run_paused'),
      ok(first),
      ok(second),
      refusedAs('forbidden'),
      ok(twice),
      refusedAs('step_not_active'),
    ]);
    expect(await currentStep(second)).toBe('step-2');
    expect(await currentStep(twice)).toBe('step-2');
    // A refusal isn't saved under its key.
    await person.post(`/api/runs/${paused}/resume`);
    expect(await completing(paused, once('refused'))()).toEqual(ok(paused));
  });

  it('don’t affect each other if one throws before it returns a promise', async () => {
    const [id = ''] = await startRuns(1);
    const throwing = () =>
      deps.db.changeRecord(tenant(), null, 'throwing at once', () => {
        throw new Refused({ code: 'forbidden' });
      });
    expect(await together(completing(id), throwing)).toEqual([ok(id), refusedAs('forbidden')]);
    // A change that runs alone also returns its connection to the pool.
    for (let n = 0; n < 10; n += 1) await expect(throwing()).rejects.toEqual(refusedAs('forbidden'));
  });

  it('are saved even if a statement of another one fails', async () => {
    const ids = await startRuns(3);
    const failing = change('failing', async (tx) => tx.many(divide, { by: 0 }));
    const results = await together(...ids.map((id) => completing(id, once(id))), failing);
    expect(results).toEqual([...ids.map(ok), refusedAs('malformed_request')]);
    for (const id of ids) expect(await currentStep(id)).toBe('step-2');
  });

  it('are executed once if they are copies of a request', async () => {
    const start = () =>
      startARun(deps, {
        actor,
        once: once('start'),
        body: { key: 'two-steps', name: 'Copies', priority: 'medium' },
      } as Parameters<typeof startARun>[1]);
    const [one, ...others] = await together(start, start, start);
    expect(one).toMatchObject({ body: { name: 'Copies' } });
    expect(JSON.parse(JSON.stringify(others))).toEqual(JSON.parse(JSON.stringify([one, one])));
    expect(await person.get<unknown[]>('/api/runs?q=Copies')).toHaveLength(1);
  });

  it('don’t wait for a slow one, which ends later', async () => {
    const [id = ''] = await startRuns(1);
    const order: string[] = [];
    const slow = change('slow', async (tx) => {
      await tx.many(nameOf, { id: person.user.id });
      await sleep(1500);
      order.push('slow');
    });
    const results = await together(() => completing(id)().finally(() => order.push('quick')), slow);
    expect(results).toEqual([ok(id), answer(undefined)]);
    expect(order[0]).toBe('quick');
  });

  it('don’t wait for one whose run is locked by another transaction', async () => {
    const [locked = '', free = '', later = ''] = await startRuns(3);
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from runs where id = $1 for update', [locked]);
    const answered: string[] = [];
    const named = (id: string, name: string) => () => completing(id)().finally(() => answered.push(name));
    const results = together(named(locked, 'locked'), named(free, 'free'));
    await vi.waitFor(() => expect(answered).toEqual(['free']), 30_000);
    // The change of the locked run is now executed alone.
    expect(await completing(later)()).toEqual(ok(later));
    expect(answered).toEqual(['free']);
    await holder.query('rollback');
    await holder.end();
    expect(await results).toEqual([ok(locked), ok(free)]);
  });

  it('are decided while earlier ones are being saved, and are saved in order', async () => {
    const [one = '', two = ''] = await startRuns(2);
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from audit_heads where org_id = $1 for update', [tenant().orgId]);
    const waiting = async (): Promise<number> =>
      (
        await server.sql<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%audit_append%'`,
        )
      )[0]?.n ?? 0;
    const first = completing(one)();
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
    // The second change to the same run isn't decided until the first one is saved.
    const others = Promise.all([completing(two)(), completing(one)().catch((error: unknown) => error)]);
    await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
    await holder.query('rollback');
    await holder.end();
    expect([await first, ...(await others)]).toEqual([ok(one), ok(two), refusedAs('step_not_active')]);
    const events = await server.sql<{ run_id: string }>(
      `select run_id from audit_events where run_id = any($1) and action = 'step.completed' order by seq`,
      [[one, two]],
    );
    expect(events.map(({ run_id: id }) => id)).toEqual([one, two]);
  });

  it('are refused and not repeated if the connection is lost, because they may have been saved', async () => {
    const [id = ''] = await startRuns(1);
    let calls = 0;
    const lost = change('lost', async (tx) => {
      calls += 1;
      const [own] = await tx.many(backend, {});
      await server.sql('select pg_terminate_backend($1)', [own?.pid]);
      await tx.many(backend, {});
    });
    const unavailable = refusedAs('database_unavailable');
    expect(await together(lost, completing(id))).toEqual([unavailable, unavailable]);
    expect(calls).toBe(1);
    expect(await currentStep(id)).toBe('step-1');
  });

  it('are saved once if the connection is lost after their commit, and get their responses if repeated', async () => {
    const ids = await startRuns(6);
    const changes = ids.map((id) => completing(id, once(`lost ${id}`)));
    proxy.loseNextCommit();
    expect(await together(...changes)).toEqual(ids.map(() => refusedAs('database_unavailable')));
    for (const id of ids) expect(await currentStep(id)).toBe('step-2');
    expect(await together(...changes)).toEqual(ids.map(ok));
    const events = await server.sql<{ run_id: string }>(
      `select run_id from audit_events where run_id = any($1) and action = 'step.completed'`,
      [ids],
    );
    expect(events.map(({ run_id: id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it('are repeated if there is only one and PostgreSQL ends its transaction because of a deadlock', async () => {
    const [id = ''] = await startRuns(1);
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    // A transaction that waits looks for a deadlock once, after this time, and is ended if it finds one.
    await holder.query(`set deadlock_timeout = '1h'`);
    await holder.query('begin');
    await holder.query('select 1 from users where id = $1 for update', [person.user.id]);
    let [continueChange, repeatChange] = [() => {}, () => {}];
    const holderWaits = new Promise<void>((resolve) => (continueChange = resolve));
    const holderEnded = new Promise<void>((resolve) => (repeatChange = resolve));
    const calls: string[] = [];
    const result = change(id, async (tx) => {
      if (calls.push('begins') > 1) await holderEnded;
      await tx.many(lockRun, { id });
      calls.push('locks');
      await holderWaits;
      tx.write(touchUser, { id: person.user.id });
      return null;
    })();
    await expect.poll(() => calls, { timeout: 60_000 }).toEqual(['begins', 'locks']);
    const locked = holder.query('select 1 from runs where id = $1 for update', [id]);
    const { processID } = holder as pg.Client & { processID: number };
    const waiting = `select from pg_stat_activity where pid = ${processID} and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await server.sql(waiting)).length, { timeout: 60_000 }).toBe(1);
    continueChange();
    await locked;
    await holder.query('commit');
    await holder.end();
    repeatChange();
    expect(await result).toEqual(answer(null));
    expect(calls).toEqual(['begins', 'locks', 'begins', 'locks']);
  });

  it('can lock only the record that they named', async () => {
    const lock = async (tx: Tx) => tx.many(lockUser, { id: person.user.id });
    await expect(change('another', lock)()).rejects.toThrow('locks another record');
    await expect(change(person.user.id, lock)()).resolves.toBeDefined();
  });
});
