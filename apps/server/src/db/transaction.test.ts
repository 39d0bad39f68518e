import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answer } from '../kernel/answer.ts';
import type { Tx } from '../kernel/database.ts';
import { Refused } from '../kernel/refused.ts';
import { publish, stepsNamed } from '../testing/organization.ts';
import { nameOf, renameUser, startTransactionScene } from '../testing/transaction-scene.ts';
import { statement } from './statement.ts';

const insertTwin = statement({
  name: 'test_insert_twin',
  params: ['id', 'email'],
  text: `insert into users (id, email, name, role, password_hash) values ($1, $2, 'Twin', 'editor', '')`,
});
const backend = statement({
  name: 'test_backend',
  params: [],
  row: z.object({ pid: z.number() }),
  text: 'select pg_backend_pid() as pid',
});
const compiles = statement({
  name: 'test_compiles',
  params: [],
  row: z.object({ jit: z.string() }),
  text: `select current_setting('jit') as jit`,
});
const plans = statement({
  name: 'test_plans',
  params: ['names'],
  row: z.object({ name: z.string(), repeated: z.number() }),
  text: `select name, custom_plans as repeated from pg_prepared_statements where name = any($1)`,
});
const planMode = statement({
  name: 'test_plan_mode',
  params: [],
  row: z.object({ mode: z.string() }),
  text: `select current_setting('plan_cache_mode') as mode`,
});
const divide = statement({ name: 'test_divide', params: ['by'], text: 'select 1 / $1::int' });

const scene = await startTransactionScene();
const { proxy, server, person, tenant, startRun, complete } = scene;

