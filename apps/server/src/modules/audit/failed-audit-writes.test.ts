import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../../testing/routes.ts';
import type { Reply, TestServer } from '../../testing/server.ts';
import { type AuditedScene, startAuditedScene } from '../../testing/audited-scene.ts';
import { CHANGES, changing } from '../../testing/changes.ts';

describe('the audit trail', () => {
  let at: AuditedScene;
  beforeAll(async () => {
    at = await startAuditedScene();
  });
  afterAll(() => at.server.stop());

  describe('a failed write to the audit trail', () => {
    let source: string;
    beforeAll(async () => {
      const [found] = await at.server.sql<{ source: string }>(
        `select pg_get_functiondef('audit_append(jsonb)'::regprocedure) as source`,
      );
      source = found?.source ?? '';
    });

    /** Makes a call while no event can be recorded, and returns the response. */
    async function withoutAudit<T>(call: () => Promise<T>): Promise<T> {
      await at.server.sql(
        `create or replace function audit_append(events jsonb) returns bigint language plpgsql as $$ begin raise exception 'no trail'; end $$`,
      );
      try {
        return await call();
      } finally {
        await at.server.sql(source);
      }
    }
    const refused = {
      status: 500,
      body: { code: 'internal', error: 'Something went wrong. Nothing was changed.' },
    };

    it.each(changing.filter((key) => CHANGES[key]?.[0].length !== 0))('undoes %s completely', async (key) => {
      const prepared = await CHANGES[key]?.[1](at);
      const { method, path } = addressOf(key, prepared);
      const call = (): Promise<Reply<unknown>> =>
        (prepared?.by ?? at.owner).call(method, path, prepared?.body, {
          ...prepared?.headers,
          'idempotency-key': `untold ${key}`,
        });
      await quiet(at.server);
      const before = await everything(at.server);
      expect(await withoutAudit(call)).toMatchObject(refused);
      expect(await everything(at.server)).toEqual(before);
      // Without the failure, the same call succeeds.
      const again = await call();
      expect(again.status, JSON.stringify(again.body)).toBeLessThan(300);
    });

    it('undoes a sign-up, the creation of an organization, and a password reset', async () => {
      const token = randomBytes(32).toString('base64url');
      await at.server.sql('insert into password_resets (id, user_id, token_hash) values ($1, $2, $3)', [
        randomUUID(),
        (await at.member('viewer')).user.id,
        createHash('sha256').update(token).digest(),
      ]);
      const account = { email: 'untold@example.com', name: 'Untold', password: 'a long enough one' };
      for (const [by, path, body] of [
        [at.server.anyone, '/api/auth/signup', account],
        [at.owner, '/api/organizations', { name: 'Untold', slug: 'untold' }],
        [at.server.anyone, '/api/auth/reset', { token, password: 'another long one' }],
      ] as const) {
        await quiet(at.server);
        const before = await everything(at.server);
        expect(await withoutAudit(() => by.call('POST', path, body))).toMatchObject(refused);
        expect(await everything(at.server)).toEqual(before);
        expect((await by.call('POST', path, body)).status).toBeLessThan(300);
      }
    });
  });
});

/**
 * Waits until earlier jobs have ended, because they write too. This includes jobs that are due within a second.
 */
async function quiet({ sql }: TestServer): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const [left] = await sql<{ n: number }>(
      `select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs where run_at <= now() + interval '1 second')::int as n`,
    );
    if (left?.n === 0) return;
    await sleep(50);
  }
}

/** Tables that the server also writes to without a request. */
const BY_THEMSELVES = [
  'webhook_cursors',
  'insight_cursors',
  'insight_cells',
  'insight_findings',
  'insight_reviews',
  'insight_runs',
  'rate_limits',
  'outbox',
  'job_pools',
  'audit_checkpoints',
  'audit_verifications',
];

/** A digest of each table that only requests write to, ignoring when sessions were last used. */
async function everything({ sql }: TestServer): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    if (BY_THEMSELVES.includes(name)) continue;
    const [row] = await sql<{ digest: string }>(
      `select coalesce(md5(string_agg((to_jsonb(t) - 'last_seen_at')::text, '\n' order by (to_jsonb(t) - 'last_seen_at')::text)), '') as digest
       from ${name} t`,
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}
