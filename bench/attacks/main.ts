/**
 * Runs every attack in this folder against a server. Exits with 1 if an attack succeeded or could not be tried. With
 * `--only`, only the chosen attacks run, and the result is only printed. A full run writes `docs/reliability.md`.
 * npm run test:attacks [-- --only isolation,fuzzing]
 * npm run test:attacks -- --only people,runs [--seed 1] [--from 0] [--sequences 10000] [--processes 1]: `--from 27
 * --sequences 1` replays one sequence
 * npm run test:attacks -- --only files [--seed 1] [--from 0] [--sequences 100]: the first 100 of the 500 files
 */
import { parseArgs } from 'node:util';
import { report } from '../report.ts';
import { attackSignIn } from './brute-force.ts';
import { attackWithCanaries } from './canary-attack.ts';
import { attackSockets } from './socket-attacks.ts';
import { attackFiles } from './hostile-files.ts';
import { attackSchemas } from './fuzzing.ts';
import { attackIsolation, castOf } from './isolation.ts';
import type { Attack, Outcome } from './outcome.ts';
import { attackPermissionChecks } from './permission-mutants.ts';
import { type Game, attackByPlay } from './plays.ts';
import { attackPolicies } from './policies.ts';
import { attackTrails } from './trail.ts';
import { withWorld } from './world.ts';

/** If an attack needs two servers, it also uses the next port. */
const PORT = Number(process.env['ATTACK_PORT'] ?? 4390);

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    from: { type: 'string', default: '0' },
    sequences: { type: 'string', default: '10000' },
    processes: { type: 'string' },
  },
});
const GAME: Game = {
  seed: Number(values.seed),
  from: Number(values.from),
  sequences: Number(values.sequences),
  ...(values.processes !== undefined && { processes: Number(values.processes) }),
};

const ATTACKS: readonly Attack[] = [
  {
    name: 'isolation',
    run: () => withWorld(async (server) => attackIsolation(server, await castOf(server))),
  },
  {
    name: 'checks',
    run: () =>
      withWorld(async (server) => {
        const cast = await castOf(server);
        return [...(await attackPolicies(server, cast)), ...(await attackPermissionChecks(cast))];
      }),
  },
  { name: 'fuzzing', run: () => withWorld(attackSchemas) },
  { name: 'sign-in', run: () => attackSignIn(PORT) },
  { name: 'canaries', run: () => attackWithCanaries(PORT) },
  { name: 'files', run: () => attackFiles(PORT, GAME) },
  { name: 'sockets', run: () => attackSockets(PORT) },
  { name: 'trail', run: () => withWorld((server) => attackTrails(server, GAME.seed)) },
  { name: 'people', run: () => attackByPlay('people', GAME) },
  { name: 'runs', run: () => attackByPlay('runs', GAME) },
];

const names = values.only?.split(',') ?? ATTACKS.map(({ name }) => name);
const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
if (unknown.length > 0) throw new Error(`there is no attack named ${unknown.join(', ')}`);

const began = performance.now();
const outcomes: Outcome[] = [];
for (const { name, run } of ATTACKS.filter((attack) => names.includes(attack.name))) {
  console.log(`${name} …`);
  const from = performance.now();
  try {
    outcomes.push(...(await run()));
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcomes.push({ attack: name, tried: '', result: 'did not finish', findings: [why] });
  }
  console.log(`  ${Math.round((performance.now() - from) / 1000)} s`);
}

const findings = outcomes.flatMap(({ attack, findings: all }) => all.map((finding) => `${attack}: ${finding}`));
const unproven = outcomes.flatMap(({ attack, notProven }) =>
  notProven === undefined ? [] : [`${attack}: not proven: ${notProven}`],
);
const table = {
  columns: ['Attack', 'Attempts', 'Response', 'Leaks and failures'],
  rows: outcomes.map(({ attack, tried, result, findings: all, notProven }) => [
    attack,
    tried,
    result,
    notProven === undefined ? all.length : 'not proven',
  ]),
};
const verdict = `Result of \`npm run test:attacks\`, which took ${Math.round((performance.now() - began) / 1000)} s: ${findings.length} leaks and failures${unproven.length > 0 ? `; ${unproven.length} not proven` : ''}.`;
if (values.only === undefined) report('reliability', 'attacks', [verdict, table]);
else for (const row of table.rows) console.log(row.join(' | '));
for (const finding of [...findings.slice(0, 200), ...unproven]) console.error(finding);
process.exitCode = findings.length + unproven.length === 0 ? 0 : 1;
