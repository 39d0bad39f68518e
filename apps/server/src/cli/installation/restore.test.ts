import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '../../testing/database.ts';
import { stet } from '../stet.fixture.ts';
import { migrate } from '../../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../../db/migration-files.ts';
import { containing, contentOf, startBackupScene } from '../../testing/backup-scene.ts';
import { BACKUP_FOLDERS } from './backup-files.ts';
import { loadBackup } from './load-backup.ts';
import { placeFiles } from './place-files.ts';

const scene = await startBackupScene();
const { server, folder, env, inFolder, stopped, restored } = scene;

describe('a backup of an external database', () => {
  // Stops the server, because its jobs would otherwise run in the meantime.
  beforeAll(() => server.server.stop());
  afterAll(() => scene.stop());

  it('can be restored again after an attempt that failed after its files were moved into place', async () => {
    const file = inFolder('broken-off.gz');
    await stet(['backup', file], env);
    const database = await createEmptyDatabase();
    stopped.push(database.drop);
    const dataDir = mkdtempSync(inFolder('broken-off-'));
    const connect = (): pg.Client => new pg.Client(database.connection);
    await migrate({ connect, directory: MIGRATIONS_DIRECTORY, log: { info() {} } });
    const client = connect();
    await client.connect();
    const made = mkdtempSync(inFolder('made-'));
    const place = (): void => {
      placeFiles(made, dataDir, BACKUP_FOLDERS);
      throw new Error('broken off');
    };
    const options = { filesTo: made, withJobs: true, placeFiles: place };
    await expect(loadBackup(client, { file, decryption: null }, options)).rejects.toThrow('broken off');
    await client.end();
    expect(execFileSync('ls', [dataDir]).toString()).toContain('keys');

    const copyEnv = { DATABASE_URL: database.url, DATA_DIR: dataDir };
    expect(await stet(['restore', file], copyEnv)).toMatchObject({ code: 0, stderr: containing('Restored as of') });
    const there = execFileSync('ls', [dataDir]).toString();
    expect(there).toContain('before-restore-');
    expect(there).not.toContain('unfinished');
    for (const name of ['keys', 'checkpoints', 'mail'])
      expect(execFileSync('diff', ['-r', join(server.dataDir, name), join(dataDir, name)]).toString()).toBe('');
    const another = await createEmptyDatabase();
    stopped.push(another.drop);
    expect(await stet(['restore', file], { ...copyEnv, DATABASE_URL: another.url })).toMatchObject({
      code: 1,
      stderr: containing('already has an installation'),
    });
  });

  it('is refused if it was modified, without restoring anything', async () => {
    const file = inFolder('sound.gz');
    await stet(['backup', file], env);
    expect(await stet(['restore', file, '--check', '--json'], env)).toMatchObject({
      code: 0,
      out: containing('"rows"'),
    });
    const whole = readFileSync(file);
    const lines = gunzipSync(whole).toString().split('\n');
    const damaged: Record<string, Buffer> = {
      'cut off': whole.subarray(0, whole.length - 100),
      'without its end': gzipSync(`${lines.slice(0, -2).join('\n')}\n`),
      'without a row': gzipSync(lines.filter((line) => !line.startsWith('["')).join('\n')),
      'another row': gzipSync(lines.join('\n').replace('hiring', 'firing')),
      'another file': gzipSync('hello\n'),
      'no gzip': Buffer.from('hello\n'),
    };
    for (const [name, bytes] of Object.entries(damaged)) {
      const bad = inFolder(`bad ${name}`);
      writeFileSync(bad, bytes);
      const { outcome, database, dataDir } = await restored(bad);
      expect(outcome, name).toMatchObject({ code: 1, out: '', stderr: containing('Nothing was restored') });
      expect(Object.keys(await contentOf(database.connection))).toEqual(['sequences', 'jobs']);
      expect(execFileSync('ls', [dataDir]).toString()).toBe('');
    }
    expect(await stet(['restore', inFolder('nowhere.gz')], env)).toMatchObject({
      code: 1,
      stderr: containing("can't be read"),
    });
  });

  it('replaces no existing installation or database, and no backup file without --force', async () => {
    const file = inFolder('once.gz');
    await stet(['backup', file], env);
    expect(await stet(['backup', file], env)).toMatchObject({ code: 1, stderr: containing('already exists') });
    expect(await stet(['backup', file, '--force'], env)).toMatchObject({ code: 0 });
    const empty = mkdtempSync(inFolder('empty-'));
    expect(await stet(['restore', file], env)).toMatchObject({
      code: 1,
      stderr: containing('already has an installation'),
    });
    expect(await stet(['restore', file], { ...env, DATA_DIR: empty })).toMatchObject({
      code: 1,
      stderr: containing('is not empty'),
    });
    expect(await stet(['backup', folder, '--json'], env)).toMatchObject({ code: 0, out: containing('stet-backup-20') });
    const other = await createEmptyDatabase();
    stopped.push(other.drop);
    expect(await stet(['backup', inFolder('none.gz')], { ...env, DATABASE_URL: other.url })).toMatchObject({
      code: 1,
      stderr: containing('no installation'),
    });
    expect(execFileSync('ls', [folder]).toString()).not.toContain('unfinished');
  });
});
