import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBackupScene } from '../../testing/backup-scene.ts';
import { publish } from '../../testing/organization.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';

const scene = await startBackupScene();
const { env, inFolder } = scene;
afterAll(() => scene.stop());

const tsx = import.meta.resolve('tsx');
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const environment = (more: Record<string, string>) => ({ PATH: process.env['PATH'], ...more });

function newFolder(name: string): string {
  mkdirSync(inFolder(name));
  // The embedded PostgreSQL may run under another account, which has to enter the folder.
  for (const folder of [scene.folder, inFolder(name)]) chmodSync(folder, 0o711);
  return inFolder(name);
}

describe('a backup that is interrupted', () => {
  let own: TestServer;
  let ownEnv: Record<string, string>;
  beforeAll(async () => {
    // All its rows come from calls, so that its trail is intact.
    own = await startTestServer();
    const person = await own.signUp();
    await publish(person, person, 'flow');
    ownEnv = { DATABASE_URL: own.database.url, DATA_DIR: own.dataDir };
  });
  afterAll(() => own.stop());

  /**
   * Runs `stet backup --verify`, and sends it the signal once its restored copy has keys. Returns its TMPDIR, and the
   * names of the copies that are left there.
   */
  async function verifiedUntil(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ names: string[]; tmp: string }> {
    const tmp = newFolder(`tmp-${signal}`);
    const command = [pathOf('../../cli-main.ts'), 'backup', inFolder(`${signal}.gz`), '--verify'];
    const child = spawn(process.execPath, ['--import', tsx, ...command], {
      env: environment({ ...ownEnv, TMPDIR: tmp }),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const scratch = (): string[] => readdirSync(tmp).filter((name) => name.startsWith('stet-verify-'));
    const hasKeys = (): boolean => scratch().some((name) => existsSync(join(tmp, name, 'keys')));
    await expect.poll(hasKeys, { timeout: 60_000, interval: 20 }).toBe(true);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(scene.folder)).toContain(`${signal}.gz`);
    return { names: scratch(), tmp };
  }

  it('leaves no copy in TMPDIR if it is terminated', async () => {
    expect((await verifiedUntil('SIGTERM')).names).toEqual([]);
  });

  it('leaves a copy only if it is killed; the next verification removes only this copy', async () => {
    const { names, tmp } = await verifiedUntil('SIGKILL');
    expect(names).toHaveLength(1);
    mkdirSync(join(tmp, 'stet-verify-mine'));
    vi.stubEnv('TMPDIR', tmp);
    const { code, stderr } = await stet(['backup', inFolder('next.gz'), '--verify'], ownEnv);
    vi.unstubAllEnvs();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readdirSync(tmp).filter((name) => name.startsWith('stet-verify-'))).toEqual(['stet-verify-mine']);
  });

  it('leaves no half-written file', async () => {
    const folder = newFolder('half');
    const script = `
      const { openArchiveWriter } = await import(${JSON.stringify(pathOf('archive-writer.ts'))});
      const archive = await openArchiveWriter(${JSON.stringify(join(folder, 'half.gz'))}, { replace: false });
      await archive.write({ type: 'table', name: 'users', columns: [] });
      console.log('writing');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '--eval', script], {
      env: environment({}),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^half\.gz\.[\da-f]{12}\.unfinished$/)]);
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('doesn’t prevent the next backup, even if both processes have the same id', async () => {
    const file = join(newFolder('same-id'), 'nightly.gz');
    writeFileSync(`${file}.${process.pid}.unfinished`, '');
    expect(await stet(['backup', file], env)).toMatchObject({ code: 0 });
    expect(await stet(['backup', file, '--force'], env)).toMatchObject({ code: 0 });
  });

  it('is deleted with the old backups a day after it was killed', async () => {
    const folder = newFolder('unfinished');
    const now = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
    const old = [
      'stet-backup-2026-01-01T02-00-00Z.jsonl.gz.7.unfinished',
      'stet-backup-2026-01-01T02-00-00Z.jsonl.gz.age.0a1b2c3d4e5f.unfinished',
    ];
    const others = [`stet-backup-${now}.jsonl.gz.7.unfinished`, 'mine.gz.7.unfinished'];
    for (const name of [...old, ...others]) writeFileSync(join(folder, name), '');
    const { out } = await stet(['backup', folder, '--keep', '2', '--json'], env);
    expect(JSON.parse(out)).toMatchObject({ deleted: old });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
  });
});

describe('a restore that is interrupted', () => {
  it('leaves no data and keys in DATA_DIR, and can be repeated', async () => {
    const file = inFolder('to-restore.gz');
    await stet(['backup', file], env);
    const dataDir = newFolder('interrupted-restore');
    const child = spawn(process.execPath, ['--import', tsx, pathOf('../../cli-main.ts'), 'restore', file], {
      env: environment({ DATA_DIR: dataDir }),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const restoring = join(dataDir, 'restoring');
    await expect.poll(() => existsSync(join(restoring, 'postgres')), { timeout: 60_000, interval: 20 }).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(existsSync(restoring)).toBe(false);
    expect(await stet(['restore', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    expect(readdirSync(dataDir)).not.toContain('restoring');
  }, 120_000);
});

describe('the unfinished file of a killed backup', () => {
  it('is removed a day later by the next backup to the same file, which removes nothing else', async () => {
    const folder = newFolder('left');
    const yesterday = (Date.now() - 90_000_000) / 1000;
    const names = [
      'a.gz.0123456789ab.unfinished',
      'a.gz.0123456789ac.unfinished',
      'b.gz.0123456789ab.unfinished',
      'a.gz.mine.unfinished',
    ];
    for (const name of names) {
      writeFileSync(join(folder, name), 'x');
      if (name !== names[1]) utimesSync(join(folder, name), yesterday, yesterday);
    }
    expect(await stet(['backup', join(folder, 'a.gz')], env)).toMatchObject({ code: 0 });
    expect(readdirSync(folder).toSorted()).toEqual(['a.gz', ...names.slice(1)].toSorted());
  });
});
