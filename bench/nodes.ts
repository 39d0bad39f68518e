// node --import tsx bench/nodes.ts [--quick] [--port 4330]
// Compares one and two server processes on the same PostgreSQL behind a plain round-robin: how many steps they
// complete, and how long a change made at one takes to reach a browser at the other. Exits with 1 if an event is
// missing. Writes its part of docs/performance.md, unless --quick is given.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callerOf } from './caller.ts';
import { quantile } from './figures.ts';
import { type Client, STEPS } from './load/client-process.ts';
import { Clients } from './load/clients.ts';
import { embeddedPostgres, openSql } from './load/database.ts';
import { listenTo } from './load/listener.ts';
import { WORKFLOW, foundOrganizations } from './load/organizations.ts';
import { roundRobin } from './load/round-robin.ts';
import { type Measured, measured } from './load/session.ts';
import { report } from './report.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, port: { type: 'string', default: '4330' } },
});
const port = Number(values.port);
const START_SECONDS = values.quick ? 1 : 3;
const CHANGES = values.quick ? 40 : 300;
const CLIENTS = 32;
/** The longest wait for the events of all changes. */
const PATIENCE_MS = 10_000;

type Received = { ms: number[]; missed: number };

const dataDir = mkdtempSync(join(tmpdir(), 'stet-nodes-'));
const one = new ServerProcess(port, dataDir);
let other: ServerProcess | null = null;
const clients = await Clients.open(2);
try {
  await one.start();
  const postgres = embeddedPostgres(dataDir);
  const DATABASE_URL = `postgres://postgres@${encodeURIComponent(postgres.host)}:${postgres.port}/stet`;
  const sql = await openSql({ host: postgres.host, port: postgres.port, user: 'postgres', database: 'stet' });
  const people = await foundOrganizations(port, CLIENTS);
  const completedBy = (servers: readonly ServerProcess[], door: number): Promise<Measured> =>
    measured({
      clients,
      acting: people.map((person) => ({ ...person, port: door })),
      sql,
      pids: { servers: servers.map(({ pid }) => pid ?? 0), postgres: postgres.pid },
      seconds: START_SECONDS,
    });
  // The first run is slower, so this warm-up isn't measured.
  await completedBy([one], port);
  const alone = await completedBy([one], port);

  other = new ServerProcess(port + 1, dataDir, { DATABASE_URL });
  await other.start();
  const door = await roundRobin([port, port + 1]);
  await completedBy([one, other], door.port);
  const both = await completedBy([one, other], door.port);
  await door.close();
  const received = await receivedAcross(people[0]);
  await sql.end();
  report(
    'performance',
    'nodes',
    [
      `${CLIENTS} clients, each in its own organization, complete steps: first with one server process, then with two on the same PostgreSQL behind a plain round-robin of connections. Everything shares the CPUs of this machine, so the relevant figure is the steps per CPU second.`,
      {
        columns: [
          'Server processes',
          'Completions/s',
          'p99 ms',
          'CPU s per 1 000: servers',
          'PostgreSQL',
          'Steps per CPU second',
        ],
        rows: [row('one', alone), row('two', both)],
      },
      `A client completes ${CHANGES} steps at one process, and an event stream at the other process receives the change. Delay after the response: p50 ${quantile(received.ms, 0.5).toFixed(0)} ms, p95 ${quantile(received.ms, 0.95).toFixed(0)} ms, maximum ${Math.max(...received.ms).toFixed(0)} ms; ${received.missed} missed.`,
    ],
    values.quick ? 'quick' : 'whole',
  );
  if (received.missed > 0) console.log(`✗ ${received.missed} changes were not received`);
  process.exitCode = received.missed > 0 ? 1 : 0;
} finally {
  clients.stop();
  await other?.stop();
  await one.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function row(name: string, { completionsPerSecond, p99, cpu }: Measured): string[] {
  return [
    name,
    completionsPerSecond.toFixed(0),
    p99.toFixed(1),
    cpu.server.toFixed(2),
    cpu.postgres.toFixed(2),
    (1000 / (cpu.server + cpu.postgres)).toFixed(0),
  ];
}

/**
 * Returns the times from the response at one node to the event at the other. An event before the response counts as
 * zero.
 */
async function receivedAcross(person: Client | undefined): Promise<Received> {
  if (!person) throw new Error('nobody signed up');
  const call = callerOf(`http://127.0.0.1:${port}`, person.token);
  const runs: string[] = [];
  for (let n = 0; n < CHANGES; n += 1) {
    const { id } = await call<{ id: string }>('POST', '/api/runs', { key: WORKFLOW, name: `Run ${n}` });
    runs.push(id);
  }
  const listener = await listenTo(`http://127.0.0.1:${port + 1}`, person.token);
  // Gives the remaining events of the starts time to arrive.
  await sleep(1000);
  listener.forget();
  const answered = new Map<string, number>();
  for (const run of runs) {
    await call('POST', `/api/runs/${run}/steps/${STEPS[0]}/complete`, { output: { text: 'done' } });
    answered.set(run, performance.now());
    await sleep(10);
  }
  const until = performance.now() + PATIENCE_MS;
  while (listener.received.size < runs.length && performance.now() < until) await sleep(20);
  listener.close();
  const ms = [...answered].flatMap(([run, at]) => {
    const received = listener.received.get(run);
    return received === undefined ? [] : [Math.max(0, received - at)];
  });
  return { ms, missed: runs.length - ms.length };
}
