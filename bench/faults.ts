// Does harm while clients work, and compares what they were told with what is there: what was lost, what happened twice, and
// how long it took to serve again. Usage: tsx bench/faults.ts [--only NAME,…] [--plant ack-before-commit|no-idempotency]
// npm run test:faults builds first. A whole run ends with the two planted faults, which have to be caught where harm is done
// and must not be seen where none is, and writes docs/reliability.md. It ends with 1 where something is wrong, and with 2
// where nothing is, but something could not be tried here.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { missedBy } from './faults/planted-verdict.ts';
import { PLANTS, type Plant } from './faults/planted.ts';
import { type NotProven, type Outcome, Rig, type Scenario } from './faults/rig.ts';
import { calm } from './faults/scenarios/calm.ts';
import { clockShifted } from './faults/scenarios/clocks.ts';
import { connectionsCut } from './faults/scenarios/cuts.ts';
import { postgresFrozen } from './faults/scenarios/freeze.ts';
import { diskFull } from './faults/scenarios/full-disk.ts';
import { embeddedPostgresKilled, externalPostgresKilled, serverKilled } from './faults/scenarios/kills.ts';
import { twoStarters } from './faults/scenarios/starters.ts';
import { openSinks } from './faults/sinks.ts';
import { report } from './report.ts';

const SCENARIOS: readonly Scenario[] = [
  serverKilled,
  embeddedPostgresKilled,
  externalPostgresKilled,
  postgresFrozen,
  connectionsCut,
  diskFull,
  twoStarters,
  clockShifted,
];
/** The fault that brings each planted one to light. */
const SHOWN_BY: Record<Plant, Scenario> = { 'ack-before-commit': serverKilled, 'no-idempotency': connectionsCut };
/** Fewer acknowledged changes than this prove nothing. */
const ENOUGH = 100;

const { values } = parseArgs({ options: { only: { type: 'string' }, plant: { type: 'string' } } });
const only = values.only?.split(',');
const unknown = only?.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (unknown) throw new Error(`there is no ${unknown}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`);
const plant = PLANTS.find((name) => name === values.plant) ?? null;
if (values.plant !== undefined && !plant) throw new Error(`--plant takes ${PLANTS.join(' or ')}`);

const folder = mkdtempSync(join(tmpdir(), 'stet-faults-'));
chmodSync(folder, 0o711);
const programs = findPrograms();
const external = programs ? await ExternalPostgres.create(programs, folder) : null;
const sinks = await openSinks();

/** Runs one, and says what is wrong with its outcome. */
async function harm(
  scenario: Scenario,
  planted: Plant | null,
): Promise<{ outcome: Outcome | NotProven; problems: string[] }> {
  const name = planted ? `${scenario.name}-${planted}` : scenario.name;
  const rig = new Rig(name, join(folder, name), external, planted, sinks);
  const began = performance.now();
  try {
    const outcome = await scenario.run(rig);
    const took = `${Math.round((performance.now() - began) / 1000)} s`;
    if ('notProven' in outcome) {
      console.log(`${name}: NOT PROVEN, ${outcome.notProven}`);
      return { outcome, problems: [] };
    }
    const problems = problemsOf(outcome);
    const { verdict } = outcome;
    console.log(
      `${name}: ${verdict.acknowledged} acknowledged, ${verdict.lost.length} lost, ${verdict.duplicated.length} duplicated, ${verdict.inDoubt} in doubt; ${jobsOf(outcome)}; ${outcome.meanwhile}; ${took}`,
    );
    return { outcome, problems };
  } catch (error) {
    console.error(rig.lastWords());
    throw error;
  } finally {
    await rig.close();
  }
}

function problemsOf({ verdict, servedAgainMs, problems }: Outcome): string[] {
  const { lost, duplicated, unasked, unsettled, acknowledged } = verdict;
  const found = [
    ...lost.map((name) => `lost: ${name}`),
    ...duplicated.map((name) => `done twice: ${name}`),
    ...unasked.map((name) => `nobody asked for ${name}`),
    ...problems,
  ];
  if (unsettled > 0) found.push(`${unsettled} changes were never acknowledged, however often they were asked for`);
  if (servedAgainMs.includes(null)) found.push('it did not serve again');
  if (acknowledged < ENOUGH) found.push(`only ${acknowledged} changes were acknowledged: this proves nothing`);
  return found;
}

