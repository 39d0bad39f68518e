import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { sealTrails } from '../modules/audit/seal-trails.job.ts';
import { stet } from '../cli/stet.fixture.ts';
import { waitingJobs } from '../cli/installation/jobs.ts';
import { listSequences, listTables, rowsOf } from '../cli/installation/tables.ts';
import { createEmptyDatabase } from './database.ts';
import { publish, stepsNamed, teamOf } from './organization.ts';
import { complete, start } from './runs.ts';
import { startTestServer } from './server.ts';

/**
 * Reads the rows of all tables (except `stet_migrations`) and the sequences of a database, and counts its waiting jobs.
 */
export async function contentOf(connection: pg.ClientConfig): Promise<Record<string, unknown>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'; begin isolation level repeatable read, read only`);
    const content: Record<string, unknown> = {};
    for (const table of await listTables(client)) {
      const rows: string[] = [];
      for await (const batch of rowsOf(client, table)) rows.push(...batch.map((row) => JSON.stringify(row)));
      content[table.name] = { columns: table.columns, rows: rows.toSorted() };
    }
    content['sequences'] = await listSequences(client);
    content['jobs'] = (await waitingJobs(client)).length;
    return content;
  } finally {
    await client.end();
  }
}

export const containing = (text: string) => expect.stringContaining(text) as string;

/**
 * An installation on an external database, with a team, a run, a sealed trail and a mail. `restored` creates copies of
 * it from its backups.
 */
export async function startBackupScene() {
  const folder = mkdtempSync(join(tmpdir(), 'stet-backup-test-'));
  const server = await startTestServer();
  const { editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
  await publish(editor, reviewer, 'hiring', [
    {
      id: 'odd',
      title: 'Tabs\t, "quotes", \\back\\slashes, {braces}, \u2028 and 日本語 😀',
      assignee: editor.user.email,
      sla: '4h',
    },
    ...stepsNamed('Second'),
  ]);
  const run = await start(editor, 'hiring');
  await complete(editor, run.id, 'odd', 'Line one\nline two\r\n\\N');
  await sealTrails(server.server.deps);
  mkdirSync(join(server.dataDir, 'mail'), { recursive: true });
  // The text is longer than a chunk of the archive.
  writeFileSync(join(server.dataDir, 'mail', 'long.eml'), Buffer.alloc(1_200_000, 'äb\n'), { mode: 0o600 });
  const env: Record<string, string> = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
  const inFolder = (name: string): string => join(folder, name);
  /** Functions that stop the copies and drop their databases at the end of the scene, in this order. */
  const stopped: (() => Promise<void>)[] = [];

  /** Restores a backup to a separate database and data directory. */
  async function restored(file: string, ...options: string[]) {
    return restoredIn({}, file, ...options);
  }
  async function restoredIn(more: Record<string, string>, file: string, ...options: string[]) {
    const database = await createEmptyDatabase();
    const dataDir = mkdtempSync(inFolder('restored-'));
    stopped.push(database.drop);
    const copyEnv = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...more };
    const outcome = await stet(['restore', file, ...options], copyEnv);
    return { outcome, database, dataDir, env: copyEnv };
  }

  return {
    server,
    editor,
    folder,
    env,
    inFolder,
    stopped,
    restored,
    restoredIn,
    stop: async (): Promise<void> => {
      for (const stop of stopped) await stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
