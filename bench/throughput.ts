// node --import tsx bench/throughput.ts [--quick] [--port 4310] [--profile FOLDER]
// Starts and completes runs of five manual steps over HTTP, on the embedded PostgreSQL and on one beside, next to pgbench with
// the same statements, DBOS and bpmn-engine. Ends with 1 where the completions are fewer than half of pgbench's transactions.
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { type Floor, floorOf } from './load/floor.ts';
import { type Neighbour, bpmn, dbos } from './load/neighbours.ts';
import { type Measured, openSession } from './load/session.ts';
import { type Table, report } from './report.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    port: { type: 'string', default: '4310' },
    profile: { type: 'string' },
  },
});
const START_SECONDS = values.quick ? 1 : 3;
const FLOOR_SECONDS = values.quick ? 4 : 12;
const MOST_CLIENTS = 32;
/** Clients, and organizations that they act for. */
const CASES = [
  [1, 1],
  [8, 1],
  [MOST_CLIENTS, 1],
  [MOST_CLIENTS, MOST_CLIENTS],
] as const;
const BAR = 0.5;

type Series = { name: string; measured: Measured[]; floor: Floor | null };

const programs = findPrograms('pgbench');
const external = programs === null ? null : await ExternalPostgres.createTemporary(programs);
const series: Series[] = [];
const neighbours: { name: string; done: Neighbour }[] = [];
try {
  series.push(await measureOn('embedded'));
  if (external) {
    series.push(await measureOn('external', external));
    say('DBOS: durable workflows of five steps');
    const done = await dbos(external.url('dbos'), MOST_CLIENTS, FLOOR_SECONDS / 2);
    neighbours.push({ name: 'DBOS, 32 workflows at a time, external PostgreSQL', done });
  }
  say('bpmn-engine: five user tasks in memory');
  neighbours.push({ name: 'bpmn-engine', done: await bpmn(FLOOR_SECONDS / 3) });
} finally {
  await external?.remove();
}
const shares = series.map((one) => ({ name: one.name, share: shareOf(one) }));
report('performance', 'throughput', [
  'Five manual steps, each with a clock and a task for a role, in runs of one organization unless said otherwise. Every completion is authenticated, authorized, checked against the state machine, written with its audit event and jobs, committed with `fsync`, and answered with the whole run.',
  clientsTable(series),
  'CPU seconds are for 1 000 completed steps, their jobs included; they compare even where a machine has other things to do. Clients, server and PostgreSQL share the processors, and so do pgbench and PostgreSQL.',
  neighboursTable(series),
  sentences(),
]);
for (const { name, share } of shares)
  if (share !== null && share < BAR) say(`✗ ${name}: ${percent(share)} of pgbench, and ${percent(BAR)} is the bar`);
process.exitCode = shares.some(({ share }) => share !== null && share < BAR) ? 1 : 0;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measureOn(name: string, beside?: ExternalPostgres): Promise<Series> {
  const session = await openSession({
    port: Number(values.port),
    organizations: MOST_CLIENTS,
    ...(beside && { external: beside }),
    ...(values.profile !== undefined && { flags: ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] }),
  });
  try {
    // What runs for the first time is slower: once for nothing.
    await session.measure(MOST_CLIENTS, MOST_CLIENTS, START_SECONDS);
    const measured: Measured[] = [];
    for (const [clients, organizations] of CASES) {
      const one = await session.measure(clients, organizations, START_SECONDS);
      measured.push(one);
      say(
        `${name}, ${clients} clients of ${organizations}: ${one.startsPerSecond.toFixed(0)} starts, ${one.completionsPerSecond.toFixed(0)} completions a second`,
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
      seconds: FLOOR_SECONDS,
    };
    const floor = await session.withoutServer(() => floorOf(given));
    say(`${name}, pgbench: ${floor.perSecond.toFixed(0)} transactions a second`);
    return { name, measured, floor };
  } finally {
    await session.close();
  }
}

/** What 32 clients of one organization complete, of what pgbench does. */
function shareOf({ measured, floor }: Series): number | null {
  const most = measured.find(({ clients, organizations }) => clients === MOST_CLIENTS && organizations === 1);
  return most && floor ? most.completionsPerSecond / floor.perSecond : null;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function clientsTable(all: readonly Series[]): Table {
  return {
    columns: [
      'PostgreSQL',
      'Clients',
      'Starts/s',
      'Completions/s',
      'p50 ms',
      'p99 ms',
      'CPU s: server',
      'PostgreSQL',
      'clients',
    ],
    rows: all.flatMap(({ name, measured }) =>
      measured.map((one) => [
        name,
        one.organizations === 1 ? one.clients : `${one.clients}, each an organization of its own`,
        one.startsPerSecond.toFixed(0),
        one.completionsPerSecond.toFixed(0),
        one.p50.toFixed(1),
        one.p99.toFixed(1),
        one.cpu.server.toFixed(2),
        one.cpu.postgres.toFixed(2),
        one.cpu.clients.toFixed(2),
      ]),
    ),
  };
}

function neighboursTable(all: readonly Series[]): Table {
  const stet = (name: string): number =>
    all
      .find((one) => one.name === name)
      ?.measured.find((one) => one.clients === MOST_CLIENTS && one.organizations === 1)?.completionsPerSecond ??
    Number.NaN;
  return {
    columns: ['Beside it', 'Steps/s', 'Stet at 32 clients to it', 'CPU s for 1 000: PostgreSQL', 'client'],
    rows: [
      ...all.flatMap(({ name, floor }) =>
        floor === null
          ? []
          : [
              [
                `pgbench, 32 clients, ${name}`,
                floor.perSecond.toFixed(0),
                percent(stet(name) / floor.perSecond),
                ((floor.postgresSeconds * 1000) / floor.count).toFixed(2),
                ((floor.cpuSeconds * 1000) / floor.count).toFixed(2),
              ],
            ],
      ),
      ...neighbours.map(({ name, done }) => [
        name,
        done.perSecond.toFixed(0),
        percent(stet(external ? 'external' : 'embedded') / done.perSecond),
        '',
        ((done.cpuSeconds * 1000) / done.count).toFixed(2),
      ]),
    ],
  };
}

function sentences(): string {
  return [
    'pgbench sends, prepared and in the same two flushes, the very statements of the completions as the server sent them, on fresh copies of such a run: it is the floor, without HTTP, sign-in, decisions, answers and jobs.',
    external
      ? 'DBOS records that each of five empty steps was done, in the process that calls it: nobody signs in, nothing is authorized, audited or told to anyone.'
      : 'There was no PostgreSQL of the system beside, so pgbench and DBOS were left out.',
    'bpmn-engine keeps everything in memory: what it has done is gone with its process.',
  ].join(' ');
}
