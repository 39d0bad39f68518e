// node --import tsx bench/throughput.ts [--quick] [--port 4310]
// Starts and completes runs of five manual steps over HTTP, on the embedded PostgreSQL and on one beside, next to pgbench with
// the same statements, DBOS and bpmn-engine. Ends with 1 where the completions are fewer than half of pgbench's transactions, or
// where there was no pgbench to tell. A quick look is printed and leaves docs/performance.md as it is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { floorOf } from './load/floor.ts';
import { bpmn, dbos } from './load/neighbours.ts';
import { readProfile, timeByPart } from './load/profile.ts';
import { type Measured, openSession } from './load/session.ts';
import {
  type Beside,
  type Series,
  clientsTable,
  costTable,
  floorTable,
  percent,
  shareOf,
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
/** Copies of a run that each client of pgbench completes. */
const FLOOR_RUNS = values.quick ? 40 : 250;
const MOST_CLIENTS = 32;
/** Clients, and organizations that they act for. */
const CASES = [
  [1, 1],
  [8, 1],
  [MOST_CLIENTS, 1],
  [MOST_CLIENTS, MOST_CLIENTS],
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
    const done = await dbos({ url: external.url('dbos'), pid: external.pid }, MOST_CLIENTS, NEIGHBOUR_SECONDS);
    beside.push({ name: `DBOS, ${MOST_CLIENTS} workflows at a time`, postgres: 'external', done });
  }
  say('bpmn-engine: five user tasks in memory');
  beside.push({ name: 'bpmn-engine, one run at a time', postgres: null, done: await bpmn(NEIGHBOUR_SECONDS) });
} finally {
  await external?.remove();
}
const judged = series.map((one) => ({ name: one.name, share: shareOf(one, MOST_CLIENTS) }));
const missed = judged.filter(({ share }) => share !== null && share < BAR).map(({ name }) => name);
const unproven = [
  ...judged.filter(({ share }) => share === null).map(({ name }) => name),
  ...(external ? [] : ['external']),
];
report(
  'performance',
  'throughput',
  [
    'Five manual steps, each with a clock and a task for a role, in runs of one organization unless said otherwise. Every completion is authenticated, authorized, checked against the state machine, written with its audit event and jobs, committed with `fsync`, and answered with the whole run.',
    clientsTable(series),
    'CPU seconds are for 1 000 completed steps, their jobs included; they compare even where a machine has other things to do. Clients, server and PostgreSQL share the processors, and so do pgbench and PostgreSQL.',
    floorTable(series, MOST_CLIENTS),
    `pgbench sends, prepared and in the same two flushes, the very statements of the completions as the server sent them: each of its ${MOST_CLIENTS} clients goes step by step through copies of the run as it stood before its first step, and all of them are seen to be completed afterwards. It is the floor, without HTTP, sign-in, decisions, answers and jobs. ${verdict()}`,
    ...costs(),
    'Whole runs, from the start over five completions to the end, one after the other in each place:',
    wholeRunsTable(series, beside, MOST_CLIENTS),
    `How the work differs: ${sentences()}`,
  ],
  values.quick ? 'quick' : 'whole',
);
for (const name of missed) say(`✗ ${name}: below ${percent(BAR)} of pgbench`);
for (const name of unproven) say(`✗ ${name}: not proven, as there is no PostgreSQL of the system with its pgbench`);
process.exitCode = missed.length + unproven.length > 0 ? 1 : 0;

/** Where the rest goes. */
function costs(): (string | Table)[] {
  const on = series.find(({ name }) => name === 'external');
  const table = on && costTable(on, MOST_CLIENTS, profile);
  if (!table) return [];
  return [
    `Where the rest goes: the CPU of one completed step at ${MOST_CLIENTS} clients of one organization on the external PostgreSQL, which shares the processors with all else here. The server's part is split by a profile of its main thread taken in a run of its own.`,
    table,
  ];
}

/** Each PostgreSQL is said to keep the bar, to miss it, or not to have been tried. */
function verdict(): string {
  const words = judged.map(({ name, share }) => {
    if (share === null) return `${name}: **not proven**, as there was no pgbench`;
    return `${name}: ${percent(share)}, ${share < BAR ? '**missed**' : 'kept'}`;
  });
  return `The bar is ${percent(BAR)} of it at ${MOST_CLIENTS} clients. ${[...words, ...(external ? [] : ['external: **not proven**'])].join('; ')}.`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measureOn(name: Series['name'], database?: ExternalPostgres): Promise<Series> {
  const session = await openSession({
    port: Number(values.port),
    organizations: MOST_CLIENTS,
    ...(database && { external: database }),
  });
  try {
    // What runs for the first time is slower: once for nothing.
    await session.measure(MOST_CLIENTS, MOST_CLIENTS, START_SECONDS);
    const measured: Measured[] = [];
    for (const [clients, organizations] of CASES) {
      const one = await session.measure(clients, organizations, START_SECONDS);
      measured.push(one);
      say(
        `${name}, ${clients} clients of ${organizations}: ${one.startsPerSecond.toFixed(0)} starts, ${one.completionsPerSecond.toFixed(0)} completions, ${one.wholeRuns.perSecond.toFixed(0)} whole runs a second`,
      );
    }
    if (programs === null) return { name, measured, floor: null };
    const { postgres, sql } = session;
    const given = {
      programs,
      postgres,
      sql,
      ...(await session.record()),
      clients: MOST_CLIENTS,
      runsPerClient: FLOOR_RUNS,
    };
    const floor = await session.withoutServer(() => floorOf(given));
    say(`${name}, pgbench: ${floor.perSecond.toFixed(0)} transactions a second`);
    return { name, measured, floor };
  } finally {
    await session.close();
  }
}

/** Microseconds of the server's thread for one completed step, by whose code took them. */
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
    await session.measure(MOST_CLIENTS, 1, START_SECONDS);
    const { completing } = await session.measure(MOST_CLIENTS, 1, START_SECONDS);
    await session.close();
    const times = timeByPart(readProfile(folder), completing.span);
    return new Map([...times].map(([part, time]) => [part, time / completing.count]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sentences(): string {
  return [
    'Stet does all of the above for each run;',
    external
      ? 'DBOS records that each of five empty steps was done, in the process that calls it: nobody signs in, nothing is authorized, audited or told to anyone;'
      : 'DBOS was **not tried**, as there is no PostgreSQL of the system;',
    'bpmn-engine, with the definition parsed once, keeps everything in memory: what it has done is gone with its process.',
  ].join(' ');
}
