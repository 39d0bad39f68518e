// npm run bench [-- --only=throughput,nodes --quick]: runs the benchmarks, which write docs/performance.md unless
// --quick is given. Exits with 1 if a target is missed.
import fs from 'node:fs';
import { ensureBuilt } from './lib/build.mjs';
import { CommandError, runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { fromRoot } from './lib/paths.mjs';
import { runNode } from './lib/run-program.mjs';
import { chooseStages, runStages } from './lib/run-stages.mjs';

/** The parts of docs/performance.md, with the script that writes each and its duration in minutes on two CPUs. */
const PARTS = [
  {
    name: 'throughput',
    script: 'throughput',
    about: 'runs over HTTP, compared with pgbench, DBOS and bpmn-engine',
    minutes: 7,
  },
  { name: 'nodes', script: 'nodes', about: 'two server processes on one PostgreSQL', minutes: 2 },
  { name: 'process', script: 'process', about: 'start-up time and memory', minutes: 2 },
  {
    name: 'reads',
    script: 'large-org',
    about: 'lists and details in an organization with a million runs',
    minutes: 12,
  },
  {
    name: 'web',
    script: 'web',
    about: 'bytes that the browser loads, and the time until the page is usable',
    minutes: 5,
  },
];
const LONGEST_MINUTES = 30;

await runCommand(async () => {
  const args = process.argv.slice(2);
  const options = args.includes('--quick') ? ['--quick'] : [];
  const unknown = args.filter((arg) => arg !== '--quick' && !arg.startsWith('--only='));
  if (unknown.length > 0) throw new CommandError(`bench accepts --only=… and --quick, not ${unknown.join(' ')}.`);
  const parts = chooseStages(
    PARTS.map((part) => ({ ...part, run: () => measure(part, options) })),
    args,
  );
  await ensureInstalled('everything');
  await ensureBuilt();
  const minutes = parts.reduce((sum, { minutes: one }) => sum + one, 0);
  console.log(
    `Measuring ${parts.map(({ name }) => name).join(', ')} takes about ${minutes} minutes. Don't run anything else on this machine until it ends.`,
  );
  process.exitCode = (await runStages(parts)) ? 0 : 1;
});

/**
 * @param {(typeof PARTS)[number]} part @param {string[]} options @returns
 * {Promise<import('./lib/reports.mjs').Outcome>}
 */
async function measure({ script, about, minutes }, options) {
  const file = `bench/${script}.ts`;
  if (!fs.existsSync(fromRoot(file))) throw new CommandError(`${file} is missing.`);
  console.log(`${about}, about ${minutes} minutes`);
  const { code, timedOut } = await runNode('node_modules/tsx/dist/cli.mjs', [file, ...options], {
    minutes: LONGEST_MINUTES,
  });
  if (code === 0) return { passed: 1, failed: 0, skipped: 0, failures: [] };
  const why = timedOut ? `did not end within ${LONGEST_MINUTES} minutes` : `exited with code ${code}; see above`;
  return { passed: 0, failed: 1, skipped: 0, failures: [`${file} ${why}.`] };
}
