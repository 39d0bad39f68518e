// npm run test:mutations [-- --module access --fresh --at-once 1]: mutates the rules with Stryker and counts the
// mutants for which a test fails. Prints every survivor, and exits with 1 if a module kills fewer than 90 % of its
// mutants. A mutant that behaves like the original gets a `// Stryker disable` comment with the reason. Writes its part
// of docs/reliability.md if all modules are mutated.
import { parseArgs } from 'node:util';
import {
  MAX_RUNS,
  MODULES,
  type ModuleName,
  type StrykerMutant,
  type StrykerReport,
  mutateModule,
} from './mutations/stryker-module.ts';
import { report } from './report.ts';

const MINIMUM_SCORE = 0.9;

const { values } = parseArgs({
  options: {
    module: { type: 'string', multiple: true },
    fresh: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '2' },
  },
});
const isModule = (name: string): name is ModuleName => (MODULES as readonly string[]).includes(name);
const unknown = values.module?.find((name) => !isModule(name));
if (unknown !== undefined) throw new Error(`There is no module ${unknown}; choose from ${MODULES.join(', ')}`);
const chosen = values.module?.filter(isModule) ?? MODULES;

type Score = {
  module: ModuleName;
  killed: number;
  timedOut: number;
  survived: number;
  uncovered: number;
  score: number;
};

/**
 * Counts the mutants of a module. A mutant that runs forever counts as killed, and one that no test reaches as
 * survived.
 */
function scoreOf(module: ModuleName, { files }: StrykerReport): Score {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (status: StrykerMutant['status']): number => statuses.filter((each) => each === status).length;
  const [timedOut, uncovered] = [count('Timeout'), count('NoCoverage')];
  const killed = count('Killed') + timedOut;
  const survived = count('Survived') + uncovered;
  return { module, killed, timedOut, survived, uncovered, score: killed / Math.max(killed + survived, 1) };
}

function printSurvivors({ files }: StrykerReport): void {
  for (const [file, { mutants }] of Object.entries(files))
    for (const { status, location, replacement } of mutants)
      if (status === 'Survived' || status === 'NoCoverage')
        console.log(
          `${status}: ${file}:${location.start.line}:${location.start.column} → ${replacement.slice(0, 100)}`,
        );
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const scores: Score[] = [];
for (const module of chosen) {
  const result = await mutateModule(module, { fresh: values.fresh, atOnce: Number(values['at-once']) });
  printSurvivors(result);
  scores.push(scoreOf(module, result));
}

if (chosen.length === MODULES.length)
  report('reliability', 'mutations', [
    '[Stryker](https://stryker-mutator.io) changes every operator, constant, condition, string and call in these modules of ' +
      "the domain, one at a time, and runs the module's tests. A mutant survives if no test fails. Property tests run with a " +
      `fixed number of examples. Each module has to kill at least ${MINIMUM_SCORE * 100} % of its mutants. ` +
      '`npm run test:mutations` prints the survivors.',
    {
      columns: [
        'module',
        'examples',
        'mutants',
        'killed',
        'of these by timeout',
        'survived',
        'of these not covered',
        'score',
      ],
      rows: scores.map(({ module, killed, timedOut, survived, uncovered, score }) => [
        module,
        MAX_RUNS[module],
        killed + survived,
        killed,
        timedOut,
        survived,
        uncovered,
        percent(score),
      ]),
    },
  ]);
for (const { module, killed, survived, score } of scores)
  console.log(`${module}: ${killed} of ${killed + survived} killed, ${percent(score)}`);
if (scores.some(({ score }) => score < MINIMUM_SCORE)) process.exitCode = 1;