/** What the server did by itself, and how much of it arrived once more. */
function jobsOf({ scripts, jobs: { mails, webhooks, tookMs } }: Outcome): string {
  const counts = [`${scripts} scripts`];
  for (const [name, { promised, missing, again }] of [
    ['mails', mails],
    ['webhooks', webhooks],
  ] as const)
    // prettier-ignore
    counts.push(`${promised - missing.length} ${name}${again > 0 ? ` (${again} once more)` : ''}`);
  return `${counts.join(', ')}, ${(tookMs / 1000).toFixed(1)} s after the last request`;
}

const seconds = (all: readonly (number | null)[]): string =>
  `${(Math.max(...all.map((ms) => ms ?? Infinity)) / 1000).toFixed(1)} s`;

const FAULT_COLUMNS = ['fault', 'times', 'acknowledged', 'lost', 'doubled', 'in doubt', 'served again within', 'done by jobs', 'meanwhile']; // prettier-ignore

function rowOf(title: string, outcome: Outcome | NotProven): (string | number)[] {
  if ('notProven' in outcome) return [title, ...FAULT_COLUMNS.slice(2).map(() => '–'), notProven(outcome)];
  const { verdict, servedAgainMs, times, meanwhile } = outcome;
  const counts = [verdict.acknowledged, verdict.lost.length, verdict.duplicated.length, verdict.inDoubt];
  return [title, times, ...counts, seconds(servedAgainMs), jobsOf(outcome), meanwhile];
}

const notProven = ({ notProven: why }: NotProven): string => `**not proven**: ${why}`;

const failures: string[] = [];
const unproven: string[] = [];

const PLANT_COLUMNS = ['planted fault', 'shown by', 'lost', 'doubled', 'lost or doubled without the fault', 'caught'];

/** A planted fault with what brings it to light, and without: only there it may be seen. */
async function tryPlant(name: Plant): Promise<(string | number)[]> {
  const { outcome } = await harm(SHOWN_BY[name], name);
  if ('notProven' in outcome) {
    unproven.push(`the planted fault ${name}`);
    return [name, SHOWN_BY[name].title, '–', '–', '–', notProven(outcome)];
  }
  const control = await harm(calm, name);
  if ('notProven' in control.outcome) throw new Error('work without harm can be tried anywhere');
  const without = control.outcome.verdict;
  const missed = [
    ...missedBy(name, outcome),
    ...control.problems.map((problem) => `without a fault, behind ${name}: ${problem}`),
  ];
  if (missed.length > 0)
    failures.push(`the planted fault ${name} was not caught as it should: the harness can't be trusted`);
  failures.push(...missed);
  const { lost, duplicated } = outcome.verdict;
  return [
    name,
    SHOWN_BY[name].title,
    lost.length,
    duplicated.length,
    without.lost.length + without.duplicated.length,
    missed.length === 0 ? 'yes' : 'NO',
  ];
}

try {
  if (plant) console.log(JSON.stringify(await tryPlant(plant)));
  else {
    const rows: (string | number)[][] = [];
    for (const scenario of SCENARIOS.filter(({ name }) => only?.includes(name) ?? true)) {
      const { outcome, problems } = await harm(scenario, null);
      for (const problem of problems) console.log(`  ${problem}`);
      failures.push(...problems.map((problem) => `${scenario.name}: ${problem}`));
      if ('notProven' in outcome) unproven.push(scenario.name);
      rows.push(rowOf(scenario.title, outcome));
    }
    const planted: (string | number)[][] = [];
    for (const name of only ? [] : PLANTS) planted.push(await tryPlant(name));
    if (only) console.log(JSON.stringify(rows, null, 1));
    else
      report('reliability', 'faults', [
        'By `npm run test:faults`.',
        ...(unproven.length > 0 ? [`**Not proven on this machine:** ${unproven.join(', ')}.`] : []),
        { columns: FAULT_COLUMNS, rows },
        { columns: PLANT_COLUMNS, rows: planted },
      ]);
  }
} finally {
  await sinks.close();
  await external?.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures.slice(0, 50)) console.error(failure);
if (unproven.length > 0) console.error(`NOT PROVEN: ${unproven.join(', ')}`);
if (failures.length > 0) console.log(`${failures.length} problems`);
else if (unproven.length === 0) console.log(plant ? 'Caught.' : 'Nothing lost, nothing doubled.');
process.exitCode = failures.length > 0 ? 1 : unproven.length > 0 ? 2 : 0;
