import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { callerOf } from '../caller.ts';
import { quantile } from '../figures.ts';
import { ServerProcess } from '../server-process.ts';
import { type Client, STEPS } from './client-process.ts';
import { Clients } from './clients.ts';
import { cpuSeconds } from './cpu.ts';
import { drained, embeddedPostgres, openSql } from './database.ts';
import type { ExternalPostgres } from '../external-postgres.ts';
import { WORKFLOW, foundOrganizations } from './organizations.ts';
import { type SentTransaction, recorded } from './recorded.ts';

/** CPU seconds for a thousand completed steps. */
export type Cpu = { server: number; postgres: number; clients: number };

export type Measured = {
  clients: number;
  organizations: number;
  startsPerSecond: number;
  completionsPerSecond: number;
  p50: number;
  p99: number;
  cpu: Cpu;
  /** How long the jobs that the completions left behind went on after the last answer. */
  jobsSeconds: number;
};

/** A server on one PostgreSQL with organizations and clients, until it is closed. */
export type Session = {
  postgres: { pid: number; host: string; port: number };
  sql: pg.Client;
  measure: (clients: number, organizations: number, seconds: number) => Promise<Measured>;
  /** Keeps the server from doing anything while something else is measured; the jobs that this left are forgotten. */
  withoutServer: <T>(work: () => Promise<T>) => Promise<T>;
  /** The transactions that complete the steps of one run, in order. */
  record: () => Promise<{ runId: string; transactions: SentTransaction[] }>;
  close: () => Promise<void>;
};

type SessionOptions = { port: number; organizations: number; external?: ExternalPostgres; flags?: readonly string[] };

/** Starts the server and whatever it takes to load it. What was started is ended again where a part of it fails. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-throughput-'));
  const environment = options.external ? { DATABASE_URL: options.external.url('stet') } : {};
  const server = new ServerProcess(options.port, dataDir, environment, options.flags);
  const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true }), () => server.stop()];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).toReversed()) await end();
  };
  try {
    await server.start();
    const postgres = options.external ?? { ...embeddedPostgres(dataDir), logFile: join(dataDir, 'postgres.log') };
    const sql = await openSql({ host: postgres.host, port: postgres.port, user: 'postgres', database: 'stet' });
    closing.push(() => sql.end());
    const clients = await Clients.open(2);
    closing.push(() => clients.stop());
    const people = await foundOrganizations(options.port, options.organizations);
    const pids = { servers: [server.pid ?? 0], postgres: postgres.pid };
    return {
      postgres,
      sql,
      measure: (count, among, seconds) => {
        const acting = Array.from({ length: count }, (_, at) => people[at % among]).filter((one) => one !== undefined);
        return measured({ clients, acting, sql, pids, seconds });
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

/** Starts runs for so many seconds, then completes all of their steps. */
export async function measured({ clients, acting, sql, pids, seconds }: Load): Promise<Measured> {
  const spent = (): Omit<Cpu, 'clients'> => ({
    server: pids.servers.reduce((sum, pid) => sum + cpuSeconds(pid, [pids.postgres]), 0),
    postgres: cpuSeconds(pids.postgres),
  });
  const started = await clients.start({ clients: acting, workflow: WORKFLOW, seconds });
  await drained(sql);
  const before = spent();
  const completed = await clients.complete();
  const jobsSeconds = await drained(sql);
  const after = spent();
  const perThousand = (cpu: number): number => (cpu * 1000) / completed.count;
  return {
    clients: acting.length,
    organizations: new Set(acting).size,
    startsPerSecond: started.count / started.seconds,
    completionsPerSecond: completed.count / completed.seconds,
    p50: quantile(completed.ms, 0.5),
    p99: quantile(completed.ms, 0.99),
    jobsSeconds,
    cpu: {
      server: perThousand(after.server - before.server),
      postgres: perThousand(after.postgres - before.postgres),
      clients: perThousand(completed.cpuSeconds),
    },
  };
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
  const { id: runId } = await call<{ id: string }>('POST', '/api/runs', { key: WORKFLOW, name: 'The one looked at' });
  await drained(sql);
  const sent = await recorded(sql, logFile, async () => {
    for (const step of STEPS)
      await call('POST', `/api/runs/${runId}/steps/${step}/complete`, { output: { text: 'done' } });
  });
  const transactions = sent.filter((one) => one.some(({ name }) => name === 'save_run'));
  if (transactions.length !== STEPS.length)
    throw new Error(`${transactions.length} transactions were found where ${STEPS.length} steps were completed`);
  return { runId, transactions };
}
