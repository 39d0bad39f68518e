import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount } from './account.ts';
import { findBinaries, runnableBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { claim, identify } from './data-directory-lock.ts';
import { type Connection, ensureDatabase } from './ensure-database.ts';
import { type EmbeddedPostgresLog, keepRunning } from './keep-running.ts';
import type { Launch } from './launch.ts';
import { EmbeddedPostgresProblem } from './problem.ts';
import { makeSocketDirectory, SOCKET_PORT } from './socket-directory.ts';

type EmbeddedPostgresOptions = {
  /** The value of `DATA_DIR`. The directory is created if it is missing. The cluster is in its folder `postgres`. */
  dataDir: string;
  log: EmbeddedPostgresLog;
  /** Called once if PostgreSQL has exited and can't be restarted; the server then has no database. */
  onExit?: (problem: Error) => void;
  /** PostgreSQL settings for tests. An `fsync` of `off` also applies to the creation of the cluster. */
  settings?: Readonly<Record<string, string>>;
};

export type EmbeddedPostgres = {
  /** Connects as the cluster's owner. It stays valid if PostgreSQL restarts. */
  connection: Connection;
  /**
   * Stops PostgreSQL and unlocks the data directory. Connections are closed immediately. Further calls wait for the
   * first.
   */
  stop: () => Promise<void>;
};

const CLAIM_PATIENCE_MS = 2_000;
const CLAIM_POLL_MS = 50;

/**
 * Starts the embedded PostgreSQL and resolves when the database `stet` accepts connections. Rejects with
 * `EmbeddedPostgresProblem`. Its reason is `in_use` if another server has locked the data directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = makeDataDirectory(options.dataDir);
  const release = await claimDataDirectory(dataDir);
  try {
    const prepared = await prepare(dataDir, options.settings ?? {});
    const connection = { host: prepared.socketDirectory, port: SOCKET_PORT, user: 'postgres', database: 'stet' };
    const stopPostgres = await keepRunning(prepared, options);
    let stopping: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      await stopPostgres();
      fs.rmSync(prepared.socketDirectory, { recursive: true, force: true });
      release();
    };
    const stop = (): Promise<void> => (stopping ??= end());
    await ensureDatabase(connection).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { connection, stop };
  } catch (error) {
    release();
    throw error;
  }
}

function makeDataDirectory(dataDir: string): string {
  try {
    if (!fs.existsSync(dataDir)) {
      fs.mkdirSync(dataDir, { recursive: true });
      // PostgreSQL may run as a different account, which needs to enter this directory but not to list it.
      fs.chmodSync(dataDir, 0o711);
    }
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return fs.realpathSync(dataDir);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedPostgresProblem(
      'not_owned',
      `The data directory ${dataDir} can't be used: ${why}. Make it writable for the user of this process, or set DATA_DIR to a different one.`,
      { cause },
    );
  }
}

/** Retries for a moment, because the old server may still be shutting down during a restart. */
async function claimDataDirectory(dataDir: string): Promise<() => void> {
  const self = identify(process.pid) ?? { pid: process.pid, started: '' };
  for (const until = Date.now() + CLAIM_PATIENCE_MS; ; await sleep(CLAIM_POLL_MS)) {
    const claimed = claim(path.join(dataDir, 'lock'), self);
    if (claimed.ok) return claimed.release;
    if (Date.now() < until) continue;
    throw new EmbeddedPostgresProblem(
      'in_use',
      `Another Stet server (process ${claimed.holder.pid}) is using ${dataDir}. Stop it first, or start this one with a different DATA_DIR.`,
    );
  }
}

async function prepare(dataDir: string, settings: Readonly<Record<string, string>>): Promise<Launch> {
  const clusterDirectory = path.join(dataDir, 'postgres');
  const account = chooseAccount(clusterDirectory);
  const places = [dataDir, '/var/tmp'].filter((place) => fs.existsSync(place));
  const native = runnableBinaries(await findBinaries(), account, places);
  await ensureCluster(clusterDirectory, native, account, settings['fsync'] !== 'off');
  const socketDirectory = makeSocketDirectory(clusterDirectory, account);
  return { native, account, clusterDirectory, socketDirectory, logFile: path.join(dataDir, 'postgres.log'), settings };
}
