// Injects faults while clients work, and compares the responses that they got with the final state: lost changes,
// duplicates, and the time until the server recovers.
// Usage: tsx bench/faults.ts [--only NAME,…]. npm run test:faults builds first. A full run writes docs/reliability.md.
// Exit code 1: a defect was found. Exit code 2: there was no defect, but a fault could not be tried on this machine.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { type NotProven, type Outcome, Rig, type Scenario } from './faults/rig.ts';
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
/** A run with fewer acknowledged changes is too short for a result. */
const ENOUGH = 100;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',');
const unknown = only?.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (unknown)
  throw new Error(`unknown scenario ${unknown}; choose from ${SCENARIOS.map(({ name }) => name).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'stet-faults-'));
chmodSync(folder, 0o711);
const programs = findPrograms();
const external = programs ? await ExternalPostgres.create(programs, folder) : null;
const sinks = await openSinks();

/** Runs one scenario. Returns its outcome with the defects found. */
async function harm(scenario: Scenario): Promise<{ outcome: Outcome | NotProven; problems: string[] }> {
  const { name } = scenario;
  const rig = new Rig(name, join(folder, name), external, sinks);
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
  const { lost, duplicated, unasked, unacknowledged, acknowledged } = verdict;
  const found = [
    ...lost.map((name) => `lost: ${name}`),
    ...duplicated.map((name) => `done twice: ${name}`),
    ...unasked.map((name) => `never requested: ${name}`),
    ...problems,
  ];
  if (unacknowledged > 0) found.push(`${unacknowledged} changes were never acknowledged, despite repeated requests`);
  if (servedAgainMs.includes(null)) found.push('it did not recover');
  if (acknowledged < ENOUGH) found.push(`only ${acknowledged} changes were acknowledged, too few for a result`);
  return found;
}

/** Returns a summary of the effects of the server's jobs, including how many arrived twice. */
function jobsOf({ scripts, jobs: { mails, webhooks, tookMs } }: Outcome): string {
  const counts = [`${scripts} scripts`];
  for (const [name, { promised, missing, again }] of [
    ['mails', mails],
    ['webhooks', webhooks],
  ] as const)
    // prettier-ignore
    counts.push(`${promised - missing.length} ${name}${again > 0 ? ` (${again} sent twice)` : ''}`);
  return `${counts.join(', ')}, ${(tookMs / 1000).toFixed(1)} s after the last request`;
}

const seconds = (all: readonly (number | null)[]): string =>
  `${(Math.max(...all.map((ms) => ms ?? Infinity)) / 1000).toFixed(1)} s`;

const FAULT_COLUMNS = ['fault', 'times', 'confirmed', 'lost', 'duplicated', 'unknown outcome', 'recovered within', 'completed by jobs', 'responses meanwhile']; // prettier-ignore

function rowOf(title: string, outcome: Outcome | NotProven): (string | number)[] {
  if ('notProven' in outcome) return [title, ...FAULT_COLUMNS.slice(2).map(() => '–'), notProven(outcome)];
  const { verdict, servedAgainMs, times, meanwhile } = outcome;
  const counts = [verdict.acknowledged, verdict.lost.length, verdict.duplicated.length, verdict.inDoubt];
  return [title, times, ...counts, seconds(servedAgainMs), jobsOf(outcome), meanwhile];
}

const notProven = ({ notProven: why }: NotProven): string => `**not proven**: ${why}`;

const failures: string[] = [];
const unproven: string[] = [];

try {
  const rows: (string | number)[][] = [];
  for (const scenario of SCENARIOS.filter(({ name }) => only?.includes(name) ?? true)) {
    const { outcome, problems } = await harm(scenario);
    for (const problem of problems) console.log(`  ${problem}`);
    failures.push(...problems.map((problem) => `${scenario.name}: ${problem}`));
    if ('notProven' in outcome) unproven.push(scenario.name);
    rows.push(rowOf(scenario.title, outcome));
  }
  if (only) console.log(JSON.stringify(rows, null, 1));
  else
    report('reliability', 'faults', [
      'Measured with `npm run test:faults`.',
      ...(unproven.length > 0 ? [`**Not proven on this machine:** ${unproven.join(', ')}.`] : []),
      { columns: FAULT_COLUMNS, rows },
    ]);
} finally {
  await sinks.close();
  await external?.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures.slice(0, 50)) console.error(failure);
if (unproven.length > 0) console.error(`NOT PROVEN: ${unproven.join(', ')}`);
if (failures.length > 0) console.log(`${failures.length} problems`);
else if (unproven.length === 0) console.log('Nothing was lost or duplicated.');
process.exitCode = failures.length > 0 ? 1 : unproven.length > 0 ? 2 : 0;
