import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { CommandError } from './command.mjs';
import { readPlaywrightReport, readReport, readVitestReport } from './reports.mjs';
import { runNode } from './run-program.mjs';

/** @typedef {import('./reports.mjs').Outcome} Outcome */

/** The largest first, so that none of them is checked alone at the end. */
const PACKAGES = [
  'apps/web',
  'apps/server',
  'bench',
  'packages/contract',
  'packages/domain',
  'packages/presentation',
  'e2e',
];

/**
 * The stages of `npm test`, in order. A check counts as one test, a test runner as the tests that it ran.
 * @type {import('./run-stages.mjs').Stage[]}
 */
export const STAGES = [
  {
    name: 'types',
    // With several threads, the compiler would check many types once in each thread, which takes twice the CPU time.
    run: () => check(PACKAGES.map((folder) => ['node_modules/typescript/bin/tsc', '--singleThreaded', '-p', folder])),
  },
  { name: 'format', run: () => check([['node_modules/oxfmt/bin/oxfmt', '--check']]) },
  { name: 'lint', run: () => check([['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']]) },
  { name: 'unit', run: () => vitest(['unit', 'web']) },
  { name: 'integration', run: () => vitest(['integration']) },
  { name: 'build', run: build },
  {
    name: 'crash',
    needs: 'build',
    run: () =>
      check(
        ['crash', 'crash-runs'].map((bench) => ['node_modules/tsx/dist/cli.mjs', `bench/${bench}.ts`, '--rounds', '2']),
      ),
  },
  {
    name: 'timing',
    needs: 'build',
    run: () => check([['node_modules/tsx/dist/cli.mjs', 'bench/login-storm.ts', '--only', 'timing']]),
  },
  { name: 'e2e', needs: 'build', run: journeys },
];

/** @param {string} failure @returns {Outcome} */
const failed = (failure) => ({ passed: 0, failed: 1, skipped: 0, failures: [failure] });
/** @type {Outcome} */
const passed = { passed: 1, failed: 0, skipped: 0, failures: [] };

/**
 * Runs all commands, two at a time, and continues after a failure, so that every failure is shown.
 * @param {string[][]} commands
 * @returns {Promise<Outcome>}
 */
export async function check(commands) {
  /** @type {string[]} */
  const failures = [];
  const waiting = commands.entries();
  const runWaiting = async () => {
    for (const [at, [file = '', ...args]] of waiting) {
      const { code, output } = await runNode(file, args, {
        quiet: true,
        minutes: 10,
        env: { NO_COLOR: '1', FORCE_COLOR: '0' },
      });
      if (code !== 0) failures[at] = output.trim() || `${file} exited with code ${code}`;
    }
  };
  await Promise.all([runWaiting(), runWaiting()]);
  const found = failures.filter(Boolean);
  return found.length === 0 ? passed : failed(found.join('\n'));
}

/** @param {string[]} projects of vitest.config.ts */
async function vitest(projects) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  return runner(
    (file) => [
      'node_modules/vitest/vitest.mjs',
      ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      {},
    ],
    readVitestReport,
  );
}

async function build() {
  try {
    await ensureBuilt();
    return passed;
  } catch (error) {
    if (error instanceof CommandError) return failed(error.message);
    throw error;
  }
}

async function journeys() {
  const chromium = await ensureChromium();
  if ('problem' in chromium) return failed(chromium.problem);
  const port = await freePort();
  return runner(
    (file) => [
      'node_modules/@playwright/test/cli.js',
      ['test', '--config', 'e2e', '--reporter=list,json'],
      { CHROMIUM_PATH: chromium.file, E2E_PORT: String(port), PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    ],
    readPlaywrightReport,
  );
}

/** @returns {Promise<number>} a port that is currently free */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Runs a test runner and counts the tests in its report.
 * @param {(reportFile: string) => [file: string, args: string[], env: Record<string, string>]} invocation
 * @param {(report: any) => Outcome} read
 */
async function runner(invocation, read) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-report-'));
  const report = path.join(folder, 'report.json');
  const [file, args, env] = invocation(report);
  const { code, timedOut } = await runNode(file, args, { env, minutes: 30 });
  const outcome = readReport(report, read);
  fs.rmSync(folder, { recursive: true, force: true });
  if (timedOut) return failed('It did not end within 30 minutes.');
  if (!outcome) return failed(`It exited with code ${code} before it had run the tests; see above.`);
  return judge(outcome, code);
}

/**
 * Returns the outcome of a test runner. A runner that ran no tests, or that failed without a failed test, counts as
 * failed.
 * @param {Outcome} outcome
 * @param {number} code
 * @returns {Outcome}
 */
export function judge(outcome, code) {
  if (outcome.failed > 0) return outcome;
  const why =
    outcome.passed === 0
      ? 'It ran no tests.'
      : code !== 0
        ? `It exited with code ${code} although no test failed; see above.`
        : '';
  return why === '' ? outcome : { ...outcome, failed: 1, failures: [why] };
}
