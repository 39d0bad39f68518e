// node --import tsx bench/process.ts [--quick] [--port 4320]
// Measures the server's start time, and the memory of the server and PostgreSQL when idle and after a load. Writes its
// part of docs/performance.md, unless --quick is given.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callerOf } from './caller.ts';
import { quantile } from './figures.ts';
import { Clients } from './load/clients.ts';
import { familyOf } from './load/cpu.ts';
import { drained, embeddedPostgres, openSql } from './load/database.ts';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { foundOrganizations, WORKFLOW } from './load/organizations.ts';
import { report } from './report.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, port: { type: 'string', default: '4320' } },
});
const port = Number(values.port);
const TIMES = values.quick ? 3 : 7;
const LOAD_SECONDS = values.quick ? 2 : 10;
const CLIENTS = 32;

/** Megabytes of a server, its script processes, and its PostgreSQL, whose shared memory is counted once. */
type Memory = { server: number; sandbox: number; postgres: number };

const folder = mkdtempSync(join(tmpdir(), 'stet-process-'));
try {
  const [first, later] = await startsEmbedded();
  const external = await startsExternal();
  const [rest, loaded] = await memory();
  const cell = (ms: number[]): string[] =>
    ms.length === 0 ? ['', ''] : [quantile(ms, 0.5).toFixed(0), Math.max(...ms).toFixed(0)];
  report(
    'performance',
    'process',
    [
      'Time from the start of the process until it accepts requests.',
      {
        columns: ['Start', 'Median ms', 'Longest ms'],
        rows: [
          ['first start, creates the embedded database and all tables', ...cell(first)],
          ['later start, embedded PostgreSQL', ...cell(later)],
          ['later start, external PostgreSQL', ...cell(external)],
        ],
      },
      `Memory in MB: resident memory (RSS) of the server and of the script processes; for PostgreSQL the proportional set size (PSS), which counts shared memory once. The load is ${CLIENTS} clients that start and complete runs, and one script trial.`,
      {
        columns: ['', 'Server', 'Scripts', 'PostgreSQL'],
        rows: [
          ['Idle', ...megabytes(rest)],
          ['After the load', ...megabytes(loaded)],
        ],
      },
    ],
    values.quick ? 'quick' : 'whole',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function megabytes({ server, sandbox, postgres }: Memory): string[] {
  return [server, sandbox, postgres].map((one) => one.toFixed(0));
}

async function startsEmbedded(): Promise<[first: number[], later: number[]]> {
  const [first, later]: [number[], number[]] = [[], []];
  for (let n = 0; n < TIMES; n += 1) {
    const server = new ServerProcess(port, join(folder, `embedded-${n}`));
    for (const taken of [first, later]) {
      taken.push(await server.start());
      await server.stop();
    }
    rmSync(server.dataDir, { recursive: true, force: true });
  }
  return [first, later];
}

async function startsExternal(): Promise<number[]> {
  const programs = findPrograms();
  if (programs === null) return [];
  const external = await ExternalPostgres.createTemporary(programs);
  try {
    const server = new ServerProcess(port, join(folder, 'external'), { DATABASE_URL: external.url('stet') });
    const taken: number[] = [];
    for (let n = 0; n <= TIMES; n += 1) {
      taken.push(await server.start());
      await server.stop();
    }
    // The first start also created the tables, so it isn't counted.
    return taken.slice(1);
  } finally {
    await external.remove();
  }
}

async function memory(): Promise<[rest: Memory, loaded: Memory]> {
  const server = new ServerProcess(port, join(folder, 'memory'));
  await server.start();
  const postgres = embeddedPostgres(server.dataDir);
  const clients = await Clients.open(2);
  const sql = await openSql({ host: postgres.host, port: postgres.port, user: 'postgres', database: 'stet' });
  try {
    await sleep(2000);
    const rest = memoryOf(server.pid ?? 0, postgres.pid);
    const [person] = await foundOrganizations(port, 1);
    if (!person) throw new Error('nobody signed up');
    const acting = Array.from({ length: CLIENTS }, () => person);
    await clients.start({ clients: acting, workflow: WORKFLOW, seconds: LOAD_SECONDS });
    await clients.complete();
    await callerOf(server.url, person.token)('POST', '/api/workflows/script-trial', { script: 'return 1;' });
    await drained(sql);
    await sleep(2000);
    return [rest, memoryOf(server.pid ?? 0, postgres.pid)];
  } finally {
    clients.stop();
    await sql.end();
    await server.stop();
  }
}

function memoryOf(server: number, postgres: number): Memory {
  const sum = (pids: readonly number[], field: string): number =>
    pids.reduce((all, pid) => all + kilobytes(pid, field), 0) / 1024;
  return {
    server: sum([server], 'Rss'),
    sandbox: sum(
      familyOf(server, [postgres]).filter((pid) => pid !== server),
      'Rss',
    ),
    postgres: sum(familyOf(postgres), 'Pss'),
  };
}

/** Returns zero for a process that has just ended. */
function kilobytes(pid: number, field: string): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
