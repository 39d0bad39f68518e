import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../testing/database.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS_DIRECTORY } from './migration-files.ts';

const log = { info() {} };
const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  cleanups.push(database.drop);
  return database;
}

function directoryOf(files: Record<string, string>): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-migrations-'));
  cleanups.push(() => fs.rmSync(directory, { recursive: true, force: true }));
  write(directory, files);
  return directory;
}

function write(directory: string, files: Record<string, string>): void {
  for (const [name, sql] of Object.entries(files)) fs.writeFileSync(path.join(directory, name), sql);
}

const run = (database: TestDatabase, directory: string): Promise<{ applied: string[] }> =>
  migrate({ connect: () => new pg.Client(database.connection), directory, log });

async function query(database: TestDatabase, sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const first = { '0001_first.sql': 'create table a (id int); create table b (id int);' };
const second = { '0002_second.sql': 'alter table a add column name text;' };

describe('migrate', () => {
  it('applies files in numerical order, and only new files the next time', async () => {
    const database = await emptyDatabase();
    const directory = directoryOf({ ...second, ...first });
    expect(await run(database, directory)).toEqual({ applied: ['0001_first.sql', '0002_second.sql'] });
    expect(await run(database, directory)).toEqual({ applied: [] });
    write(directory, { '0003_third.sql': 'drop table b;' });
    expect(await run(database, directory)).toEqual({ applied: ['0003_third.sql'] });
    expect(await query(database, 'select name from stet_migrations order by number')).toHaveLength(3);
  });

  it('applies each file once if several servers start concurrently', async () => {
    const database = await emptyDatabase();
    const directory = directoryOf({ ...first, ...second });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => run(database, directory)));
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(['0001_first.sql', '0002_second.sql']);
  });

  it('rolls back a failing file, reports its name and line, and keeps the effects of earlier files', async () => {
    const database = await emptyDatabase();
    const directory = directoryOf({ ...first, '0002_bad.sql': 'create table c (id int);\nselect nonsense;\n' });
    await expect(run(database, directory)).rejects.toThrow(
      'Migration 0002_bad.sql failed and was rolled back: column "nonsense" does not exist (line 2)',
    );
    expect(await query(database, 'select name from stet_migrations')).toEqual(['0001_first.sql']);
    expect(await query(database, "select to_regclass('c')")).toEqual([null]);
    write(directory, { '0002_bad.sql': 'create table c (id int);' });
    expect(await run(database, directory)).toEqual({ applied: ['0002_bad.sql'] });
  });

  it('refuses a file that was changed after it was applied, except for line endings', async () => {
    const database = await emptyDatabase();
    const directory = directoryOf({ '0001_first.sql': 'create table a (\nid int);' });
    await run(database, directory);
    write(directory, { '0001_first.sql': 'create table a (\r\nid int);' });
    expect(await run(database, directory)).toEqual({ applied: [] });
    write(directory, { '0001_first.sql': 'create table a (\nid bigint);' });
    await expect(run(database, directory)).rejects.toThrow('Migration 0001_first.sql was changed after');
  });

  it('refuses a database that was migrated by a newer version', async () => {
    const database = await emptyDatabase();
    await run(database, directoryOf({ ...first, ...second }));
    await expect(run(database, directoryOf(first))).rejects.toThrow(
      "The database has migration 0002_second.sql, which this version of Stet doesn't know: its last one is 0001_first.sql.",
    );
  });

  it('refuses a new file whose number is lower than that of an applied one', async () => {
    const database = await emptyDatabase();
    const directory = directoryOf(second);
    write(directory, { '0002_second.sql': 'create table a (id int)' });
    await run(database, directory);
    write(directory, first);
    await expect(run(database, directory)).rejects.toThrow('0001_first.sql comes before 0002_second.sql');
  });

  it('refuses two files with the same number, and a file without a number', async () => {
    const database = await emptyDatabase();
    const doubled = directoryOf({ ...first, '0001_other.sql': '' });
    await expect(run(database, doubled)).rejects.toThrow('0001_first.sql and 0001_other.sql have the same number');
    await expect(run(database, directoryOf({ 'first.sql': '' }))).rejects.toThrow('first.sql must be named like');
  });

  it('brings an empty database to the schema of this version', async () => {
    const database = await emptyDatabase();
    const { applied } = await run(database, MIGRATIONS_DIRECTORY);
    expect(applied[0]).toMatch(/^0001_/);
    expect(await run(database, MIGRATIONS_DIRECTORY)).toEqual({ applied: [] });
  });

  it('moves the saved responses to requests about an account to the table of organizations’ responses', async () => {
    const database = await emptyDatabase();
    const until = (last: number) => new Set(Array.from({ length: last + 1 }, (_, number) => number));
    const connect = () => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(119), log });
    const ann = '01890000-0000-7000-8000-000000000001';
    await query(
      database,
      `insert into users (id, email, name, role, password_hash) values ('${ann}', 'ann@example.com', 'Ann', 'editor', '')`,
    );
    await query(
      database,
      `insert into person_keys (user_id, key, request_digest, answer) values ('${ann}', 'founding', 'd1', '{"body":1}')`,
    );
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(120), log });
    expect(await query(database, 'select org_id, user_id, key, request_digest, answer from idempotency_keys')).toEqual([
      ann,
      ann,
      'founding',
      'd1',
      '{"body":1}',
    ]);
  });

  it('keeps earlier confirmations valid for every role, and requests missing ones on behalf of the inviters', async () => {
    const database = await emptyDatabase();
    const until = (last: number) => new Set(Array.from({ length: last + 1 }, (_, number) => number));
    const connect = () => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(155), log });
    const id = (name: string) => `(select id from users where name = '${name}')`;
    for (const sql of [
      `insert into users (id, email, name, role, password_hash, proved_by)
       select gen_random_uuid(), lower(name) || '@example.com', name, 'editor', '', proof
       from (values ('Mara', 'mailbox'), ('Jon', 'mailbox'), ('Editor', null), ('ג׳ון', null), ('Confirmed', null), ('Refused', null),
                    ('Stuck', null), ('Mailed', 'mailbox')) person (name, proof)`,
      `insert into organizations (id, name, type, slug, required_approvals) values (gen_random_uuid(), 'Team', 'team', 'team', 1)`,
      `insert into memberships (org_id, user_id, role, invited_by, given_by)
       select o.id, u.id, case u.name when 'Editor' then 'editor' when 'Mara' then 'owner' else 'viewer' end,
              case when u.name <> 'Mara' then ${id('Jon')} end, case when u.name = 'ג׳ון' then ${id('Mara')} end
       from organizations o, users u where u.name <> 'Jon'`,
      `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by, status, decided_by, decided_at)
       select o.id, gen_random_uuid(), 'member', u.id::text, '{"role":"viewer"}', 'Earlier.', ${id('Mara')}, k.status,
              case when k.status <> 'waiting' then ${id('Mara')} end, case when k.status <> 'waiting' then now() end
       from organizations o, users u,
            (values ('Confirmed', 'confirmed'), ('Refused', 'refused'), ('Stuck', 'waiting')) k (name, status)
       where u.name = k.name`,
    ])
      await query(database, sql);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(159), log });
    expect(
      await query(
        database,
        `select concat_ws(' ', u.name, k.status, by.name, k.counts_for_all_roles, k.sentence)
         from confirmations k join users u on u.id::text = k.subject_id join users by on by.id = k.proposed_by order by 1`,
      ),
    ).toEqual([
      'Confirmed confirmed Mara t Earlier.',
      'Editor waiting Jon f Confirm that you know Editor (editor@example.com), whom Jon made an editor.',
      'Refused refused Mara f Earlier.',
      'Stuck waiting Jon f Earlier.',
      'ג׳ון waiting Jon f Confirm that you know \u200E\u2068ג׳ון\u2069 (ג׳ון@example.com), whom Mara made a viewer.',
    ]);
  });

  it('counts accounts created before proofs existed as proved', async () => {
    const database = await emptyDatabase();
    const until = (last: number) => new Set(Array.from({ length: last + 1 }, (_, number) => number));
    const connect = () => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(69), log });
    const account = (name: string) =>
      `insert into users (id, email, name, role, password_hash)
       values (gen_random_uuid(), lower('${name}') || '@example.com', '${name}', 'editor', '')`;
    await query(database, account('Ann'));
    await query(
      database,
      `insert into organizations (id, name, type, slug, required_approvals) values (gen_random_uuid(), 'Team', 'team', 'team', 1)`,
    );
    await run(database, MIGRATIONS_DIRECTORY);
    await query(database, account('Later'));
    expect(
      await query(
        database,
        `select u.name, member_proof(o.id, u.id) from organizations o cross join users u where o.name = 'Team' order by u.name`,
      ),
    ).toEqual(['Ann', 'earlier', 'Later', null]);
  });

  it('reopens a member’s last withdrawn request for confirmation, unless one is open or their role has changed', async () => {
    const database = await emptyDatabase();
    const until = (last: number) => new Set(Array.from({ length: last + 1 }, (_, number) => number));
    const connect = () => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(173), log });
    for (const sql of [
      `insert into organizations (id, name, type, slug, required_approvals) values (gen_random_uuid(), 'Team', 'team', 'team', 1)`,
      `insert into users (id, email, name, role, password_hash)
       select gen_random_uuid(), lower(name) || '@example.com', name, 'editor', ''
       from unnest(array['Mara', 'Withdrawn', 'Asked', 'Changed', 'Refused']) name`,
      `insert into memberships (org_id, user_id, role)
       select o.id, u.id, case when u.name = 'Changed' then 'viewer' else 'editor' end from organizations o, users u`,
      `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by, proposed_at, status, decided_at)
       select o.id, gen_random_uuid(), 'member', u.id::text, '{"role": "editor"}', k.sentence, mara.id,
              now() + k.after * interval '1 hour', k.status, case when k.status <> 'waiting' then now() end
       from organizations o, users u, users mara, (values
         ('Withdrawn', 0, 'withdrawn', 'First.'), ('Withdrawn', 1, 'withdrawn', 'Second.'), ('Asked', 0, 'withdrawn', 'First.'),
         ('Asked', 1, 'waiting', 'Second.'), ('Changed', 0, 'withdrawn', 'First.'), ('Refused', 0, 'refused', 'First.')
       ) k (name, after, status, sentence)
       where u.name = k.name and mara.name = 'Mara'`,
    ])
      await query(database, sql);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(174), log });
    expect(
      await query(
        database,
        `select concat_ws(' ', u.name, k.sentence) from confirmations k join users u on u.id::text = k.subject_id
         where k.status = 'waiting' order by 1`,
      ),
    ).toEqual(['Asked Second.', 'Withdrawn Second.']);
  });

  it('ends proposals of weaker escalations that were made with an organization’s token', async () => {
    const database = await emptyDatabase();
    const until = (last: number) => new Set(Array.from({ length: last + 1 }, (_, number) => number));
    const connect = () => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(160), log });
    for (const sql of [
      `insert into users (id, email, name, role, password_hash) values (gen_random_uuid(), 'ann@example.com', 'Ann', 'editor', '')`,
      `insert into organizations (id, name, type, slug, required_approvals) values (gen_random_uuid(), 'Team', 'team', 'team', 1)`,
      `insert into api_tokens (org_id, id, kind, user_id, name, role, scopes, hash, ending)
       select o.id, gen_random_uuid(), k.kind, u.id, k.kind, k.role, '{}', convert_to(k.kind, 'UTF8'), ''
       from organizations o, users u, (values ('organization', 'admin'), ('personal', null)) k (kind, role)`,
      `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by)
       select t.org_id, gen_random_uuid(), 'escalation', 'flow-' || t.kind, '{}', 'Notify nobody.', t.user_id from api_tokens t`,
      `insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, payload, digest, prev, hash)
       select t.org_id, row_number() over (), now(), t.id, 'confirmation.proposed', 'workflow', k.subject_id,
              json_build_object('data', json_build_object('confirmationId', k.id))::text, '', '', ''
       from api_tokens t join confirmations k on k.subject_id = 'flow-' || t.kind`,
    ])
      await query(database, sql);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, only: until(161), log });
    expect(await query(database, 'select subject_id, status from confirmations order by 1')).toEqual([
      'flow-organization',
      'replaced',
      'flow-personal',
      'waiting',
    ]);
  });
});
