// node --import tsx bench/throughput.ts [--quick] [--port 4310]
// Starts and completes runs of five manual steps over HTTP, on the embedded PostgreSQL and on an external one. Compares
// them with pgbench using the same statements, DBOS and bpmn-engine. Exits with 1 if the completions are fewer than
// half of pgbench's transactions, or if pgbench is missing. A quick run is only printed and doesn't change
// docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { floorOf } from './load/floor.ts';
import { bpmn, dbos } from './load/other-engines.ts';
import { readProfile, timeByPart } from './load/profile.ts';
import { type Measured, openSession } from './load/session.ts';
import { timesOfStatements } from './load/statement-times.ts';
import {
  type Beside,
  type Series,
  clientsTable,
  costTable,
  floorTable,
  percent,
  shareOf,
  statementTable,
  wholeRunsTable,
} from './load/tables.ts';
import { type Table, report } from './report.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    port: { type: 'string', default: '4310' },
  },
});
const START_SECONDS = values.quick ? 1 : 3;
const NEIGHBOUR_SECONDS = values.quick ? 2 : 6;
/** How many copies of a run each client of pgbench completes. */
const FLOOR_RUNS = values.quick ? 40 : 250;
const MAX_CLIENTS = 32;
/** The numbers of clients, and of their organizations. */
const CASES = [
  [1, 1],
  [8, 1],
  [MAX_CLIENTS, 1],
  [4 * MAX_CLIENTS, 1],
  [MAX_CLIENTS, MAX_CLIENTS],
  [4 * MAX_CLIENTS, MAX_CLIENTS],
] as const;
const BAR = 0.5;

const programs = findPrograms('pgbench');
const external = programs === null ? null : await ExternalPostgres.createTemporary(programs);
const series: Series[] = [];
const beside: Beside[] = [];
let profile: ReadonlyMap<string, number> = new Map();
try {
  series.push(await measureOn('embedded'));
  if (external) {
    series.push(await measureOn('external', external));
    profile = await profiled(external);
    say('DBOS: durable workflows of five steps');
    const at = { url: external.url('dbos'), pid: external.pid };
    const { codeSteps, humanSteps } = await dbos(at, MAX_CLIENTS, NEIGHBOUR_SECONDS);
    const workflows = `${MAX_CLIENTS} workflows at a time`;
    beside.push({ name: `DBOS, human steps, ${workflows}`, postgres: 'external', done: humanSteps });
    beside.push({ name: `DBOS, code steps, ${workflows}`, postgres: 'external', done: codeSteps });
  }
  say('bpmn-engine: five user tasks in memory');
  beside.push({ name: 'bpmn-engine, one run at a time', postgres: null, done: await bpmn(NEIGHBOUR_SECONDS) });
} finally {
  await external?.remove();
}
const judged = series.map((one) => ({ name: one.name, share: shareOf(one, MAX_CLIENTS) }));
const missed = judged.filter(({ share }) => share !== null && share < BAR).map(({ name }) => name);
const unproven = [
  ...judged.filter(({ share }) => share === null).map(({ name }) => name),
  ...(external ? [] : ['external']),
];
report(
  'performance',
  'throughput',
  [
    'The runs have five manual steps, each with an SLA and assigned to a role, and belong to one organization unless noted otherwise. Every completion is authenticated, authorized, checked against the state machine, written with its audit event and jobs, and committed with `fsync`. The response contains the whole run.',
    clientsTable(series),
    'CPU seconds are per 1 000 completed steps, including their jobs; they stay comparable even if the machine is doing other work. Clients, server and PostgreSQL share the CPUs, and so do pgbench and PostgreSQL.',
    floorTable(series, MAX_CLIENTS),
    `pgbench sends exactly the statements that the server sent for the completions, prepared and in the same two flushes. Each of its ${MAX_CLIENTS} clients goes step by step through copies of a run that was just started, and the script verifies that all of them are completed afterwards. This is the cost of the same statements if each completion has its own transaction, without HTTP, authentication, decisions, responses and jobs. ${verdict()}`,
    ...costs(),
    'Whole runs, from the start through five completions to the end, executed one after the other by each client:',
    wholeRunsTable(series, beside, MAX_CLIENTS),
    `The work differs. ${sentences()}`,
  ],
  values.quick ? 'quick' : 'whole',
);
for (const name of missed) say(`✗ ${name}: below ${percent(BAR)} of pgbench`);
for (const name of unproven) say(`✗ ${name}: not proven, because the system has no PostgreSQL with pgbench`);
process.exitCode = missed.length + unproven.length > 0 ? 1 : 0;