describe('a transaction', () => {
  afterAll(() => scene.stop());

  describe('round trips', () => {
    const tripsOf = async (work: () => Promise<unknown>): Promise<string[][]> => {
      proxy.forget();
      await work();
      return proxy.trips();
    };

    it('completing a step takes two, after the session lookup', async () => {
      const { id } = await startRun();
      expect(await tripsOf(() => complete(id))).toEqual([
        ['find_sessions'],
        ['begin', 'set_tenant_of_change', 'lock_run', 'read_run_history'],
        ['save_runs', 'save_steps_and_tasks', 'append_audit', 'commit'],
      ]);
    });

    it('completing a step with an Idempotency-Key takes two', async () => {
      const { id } = await startRun();
      expect(await tripsOf(() => complete(id, { 'idempotency-key': 'counted' }))).toEqual([
        ['find_sessions'],
        ['begin', 'set_tenant_of_change', 'lock_run', 'read_run_history'],
        ['insert_idempotent_answers', 'save_runs', 'save_steps_and_tasks', 'append_audit', 'commit'],
      ]);
    });

    it('completing a step whose form has fields for files, but without files, sends the same statements', async () => {
      const field = { id: 'offer', label: 'Offer', kind: 'file', required: false } as const;
      await publish(person, person, 'with-files', [{ id: 'step-1', title: 'Form', config: { fields: [field] } }]);
      for (const fields of [{}, { offer: [] }]) {
        const { id } = await person.post<{ id: string }>('/api/runs', { key: 'with-files', name: 'A run' });
        const body = { stepId: 'step-1', output: { fields } };
        expect(await tripsOf(() => person.post(`/api/runs/${id}/complete`, body))).toEqual([
          ['find_sessions'],
          ['begin', 'set_tenant_of_change', 'lock_run', 'read_run_history'],
          ['save_runs', 'save_steps_and_tasks', 'append_audit', 'commit'],
        ]);
      }
    });

    it('starting a run takes two', async () => {
      expect(await tripsOf(startRun)).toEqual([
        ['find_sessions'],
        ['begin', 'set_tenant_of_change', 'find_live_version', 'read_clock', 'find_rejected_run_before'],
        ['insert_runs', 'save_steps_and_tasks', 'append_audit', 'commit'],
      ]);
    });

    it('saving a draft takes two', async () => {
      const { draftId } = await person.post<{ draftId: string }>('/api/workflows/saved/drafts', {
        metadata: { title: 'A' },
        steps: stepsNamed('First'),
      });
      const saving = (title: string) => () =>
        person.patch(`/api/workflows/saved/drafts/${draftId}`, { metadata: { title }, steps: stepsNamed('First') });
      expect(await tripsOf(saving('B'))).toEqual([
        ['find_sessions'],
        [
          'begin',
          'set_tenant',
          'lock_draft',
          'lock_review_policy',
          'find_draft',
          'list_contributors',
          'list_reviews',
          'list_objections',
          'list_unresolved_comments',
          'find_review_policy',
          'list_routed_groups',
          'find_workflow_people',
          'list_known_people',
        ],
        [
          'recheck_member',
          'update_draft',
          'count_save',
          'dismiss_approvals',
          'end_objections',
          'describe_workflow',
          'append_audit',
          'commit',
        ],
      ]);
    });

    it('a refused request takes one, plus one for its rollback', async () => {
      const { id } = await startRun();
      await complete(id);
      expect(await tripsOf(() => complete(id))).toEqual([
        ['find_sessions'],
        ['begin', 'set_tenant_of_change', 'lock_run', 'read_run_history'],
        ['rollback'],
      ]);
    });
  });

  describe('rollback', () => {
    const name = async (): Promise<string | undefined> =>
      (await server.server.deps.db.query(nameOf, { id: person.user.id }))[0]?.name;

    it('saves nothing if the work throws', async () => {
      const { db } = server.server.deps;
      const failing = db.transaction(tenant(), async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        await tx.many(nameOf, { id: person.user.id });
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await name()).toBe('Before');
    });

    it('saves nothing if a later write violates a constraint, and refuses with the code for that constraint', async () => {
      const failing = server.server.deps.db.transaction(null, async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        tx.write(insertTwin, { id: randomUUID(), email: person.user.email });
        tx.write(renameUser, { id: person.user.id, name: 'Later' });
      });
      await expect(failing).rejects.toEqual(new Refused({ code: 'email_taken' }));
      expect(await name()).toBe('Before');
    });

    it('saves nothing if a statement fails, and the connection can serve the next transaction', async () => {
      const failing = server.server.deps.db.transaction(tenant(), async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        await Promise.all([tx.many(divide, { by: 0 }), tx.many(nameOf, { id: person.user.id })]);
      });
      await expect(failing).rejects.toBeInstanceOf(Refused);
      await Promise.all(Array.from({ length: 16 }, async () => expect(await name()).toBe('Before')));
    });

    it('saves nothing if the connection is lost before the commit', async () => {
      const { db } = server.server.deps;
      const failing = db.transaction(tenant(), async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        const own = await tx.maybeOne(backend, {});
        await server.sql('select pg_terminate_backend($1)', [own?.pid]);
        await vi.waitFor(async () => {
          expect(await server.sql('select 1 from pg_stat_activity where pid = $1', [own?.pid])).toEqual([]);
        }, 30_000);
      });
      await expect(failing).rejects.toEqual(new Refused({ code: 'database_unavailable' }));
      expect(await name()).toBe('Before');
    });

    it('returns 503 if the connection is lost while a request is waiting, and serves the next request', async () => {
      const { id } = await startRun();
      const holder = new pg.Client(server.database.connection);
      await holder.connect();
      await holder.query('begin');
      await holder.query('select 1 from runs where id = $1 for update', [id]);
      const answering = complete(id);
      await vi.waitFor(async () => {
        const ended = await server.sql<{ pg_terminate_backend: boolean }>(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'stet' and wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(ended).toEqual([{ pg_terminate_backend: true }]);
      }, 30_000);
      const { status, body, headers } = await answering;
      expect({ status, body }).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
      expect(headers.get('retry-after')).toBe('1');
      await holder.query('rollback');
      await holder.end();
      expect((await complete(id)).status).toBe(200);
    });

    it('doesn’t close the connection if a request is refused', async () => {
      const pids = async () => {
        const connections = await server.sql<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'stet' and datname = current_database()`,
        );
        return connections.map(({ pid }) => pid);
      };
      const { id } = await startRun();
      const completing = (text: string) => complete(id, { 'idempotency-key': 'reused' }, text);
      expect((await completing('Done')).status).toBe(200);
      const before = await pids();
      for (let n = 0; n < 5; n += 1) expect((await completing('Different')).status).toBe(409);
      expect(await pids()).toEqual(expect.arrayContaining(before));
    });

    it('recovers after all connections are lost together', async () => {
      await server.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stet' and datname = current_database()`,
      );
      await vi.waitFor(async () => expect((await person.call('GET', '/api/auth/me')).status).toBe(200), 30_000);
      const answers = await Promise.all(Array.from({ length: 20 }, () => person.call('GET', '/api/workflows')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
  });

  it('compiles no statements', async () => {
    expect(await server.server.deps.db.query(compiles, {})).toEqual([{ jit: 'off' }]);
  });

  it('plans the statements of a change once, whatever their values', async () => {
    const { db } = server.server.deps;
    for (let n = 0; n < 6; n += 1) await complete((await startRun()).id);
    const names = ['lock_run', 'read_run_history', 'save_runs', 'save_steps_and_tasks'];
    const { body } = await db.changeRecord(tenant(), null, 'plans', async (tx) =>
      answer(await tx.many(plans, { names })),
    );
    expect(body.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(
      names.map((name) => ({ name, repeated: 0 })),
    );
    expect(await db.transaction(tenant(), (tx) => tx.many(planMode, {}))).toEqual([{ mode: 'auto' }]);
  });

  describe('a snapshot', () => {
    const name = (tx: Pick<Tx, 'maybeOne'>) => tx.maybeOne(nameOf, { id: person.user.id });

    it('sees the state at the time of its first read, despite later writes', async () => {
      const { db } = server.server.deps;
      const before = (await db.query(nameOf, { id: person.user.id }))[0]?.name;
      await db.snapshot(tenant(), async (tx) => {
        expect(await name(tx)).toEqual({ name: before });
        await db.transaction(tenant(), async (other) => other.write(renameUser, { id: person.user.id, name: 'New' }));
        expect(await name(tx)).toEqual({ name: before });
      });
      expect((await db.query(nameOf, { id: person.user.id }))[0]?.name).toBe('New');
      await db.transaction(tenant(), async (tx) => tx.write(renameUser, { id: person.user.id, name: before }));
    });

    it('writes nothing', async () => {
      const writing = server.server.deps.db.snapshot(tenant(), (tx) =>
        tx.many(renameUser, { id: person.user.id, name: 'X' }),
      );
      await expect(writing).rejects.toThrow('read-only');
    });
  });
});
