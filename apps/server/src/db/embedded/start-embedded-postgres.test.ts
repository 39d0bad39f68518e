import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isReachable, unprivilegedAccount } from './account.ts';
import { findPostmaster } from './postmaster.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import {
  answers,
  cleanUp,
  forgetPrepared,
  log,
  pidOf,
  prepare,
  preparedDirectory,
  query,
  repository,
  start,
  startProcess,
  temporaryDirectory,
  until,
} from './embedded.fixture.ts';

const isRoot = process.getuid?.() === 0;

beforeAll(prepare);
afterEach(cleanUp);
afterAll(forgetPrepared);

describe('the embedded PostgreSQL', () => {
  it('creates a database that syncs every commit, and finds its data at the next start', async () => {
    const dataDir = path.join(temporaryDirectory(), 'data');
    const first = await start(dataDir, {});
    expect(await query(first.connection, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(first.connection, 'select current_database() as name')).toEqual([{ name: 'stet' }]);
    await query(first.connection, "create table kept as select 'here' as what");
    await first.stop();
    const second = await start(dataDir, {});
    expect(await query(second.connection, 'select what from kept')).toEqual([{ what: 'here' }]);
  });

  it("doesn't listen on the network", async () => {
    const { connection } = await start(preparedDirectory());
    expect(await query(connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(fs.statSync(connection.host).mode & 0o777).toBe(0o700);
  });

  it('stops despite an open transaction, and a second stop has no effect', async () => {
    const dataDir = preparedDirectory();
    const postgres = await start(dataDir);
    const client = new pg.Client(postgres.connection);
    client.on('error', () => {});
    await client.connect();
    await client.query('begin; create table unfinished (id int)');
    await postgres.stop();
    await postgres.stop();
    expect(findPostmaster(path.join(dataDir, 'postgres'))).toBeUndefined();
  });

  it('is restarted at the same address if it is killed but its server isn’t', async () => {
    const dataDir = preparedDirectory();
    const { connection } = await start(dataDir);
    await query(connection, 'create table kept as select 1 as n');
    const killed = pidOf(dataDir);
    process.kill(killed, 'SIGKILL');
    await until(() => answers(connection));
    expect(pidOf(dataDir)).not.toBe(killed);
    expect(await query(connection, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('refuses a second server on the same data directory without affecting the first', async () => {
    const dataDir = preparedDirectory();
    const { connection } = await start(dataDir);
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({ reason: 'in_use' });
    const other = await startProcess(dataDir).outcome;
    expect(other).toMatchObject({ code: 75 });
    expect('output' in other && other.output).toContain(
      `Another Stet server (process ${process.pid}) is using ${dataDir}`,
    );
    expect(await answers(connection)).toBe(true);
  });

  it('stops when its server is killed, and the next server continues with the same data', async () => {
    const dataDir = preparedDirectory();
    const { child, outcome } = startProcess(dataDir);
    const started = await outcome;
    if (!('connection' in started)) throw new Error(started.output);
    await query(started.connection, 'create table kept as select 1 as n');
    child.kill('SIGKILL');
    await until(() => findPostmaster(path.join(dataDir, 'postgres')) === undefined);
    const { connection } = await start(dataDir);
    expect(await query(connection, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('starts after both its server and PostgreSQL were killed', async () => {
    const dataDir = preparedDirectory();
    const { child, outcome } = startProcess(dataDir);
    const started = await outcome;
    if (!('connection' in started)) throw new Error(started.output);
    await query(started.connection, 'create table kept as select 1 as n');
    const database = pidOf(dataDir);
    child.kill('SIGKILL');
    process.kill(database, 'SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const { connection } = await start(dataDir);
    expect(await query(connection, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('gives the data directory of a killed server to exactly one of several new servers', async () => {
    const dataDir = preparedDirectory();
    const first = startProcess(dataDir);
    await first.outcome;
    first.child.kill('SIGKILL');
    const rivals = Array.from({ length: 4 }, () => startProcess(dataDir));
    const outcomes = await Promise.all(rivals.map(({ outcome }) => outcome));
    expect(outcomes.filter((outcome) => 'connection' in outcome)).toHaveLength(1);
    expect(outcomes.filter((outcome) => 'code' in outcome && outcome.code === 75)).toHaveLength(3);
  }, 40_000);

  it('starts even if the process id of the previous PostgreSQL now belongs to another process', async () => {
    const dataDir = preparedDirectory();
    const { connection, stop } = await start(dataDir);
    await query(connection, 'create table kept as select 1 as n');
    const file = path.join(dataDir, 'postgres', 'postmaster.pid');
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    await stop();
    const left = [String(process.ppid), ...lines.slice(1)].join('\n');
    fs.writeFileSync(file, left);
    fs.mkdirSync(connection.host, { recursive: true });
    fs.writeFileSync(path.join(connection.host, '.s.PGSQL.5432.lock'), left);
    const next = await start(dataDir);
    expect(await query(next.connection, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('removes the files of an interrupted first start', async () => {
    const dataDir = temporaryDirectory();
    const unfinished = path.join(dataDir, 'postgres.unfinished-123');
    fs.mkdirSync(unfinished);
    fs.writeFileSync(path.join(unfinished, 'half'), '');
    const { connection } = await start(dataDir);
    expect(await answers(connection)).toBe(true);
    expect(fs.existsSync(unfinished)).toBe(false);
  });

  it('refuses a cluster of a different major version, and names both versions', async () => {
    const dataDir = temporaryDirectory();
    fs.mkdirSync(path.join(dataDir, 'postgres'));
    fs.writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
      reason: 'other_version',
      message: expect.stringMatching(/PostgreSQL 15.*PostgreSQL 18/) as string,
    });
  });

  it("reports the end of the log if PostgreSQL doesn't start", async () => {
    const dataDir = preparedDirectory();
    await (await start(dataDir)).stop();
    fs.appendFileSync(path.join(dataDir, 'postgres', 'postgresql.conf'), "\nshared_buffers = 'nonsense'\n");
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
      reason: 'start_failed',
      message: expect.stringContaining('shared_buffers') as string,
    });
  });

  it.runIf(isRoot)('runs as an unprivileged account if the server is root', async () => {
    const dataDir = preparedDirectory();
    await start(dataDir);
    expect(fs.statSync(path.join(dataDir, 'postgres')).uid).not.toBe(0);
  });

  it.runIf(isRoot && process.platform === 'linux')(
    'works as root in a directory that only root can enter',
    async () => {
      const hidden = temporaryDirectory(os.tmpdir(), 0o700);
      const dataDir = path.join(hidden, 'checkout', 'data');
      const first = await start(dataDir);
      await query(first.connection, 'create table kept as select 1 as n');
      process.kill(pidOf(dataDir), 'SIGKILL');
      await until(() => answers(first.connection));
      await first.stop();
      const second = await start(dataDir);
      expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }]);
    },
  );

  const nobody = isRoot ? unprivilegedAccount(fs.readFileSync('/etc/passwd', 'utf8')) : undefined;
  const canTryAsNobody = nobody?.kind === 'other' && isReachable(repository, nobody);

  it.runIf(canTryAsNobody)(
    "works for a server that isn't root, and refuses another user's data and a directory that it can't write",
    async () => {
      if (nobody?.kind !== 'other') throw new Error('no account to try with');
      const { uid, gid } = nobody;
      const dataDir = temporaryDirectory();
      fs.chownSync(dataDir, uid, gid);
      const own = startProcess(dataDir, { uid, gid });
      expect(await own.outcome).toHaveProperty('connection');
      own.child.kill('SIGTERM');
      await new Promise((resolve) => own.child.once('close', resolve));
      fs.chownSync(path.join(dataDir, 'postgres'), 0, 0);
      const foreign = await startProcess(dataDir, { uid, gid }).outcome;
      expect(foreign).toMatchObject({ code: 77, output: expect.stringContaining('belongs to user id 0') as string });
      const readOnly = temporaryDirectory();
      fs.chmodSync(readOnly, 0o555);
      const unusable = await startProcess(readOnly, { uid, gid }).outcome;
      expect(unusable).toMatchObject({
        code: 77,
        output: expect.stringContaining('set DATA_DIR to a different') as string,
      });
    },
  );
});
