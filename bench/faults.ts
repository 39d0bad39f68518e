// Does harm while clients work, and compares what they were told with what is there: what was lost, what happened twice, and
// how long it took to serve again. Usage: tsx bench/faults.ts [--only NAME,…] [--plant ack-before-commit|no-idempotency]
// npm run test:faults builds first. A whole run ends with the two planted faults, which have to be caught, and writes docs/reliability.md.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { PLANTS, type Plant } from './faults/planted.ts';
import { type Outcome, Rig, type Scenario } from './faults/rig.ts';
import { clockShifted } from './faults/scenarios/clocks.ts';
import { connectionsCut } from './faults/scenarios/cuts.ts';
import { postgresFrozen } from './faults/scenarios/freeze.ts';
import { diskFull } from './faults/scenarios/full-disk.ts';
import { embeddedPostgresKilled, externalPostgresKilled, serverKilled } from './faults/scenarios/kills.ts';
import { twoStarters } from './faults/scenarios/starters.ts';
import { type Table, report } from './report.ts';

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

/** Runs one, and says what is wrong with its outcome. */
async function harm(
  scenario: Scenario,
  planted: Plant | null,
): Promise<{ outcome: Outcome | string; problems: string[] }> {
  const name = planted ? `${scenario.name}-${planted}` : scenario.name;
  const rig = new Rig(name, join(folder, name), external, planted);
  const began = performance.now();
  try {
    const outcome = await scenario.run(rig);
    if ('skipped' in outcome) {
      console.log(`${name}: skipped, ${outcome.skipped}`);
      return { outcome: outcome.skipped, problems: [] };
    }
    const problems = problemsOf(outcome);
    const { verdict } = outcome;
    console.log(
      `${name}: ${verdict.acknowledged} acknowledged, ${verdict.lost.length} lost, ${verdict.duplicated.length} duplicated, ${verdict.inDoubt} in doubt; ${outcome.meanwhile}; ${Math.round((performance.now() - began) / 1000)} s`,
    );
    if (!planted) for (const problem of problems) console.log(`  ${problem}`);
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

const seconds = (all: readonly (number | null)[]): string =>
  `${(Math.max(...all.map((ms) => ms ?? Infinity)) / 1000).toFixed(1)} s`;

function rowOf(title: string, outcome: Outcome | string): (string | number)[] {
  if (typeof outcome === 'string') return [title, '–', '–', '–', '–', '–', '–', outcome];
  const { verdict, servedAgainMs, times, meanwhile } = outcome;
  const counts = [verdict.acknowledged, verdict.lost.length, verdict.duplicated.length, verdict.inDoubt];
  return [title, times, ...counts, seconds(servedAgainMs), meanwhile];
}

const failures: string[] = [];
try {
  if (plant) {
    const { outcome, problems } = await harm(SHOWN_BY[plant], plant);
    console.log(typeof outcome === 'string' ? outcome : problems.slice(0, 20).join('\n'));
    failures.push(...problems);
  } else {
    const faults: Table = {
      columns: ['fault', 'times', 'acknowledged', 'lost', 'doubled', 'in doubt', 'served again within', 'meanwhile'],
      rows: [],
    };
    const rows: (string | number)[][] = [];
    for (const scenario of SCENARIOS.filter(({ name }) => only?.includes(name) ?? true)) {
      const { outcome, problems } = await harm(scenario, null);
      failures.push(...problems.map((problem) => `${scenario.name}: ${problem}`));
      rows.push(rowOf(scenario.title, outcome));
    }
    const planted: (string | number)[][] = [];
    for (const name of only ? [] : PLANTS) {
      const { outcome } = await harm(SHOWN_BY[name], name);
      if (typeof outcome === 'string') {
        planted.push([name, SHOWN_BY[name].title, '–', '–', outcome]);
        continue;
      }
      const { lost, duplicated } = outcome.verdict;
      const isCaught = { 'ack-before-commit': lost, 'no-idempotency': duplicated }[name].length > 0;
      if (!isCaught) failures.push(`the planted fault ${name} was not caught: the harness can't be trusted`);
      planted.push([name, SHOWN_BY[name].title, lost.length, duplicated.length, isCaught ? 'yes' : 'NO']);
    }
    if (only) console.log(JSON.stringify(rows, null, 1));
    else
      report('reliability', 'faults', [
        'By `npm run test:faults`.',
        { ...faults, rows },
        { columns: ['planted fault', 'shown by', 'lost', 'doubled', 'caught'], rows: planted },
      ]);
  }
} finally {
  await external?.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures.slice(0, 50)) console.error(failure);
console.log(failures.length === 0 ? 'Nothing lost, nothing doubled.' : `${failures.length} problems`);
process.exitCode = failures.length === 0 ? 0 : 1;
