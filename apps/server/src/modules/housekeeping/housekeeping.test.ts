import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectWritten } from '../../testing/written-docs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { PIECE, doHousekeeping } from './housekeeping.job.ts';
import { LIVES } from './lives.ts';

type Kind = (typeof LIVES)[number]['kind'];

/**
 * For each kind of data, the statement that inserts a row. `$1` is the organization, `$2` the person, and `age` the
 * time from which the retention period counts.
 */
const ROWS: Record<Kind, { table: string; insert: (age: string) => string }> = {
  sessions: {
    table: 'sessions',
    insert: (age) => `insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $2, ${age})`,
  },
  password_resets: {
    table: 'password_resets',
    insert: (age) =>
      `insert into password_resets (id, user_id, token_hash, expires_at) values (gen_random_uuid(), $2, sha256(gen_random_uuid()::text::bytea), ${age})`,
  },
  rate_limits: {
    table: 'rate_limits',
    insert: (age) => `insert into rate_limits (key, window_start, count) values (gen_random_uuid()::text, ${age}, 1)`,
  },
  idempotency_keys: {
    table: 'idempotency_keys',
    insert: (age) =>
      `insert into idempotency_keys (org_id, user_id, key, request_digest, created_at) values ($1, $2, gen_random_uuid()::text, '', ${age})`,
  },
  notifications: {
    table: 'notifications',
    insert: (age) =>
      `insert into notifications (org_id, user_id, id, source, kind, title, body, created_at) values ($1, $2, gen_random_uuid(), gen_random_uuid()::text, 'mentioned', '', '', ${age})`,
  },
  role_notifications: {
    table: 'role_notifications',
    insert: (age) =>
      `insert into role_notifications (org_id, id, role, source, kind, title, body, except_ids, created_at) values ($1, gen_random_uuid(), 'editor', gen_random_uuid()::text, 'assigned', '', '', '{}', ${age})`,
  },
  digests: {
    table: 'digests',
    insert: (age) =>
      `insert into digests (org_id, id, user_id, day, state) values ($1, gen_random_uuid(), $2, (${age})::date, 'sent') on conflict do nothing`,
  },
  webhook_deliveries: {
    table: 'webhook_deliveries',
    insert: (age) =>
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, ended_at) select $1, gen_random_uuid(), id, 'webhook.test', 'x', 'dead', ${age} from webhooks where org_id = $1`,
  },
  slack_messages: {
    table: 'slack_messages',
    insert: (age) =>
      `insert into slack_messages (org_id, key, assignee, title, workflow_title, state, job, at) values ($1, gen_random_uuid()::text, '', '', '', 'sent', '{}', ${age})`,
  },
  failed_jobs: {
    table: 'graphile_worker._private_jobs',
    insert: (age) =>
      `insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, updated_at) select id, '{}', 12, 12, ${age} from graphile_worker._private_tasks limit 1`,
  },
};

describe('housekeeping', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
    await server.sql(
      `insert into webhooks (org_id, id, name, url, actions, after_seq, created_by) values ($1, $2, 'w', 'https://example.com', '{}', 0, $3)`,
      [person.user.currentOrgId, randomUUID(), person.user.id],
    );
  });
  afterAll(() => server.stop());

  const count = async (kind: Kind): Promise<number> =>
    (await server.sql<{ n: number }>(`select count(*)::int as n from ${ROWS[kind].table}`))[0]?.n ?? NaN;
  const insert = async (kind: Kind, age: string, times = 1): Promise<void> => {
    const text = ROWS[kind].insert(age);
    const values = [
      ...(text.includes('$1') ? [person.user.currentOrgId] : []),
      ...(text.includes('$2') ? [person.user.id] : []),
    ];
    const statement = text.includes('$1') ? text : text.replaceAll('$2', '$1');
    for (let n = 0; n < times; n += 1) await server.sql(statement, values);
  };

  it.each(LIVES)('deletes $kind after $life, but no newer rows', async ({ kind, life }) => {
    const before = await count(kind);
    await insert(kind, `now() - interval '${life}' + interval '2 days'`);
    const kept = await count(kind);
    expect(kept).toBe(before + 1);
    await insert(kind, `now() - interval '${life}' - interval '2 days'`, 3);
    expect(await count(kind)).toBeGreaterThan(kept);
    await doHousekeeping(server.server.deps);
    expect(await count(kind)).toBe(kept);
  });

  it('deletes all due rows, even if they are too many for one statement', async () => {
    await server.sql(
      `insert into rate_limits (key, window_start, count) select 'old-' || n, now() - interval '3 days', 1 from generate_series(1, ${PIECE * 2 + 1}) n`,
    );
    await doHousekeeping(server.server.deps);
    expect(await server.sql(`select from rate_limits where key like 'old-%'`)).toEqual([]);
  });

  it('doesn’t delete deliveries and Slack messages that are still to be sent, or a digest with a notification', async () => {
    const [org, user] = [person.user.currentOrgId, person.user.id];
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, created_at, next_attempt_at) select $1, gen_random_uuid(), id, 'webhook.test', 'old', now() - interval '2 years', now() + interval '1 day' from webhooks where org_id = $1`,
      [org],
    );
    await server.sql(
      `insert into slack_messages (org_id, key, assignee, title, workflow_title, state, job, at) values ($1, 'old', '', '', '', 'waiting', '{}', now() - interval '2 years')`,
      [org],
    );
    const [digest] = await server.sql<{ id: string }>(
      `insert into digests (org_id, id, user_id, day, state) values ($1, gen_random_uuid(), $2, now() - interval '3 years', 'sent') returning id`,
      [org, user],
    );
    await server.sql(
      `insert into notifications (org_id, user_id, id, source, kind, title, body, digest_id) values ($1, $2, gen_random_uuid(), 'digested', 'mentioned', '', '', $3)`,
      [org, user, digest?.id],
    );
    await doHousekeeping(server.server.deps);
    expect(await server.sql(`select from webhook_deliveries where subject = 'old'`)).toHaveLength(1);
    expect(await server.sql(`select from slack_messages where key = 'old'`)).toHaveLength(1);
    expect(await server.sql('select from digests where id = $1', [digest?.id])).toHaveLength(1);
  });

  it('has an up-to-date table in the operations page', () => {
    const rows = LIVES.map(({ data, life, after }) => `| ${data} | ${life} after ${after} |`);
    expectWritten('lives', ['| data | deleted |', '|---|---|', ...rows].join('\n'));
  });
});
