import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Tx } from '../kernel/database.ts';
import { Refused } from '../kernel/refused.ts';
import { openCountingProxy, type CountingProxy } from '../testing/counting-proxy.ts';
import { createTestDatabase } from '../testing/database.ts';
import { publish, stepsNamed } from '../testing/organization.ts';
import { type Person, type TestServer, startTestServerOn } from '../testing/server.ts';
import { statement } from './statement.ts';

const renameUser = statement({
  name: 'test_rename_user',
  params: ['id', 'name'],
  text: 'update users set name = $2 where id = $1',
});
const insertTwin = statement({
  name: 'test_insert_twin',
  params: ['id', 'email'],
  text: `insert into users (id, email, name, role, password_hash) values ($1, $2, 'Twin', 'editor', '')`,
});
const nameOf = statement({
  name: 'test_name_of',
  params: ['id'],
  row: z.object({ name: z.string() }),
  text: 'select name from users where id = $1',
});
const backend = statement({
  name: 'test_backend',
  params: [],
  row: z.object({ pid: z.number() }),
  text: 'select pg_backend_pid() as pid',
});
const divide = statement({ name: 'test_divide', params: ['by'], text: 'select 1 / $1::int' });

describe('a transaction', () => {
  let proxy: CountingProxy;
  let server: TestServer;
  let person: Person;
  const tenant = (): { orgId: string; userId: string; asks: 'session' } => ({
    orgId: person.user.currentOrgId ?? '',
    userId: person.user.id,
    asks: 'session',
  });

  beforeAll(async () => {
    const database = await createTestDatabase();
    proxy = await openCountingProxy(database);
    server = await startTestServerOn(database, { DATABASE_URL: proxy.url, DATABASE_POOL: '8' });
    person = await server.signUp({ name: 'Before' });
    await publish(person, person, 'two-steps', stepsNamed('First', 'Second'));
  });
  afterAll(async () => {
    await server.stop();
    await proxy.close();
  });

  const startRun = (): Promise<{ id: string }> => person.post('/api/runs', { key: 'two-steps', name: 'A run' });
  const complete = (runId: string, headers?: Record<string, string>, text = 'Done') =>
    person.call('POST', `/api/runs/${runId}/complete`, { stepId: 'step-1', output: { text } }, headers);

  describe('travels', () => {
    const tripsOf = async (work: () => Promise<unknown>): Promise<string[][]> => {
      proxy.forget();
      await work();
      // What is done regularly looks whenever it likes; a look that finds nothing is one of these.
      const looks = ['find_due_crossings', 'find_organizations_with_news', 'list_organizations_with_held_news'];
      return proxy.trips().filter((trip) => !looks.includes(trip.join()));
    };

    it('twice to complete a step, after the session was looked up', async () => {
      const { id } = await startRun();
      expect(await tripsOf(() => complete(id))).toEqual([
        ['find_session'],
        ['begin', 'set_tenant', 'lock_run', 'read_clock', 'list_run_history'],
        [
          'save_run',
          'save_run_tasks',
          'open_run_tasks',
          'save_run_steps',
          'insert_jobs',
          'leave_slack_refresh_jobs',
          'append_audit',
          'commit',
        ],
      ]);
    });

    it('twice as well where an Idempotency-Key comes with it', async () => {
      const { id } = await startRun();
      expect(await tripsOf(() => complete(id, { 'idempotency-key': 'counted' }))).toEqual([
        ['find_session'],
        [
          'begin',
          'set_tenant',
          'claim_idempotency_key',
          'find_idempotent_answer',
          'lock_run',
          'read_clock',
          'list_run_history',
        ],
        [
          'save_run',
          'save_run_tasks',
          'open_run_tasks',
          'save_run_steps',
          'insert_jobs',
          'leave_slack_refresh_jobs',
          'append_audit',
          'keep_idempotent_answer',
          'commit',
        ],
      ]);
    });

    it('twice to start a run', async () => {
      expect(await tripsOf(startRun)).toEqual([
        ['find_session'],
        ['begin', 'set_tenant', 'find_live_version', 'read_clock'],
        ['insert_run', 'save_run_tasks', 'open_run_tasks', 'save_run_steps', 'insert_jobs', 'append_audit', 'commit'],
      ]);
    });

    it('twice to save a draft', async () => {
      const { draftId } = await person.post<{ draftId: string }>('/api/workflows/saved/drafts', {
        metadata: { title: 'A' },
        steps: stepsNamed('First'),
      });
      const saving = (title: string) => () =>
        person.patch(`/api/workflows/saved/drafts/${draftId}`, { metadata: { title }, steps: stepsNamed('First') });
      expect(await tripsOf(saving('B'))).toEqual([
        ['find_session'],
        [
          'begin',
          'set_tenant',
          'lock_draft',
          'lock_review_policy',
          'find_draft',
          'list_contributors',
          'list_reviews',
          'find_review_policy',
        ],
        [
          'hold_standing',
          'update_draft',
          'count_save',
          'dismiss_approvals',
          'describe_workflow',
          'append_audit',
          'commit',
        ],
      ]);
    });

    it('once to be refused, and once to give up', async () => {
      const { id } = await startRun();
      await complete(id);
      expect(await tripsOf(() => complete(id))).toEqual([
        ['find_session'],
        ['begin', 'set_tenant', 'lock_run', 'read_clock', 'list_run_history'],
        ['rollback'],
      ]);
    });
  });

  describe('keeps nothing', () => {
    const name = async (): Promise<string | undefined> =>
      (await server.server.deps.db.query(nameOf, { id: person.user.id }))[0]?.name;

    it('where the work throws', async () => {
      const { db } = server.server.deps;
      const failing = db.transaction(tenant(), async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        await tx.many(nameOf, { id: person.user.id });
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await name()).toBe('Before');
    });

    it('where a later write breaks a constraint, and says which rule of ours that was', async () => {
      const failing = server.server.deps.db.transaction(null, async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        tx.write(insertTwin, { id: randomUUID(), email: person.user.email });
        tx.write(renameUser, { id: person.user.id, name: 'Later' });
      });
      await expect(failing).rejects.toEqual(new Refused({ code: 'email_taken' }));
      expect(await name()).toBe('Before');
    });

    it('where a statement fails, and the connection serves the next one', async () => {
      const failing = server.server.deps.db.transaction(tenant(), async (tx) => {
        tx.write(renameUser, { id: person.user.id, name: 'After' });
        await Promise.all([tx.many(divide, { by: 0 }), tx.many(nameOf, { id: person.user.id })]);
      });
      await expect(failing).rejects.toBeInstanceOf(Refused);
      await Promise.all(Array.from({ length: 16 }, async () => expect(await name()).toBe('Before')));
    });

    it('where the connection is lost before the commit', async () => {
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

    it('where the connection is lost while a request waits: 503, and the next request is served', async () => {
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

    it('and recovers when every connection is lost at once', async () => {
      await server.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stet' and datname = current_database()`,
      );
      await vi.waitFor(async () => expect((await person.call('GET', '/api/auth/me')).status).toBe(200), 30_000);
      const answers = await Promise.all(Array.from({ length: 20 }, () => person.call('GET', '/api/workflows')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
  });

  describe('of one moment', () => {
    const name = (tx: Pick<Tx, 'maybeOne'>) => tx.maybeOne(nameOf, { id: person.user.id });

    it('sees what was there when it first read, whatever is written meanwhile', async () => {
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

  describe('with an Idempotency-Key', () => {
    const start = (key: string, name = 'Once'): ReturnType<Person['call']> =>
      person.call('POST', '/api/runs', { key: 'two-steps', name }, { 'idempotency-key': key });
    const countOf = async (name: string): Promise<number> =>
      (await person.get<unknown[]>(`/api/runs?q=${name}`)).length;

    it('answers the same request twice with the same answer, and does it once', async () => {
      const [first, second] = [await start('twice', 'Twice'), await start('twice', 'Twice')];
      expect(second).toMatchObject({ status: 201, body: first.body as object });
      expect(await countOf('Twice')).toBe(1);
    });

    it('does it once where twenty arrive together', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => start('crowd', 'Crowd')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(await countOf('Crowd')).toBe(1);
    });

    it('completes a step once where twenty arrive together, and all hear the same', async () => {
      const { id } = await startRun();
      const answers = await Promise.all(Array.from({ length: 20 }, () => complete(id, { 'idempotency-key': 'step' })));
      expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1);
      const { history } = await person.get<{ history: { action: string }[] }>(`/api/runs/${id}`);
      expect(history.filter(({ action }) => action === 'completed')).toHaveLength(1);
    });

    it('refuses another body, and another address, under the same key', async () => {
      const { body } = await start('reused');
      expect(await start('reused', 'Another')).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
      const { id } = body as { id: string };
      expect(await complete(id, { 'idempotency-key': 'reused' })).toMatchObject({
        status: 409,
        body: { code: 'idempotency_key_reused' },
      });
    });

    it('does not keep a refusal: what was refused can be asked again', async () => {
      const { id } = await startRun();
      await person.post(`/api/runs/${id}/pause`);
      expect(await complete(id, { 'idempotency-key': 'later' })).toMatchObject({
        status: 409,
        body: { code: 'run_paused' },
      });
      await person.post(`/api/runs/${id}/resume`);
      expect((await complete(id, { 'idempotency-key': 'later' })).status).toBe(200);
    });

    it('is one person’s: the same key of another does its own', async () => {
      const other = await server.signUp();
      await publish(other, other, 'two-steps');
      const own = await start('shared');
      const theirs = await other.call(
        'POST',
        '/api/runs',
        { key: 'two-steps', name: 'Once' },
        { 'idempotency-key': 'shared' },
      );
      expect(theirs.status).toBe(201);
      expect((theirs.body as { id: string }).id).not.toBe((own.body as { id: string }).id);
    });

    it('writes once also where nothing is read', async () => {
      const { db } = server.server.deps;
      const once = { key: 'blind', digest: 'same' };
      const write = (name: string) =>
        db.changeOnce(tenant(), once, async (tx) => {
          tx.write(renameUser, { id: person.user.id, name });
          return { body: name };
        });
      expect(await write('Renamed')).toEqual({ body: 'Renamed' });
      expect(await write('Renamed again')).toEqual({ body: 'Renamed' });
      expect(await db.query(nameOf, { id: person.user.id })).toEqual([{ name: 'Renamed' }]);
      await expect(db.changeOnce(tenant(), { ...once, digest: 'other' }, async () => ({ body: null }))).rejects.toEqual(
        new Refused({ code: 'idempotency_key_reused' }),
      );
    });
  });
});
