import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { callerOf } from '../caller.ts';
import { quantile } from '../figures.ts';
import { ServerProcess } from '../server-process.ts';
import { type Client, STEPS } from './client-process.ts';
import { Clients, type Phase } from './clients.ts';
import { type Remembered, rememberRun } from './copies.ts';
import { cpuSeconds } from './cpu.ts';
import { drained, embeddedPostgres, openSql } from './database.ts';
import type { ExternalPostgres } from '../external-postgres.ts';
import { WORKFLOW, foundOrganizations } from './organizations.ts';
import { type Span, monotonic } from './profile.ts';
import { type Sent, type SentTransaction, recorded } from './recorded.ts';

/** CPU seconds per thousand operations. */
export type Cpu = { server: number; postgres: number; clients: number };

export type Measured = {
  clients: number;
  organizations: number;
  startsPerSecond: number;
  completionsPerSecond: number;
  p50: number;
  p99: number;
  cpu: Cpu;
  /** How long the jobs of the completions continued after the last response, in seconds. */
  jobsSeconds: number;
  /** The time span of the completions and their number, for reading the server's profile. */
  completing: { span: Span; count: number };
  /** Runs per second. A client starts its next run when the previous one is completed. */
  wholeRuns: { perSecond: number; cpu: Cpu };
};

/** A server on one PostgreSQL, with organizations and clients, until it is closed. */
export type Session = {
  postgres: { pid: number; host: string; port: number };
  sql: pg.Client;
  measure: (clients: number, organizations: number, seconds: number) => Promise<Measured>;
  /** Pauses the server during another measurement, and removes the jobs that this measurement enqueued. */
  withoutServer: <T>(work: () => Promise<T>) => Promise<T>;
  /** A run before its first step is completed, the transactions that complete its steps, in order, and a session’s lookup. */
  record: () => Promise<{ before: Remembered; transactions: SentTransaction[]; lookup: Sent }>;
  close: () => Promise<void>;
};

type SessionOptions = {
  port: number;
  organizations: number;
  external?: ExternalPostgres;
  /** The name of an empty database in the external PostgreSQL; by default `stet`. */
  database?: string;
  flags?: readonly string[];
};

/** Starts the server and everything needed for the load. If a part fails, the others are stopped. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-throughput-'));
  const { database = 'stet' } = options;
  const environment = options.external ? { DATABASE_URL: options.external.url(database) } : {};
  const server = new ServerProcess(options.port, dataDir, environment, options.flags);
  const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true }), () => server.stop()];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).toReversed()) await end();
  };
  try {
    await server.start();
    const postgres = options.external ?? { ...embeddedPostgres(dataDir), logFile: join(dataDir, 'postgres.log') };
    const sql = await openSql({ host: postgres.host, port: postgres.port, user: 'postgres', database });
    closing.push(() => sql.end());
    const clients = await Clients.open(2);
    closing.push(() => clients.stop());
    const people = await foundOrganizations(options.port, options.organizations);
    const pids = { servers: [server.pid ?? 0], postgres: postgres.pid };
    let isWarm = false;
    return {
      postgres,
      sql,
      measure: async (count, among, seconds) => {
        const acting = Array.from({ length: count }, (_, at) => people[at % among]).filter((one) => one !== undefined);
        const load = { clients, acting, sql, pids, seconds };
        // Autovacuum gathers statistics within a minute. Without them, some statements read the whole organization.
        if (!isWarm) await measured(load).then(() => sql.query('analyze'));
        isWarm = true;
        return measured(load);
      },
      withoutServer: (work) => stopped(server.pid ?? 0, sql, work),
      record: () => recordOneRun(server.url, people[0], sql, postgres.logFile),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export type Load = {
  clients: Clients;
  acting: Client[];
  sql: pg.Client;
  pids: { servers: readonly number[]; postgres: number };
  seconds: number;
};

/** Starts runs for a number of seconds and completes all their steps. Then executes whole runs for the same time. */
export async function measured({ clients, acting, sql, pids, seconds }: Load): Promise<Measured> {
  const order = { clients: acting, workflow: WORKFLOW, seconds };
  const started = await clients.start(order);
  await drained(sql);
  const from = monotonic();
  const { phase, cpu, jobsSeconds } = await withCpu(sql, pids, () => clients.complete());
  const completing = { span: { from, to: monotonic() }, count: phase.count };
  const whole = await withCpu(sql, pids, () => clients.wholeRuns(order));
  return {
    clients: acting.length,
    organizations: new Set(acting).size,
    startsPerSecond: started.count / started.seconds,
    completionsPerSecond: phase.count / phase.seconds,
    p50: quantile(phase.ms, 0.5),
    p99: quantile(phase.ms, 0.99),
    jobsSeconds,
    completing,
    cpu,
    wholeRuns: { perSecond: whole.phase.count / whole.phase.seconds, cpu: whole.cpu },
  };
}

/** Executes a phase. Returns its result, the CPU time including its jobs, and how long the jobs took afterwards. */
async function withCpu(sql: pg.Client, pids: Load['pids'], act: () => Promise<Phase>) {
  const spent = (): Omit<Cpu, 'clients'> => ({
    server: pids.servers.reduce((sum, pid) => sum + cpuSeconds(pid, [pids.postgres]), 0),
    postgres: cpuSeconds(pids.postgres),
  });
  const before = spent();
  const phase = await act();
  const jobsSeconds = await drained(sql);
  const after = spent();
  const perThousand = (seconds: number): number => (seconds * 1000) / phase.count;
  const cpu: Cpu = {
    server: perThousand(after.server - before.server),
    postgres: perThousand(after.postgres - before.postgres),
    clients: perThousand(phase.cpuSeconds),
  };
  return { phase, jobsSeconds, cpu };
}

async function stopped<T>(pid: number, sql: pg.Client, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    const result = await work();
    await sql.query('delete from outbox');
    return result;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function recordOneRun(url: string, person: Client | undefined, sql: pg.Client, logFile: string) {
  const call = callerOf(url, person?.token);
  const { id: runId } = await call<{ id: string }>('POST', '/api/runs', { key: WORKFLOW, name: 'The recorded run' });
  await drained(sql);
  const before = await rememberRun(sql, runId);
  const sent = await recorded(sql, logFile, async () => {
    for (const step of STEPS)
      await call('POST', `/api/runs/${runId}/steps/${step}/complete`, { output: { text: 'done' } });
  });
  const transactions = sent.filter((one) => one.some(({ name }) => name === 'save_runs'));
  if (transactions.length !== STEPS.length)
    throw new Error(`${transactions.length} transactions were found for ${STEPS.length} completed steps`);
  const lookup = sent.flat().find(({ name }) => name === 'find_sessions');
  if (!lookup) throw new Error('no lookup of a session was found');
  return { before, transactions, lookup };
}