/** Returns the table with the costs by part, with a sentence before it. */
function costs(): (string | Table)[] {
  const on = series.find(({ name }) => name === 'external');
  const table = on && costTable(on, MAX_CLIENTS, profile);
  if (!table) return [];
  return [
    `This is where the CPU time of a completed step goes, with ${MAX_CLIENTS} clients of one organization on the external PostgreSQL, which shares the CPUs with everything else. The server's part is split by a profile of its main thread, taken in a separate run. PostgreSQL takes less time than with pgbench, because completions that arrive together share a transaction.`,
    table,
    'PostgreSQL executes these statements for a step that shares its transaction with no other. Each was executed 400 times on one connection and rolled back; the time doesn’t include sending it, the commit, or its plan.',
    statementTable(on),
  ];
}

/** Returns a sentence for each PostgreSQL: the target is met, missed, or wasn't tested. */
function verdict(): string {
  const words = judged.map(({ name, share }) => {
    if (share === null) return `${name} **not proven**, because pgbench is missing`;
    return `${name} ${percent(share)}, ${share < BAR ? '**missed**' : 'met'}`;
  });
  return `The target is ${percent(BAR)} of its throughput with ${MAX_CLIENTS} clients. Result: ${[...words, ...(external ? [] : ['external **not proven**'])].join('; ')}.`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measureOn(name: Series['name'], database?: ExternalPostgres): Promise<Series> {
  const session = await openSession({
    port: Number(values.port),
    organizations: MAX_CLIENTS,
    ...(database && { external: database }),
  });
  try {
    // The first run is slower, so this warm-up isn't measured.
    await session.measure(MAX_CLIENTS, MAX_CLIENTS, START_SECONDS);
    const measured: Measured[] = [];
    for (const [clients, organizations] of CASES) {
      const one = await session.measure(clients, organizations, START_SECONDS);
      measured.push(one);
      say(
        `${name}, ${clients} clients of ${organizations}: ${one.startsPerSecond.toFixed(0)} starts, ${one.completionsPerSecond.toFixed(0)} completions, ${one.wholeRuns.perSecond.toFixed(0)} whole runs a second`,
      );
    }
    const { postgres, sql } = session;
    const recorded = await session.record();
    const statements = await session.withoutServer(() => timesOfStatements(sql, recorded));
    if (programs === null) return { name, measured, floor: null, statements };
    const given = {
      programs,
      postgres,
      sql,
      ...recorded,
      clients: MAX_CLIENTS,
      runsPerClient: FLOOR_RUNS,
    };
    const floor = await session.withoutServer(() => floorOf(given));
    say(`${name}, pgbench: ${floor.perSecond.toFixed(0)} transactions a second`);
    return { name, measured, floor, statements };
  } finally {
    await session.close();
  }
}

/** Returns the microseconds of the server's main thread for one completed step, by part. */
async function profiled(postgres: ExternalPostgres): Promise<ReadonlyMap<string, number>> {
  const database = 'profiled';
  await postgres.createDatabase(database);
  const folder = mkdtempSync(join(tmpdir(), 'stet-profile-'));
  try {
    const session = await openSession({
      port: Number(values.port),
      organizations: 1,
      external: postgres,
      database,
      flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    });
    await session.measure(MAX_CLIENTS, 1, START_SECONDS);
    const { completing } = await session.measure(MAX_CLIENTS, 1, START_SECONDS);
    await session.close();
    const times = timeByPart(readProfile(folder), completing.span);
    return new Map([...times].map(([part, time]) => [part, time / completing.count]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sentences(): string {
  return [
    'Stet does all of the above for each run.',
    external
      ? 'DBOS records the completion of five empty code steps, or five messages that human steps wait for, in the calling process, without HTTP, authentication, authorization, audit or notifications.'
      : 'DBOS was **not tried**, because the system has no PostgreSQL.',
    'bpmn-engine parses the definition once and keeps all state in memory, so its results are lost when the process ends.',
  ].join(' ');
}
