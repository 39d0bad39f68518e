import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseAccount } from './account.ts';
import { findBinaries, runnableBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { keepRunning } from './keep-running.ts';
import { findPostmaster, sendSignal } from './postmaster.ts';
import { makeSocketDirectory, SOCKET_PORT } from './socket-directory.ts';

const FULL = 'the disk is full; PostgreSQL will start again once there is space';

describe('a PostgreSQL that is kept running', () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** A cluster whose PostgreSQL runs out of disk space when it starts, as long as `isFull` exists. */
  async function prepared() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-pg-room-'));
    fs.chmodSync(folder, 0o755);
    cleanups.push(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 }));
    const clusterDirectory = path.join(folder, 'postgres');
    const account = chooseAccount(clusterDirectory);
    const real = runnableBinaries(await findBinaries(), account, ['/var/tmp']);
    await ensureCluster(clusterDirectory, real, account, false);
    const isFull = path.join(folder, 'full');
    const program = path.join(folder, 'native', 'bin', 'postgres');
    fs.mkdirSync(path.dirname(program), { recursive: true });
    const says = 'FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device';
    fs.writeFileSync(
      program,
      `#!/bin/sh\nif [ -e '${isFull}' ]; then echo '${says}' >&2; exit 1; fi\nexec '${real}/bin/postgres' "$@"\n`,
      { mode: 0o755 },
    );
    const socketDirectory = makeSocketDirectory(clusterDirectory, account);
    cleanups.push(() => fs.rmSync(socketDirectory, { recursive: true, force: true }));
    const launch = {
      native: path.join(folder, 'native'),
      account,
      clusterDirectory,
      socketDirectory,
      logFile: path.join(folder, 'postgres.log'),
      settings: { fsync: 'off' },
    };
    const answers = async (): Promise<boolean> => {
      const client = new pg.Client({
        host: socketDirectory,
        port: SOCKET_PORT,
        user: 'postgres',
        database: 'postgres',
      });
      client.on('error', () => {});
      return client.connect().then(
        async () => {
          await client.end();
          return true;
        },
        () => false,
      );
    };
    return { launch, isFull, answers };
  }

  it('waits for free disk space as long as necessary, and then starts again', async () => {
    const { launch, isFull, answers } = await prepared();
    const messages: string[] = [];
    const lost: Error[] = [];
    const log = { info() {}, warn() {}, error: (_: object, message: string) => void messages.push(message) };
    const stop = await keepRunning(launch, { log, onExit: (problem) => void lost.push(problem) });
    cleanups.push(stop);

    fs.writeFileSync(isFull, '');
    sendSignal(findPostmaster(launch.clusterDirectory)?.pid ?? 0, 'SIGQUIT');
    await expect.poll(() => messages).toEqual([FULL]);
    expect(await answers()).toBe(false);

    fs.rmSync(isFull);
    await expect.poll(answers).toBe(true);
    expect(lost).toEqual([]);
    expect(messages).toHaveLength(1);
  });

  it('stops waiting for disk space as soon as it is stopped', async () => {
    const { launch, isFull } = await prepared();
    const messages: string[] = [];
    const log = { info() {}, warn() {}, error: (_: object, message: string) => void messages.push(message) };
    const stop = await keepRunning(launch, { log });
    fs.writeFileSync(isFull, '');
    sendSignal(findPostmaster(launch.clusterDirectory)?.pid ?? 0, 'SIGQUIT');
    await expect.poll(() => messages).toEqual([FULL]);
    await stop();
    expect(findPostmaster(launch.clusterDirectory)).toBeUndefined();
  });
});
