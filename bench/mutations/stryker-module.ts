import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const TYPESCRIPT = ['--import', import.meta.resolve('tsx')];

export const MODULES = ['access', 'drafts', 'runs', 'audit'] as const;
export type ModuleName = (typeof MODULES)[number];

/** The maximum number of examples for a property: few if one takes long, but enough for tests that count cases. */
export const MAX_RUNS: Readonly<Record<ModuleName, number>> = { access: 60, drafts: 60, runs: 200, audit: 6 };

const TESTING = ['test', 'arbitrary', 'scenario', 'model'];
const NOT_MUTATED = new RegExp(`\\.(?:${TESTING.join('|')})\\.ts$`);

/** The part of Stryker's JSON report that we use. */
export type StrykerReport = {
  files: Record<string, { source: string; mutants: readonly StrykerMutant[] }>;
};
export type StrykerMutant = {
  id: string;
  mutatorName: string;
  replacement: string;
  status: 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'CompileError' | 'RuntimeError' | 'Ignored' | 'Pending';
  location: { start: Place; end: Place };
};
type Place = { line: number; column: number };

/**
 * Makes Stryker mutate one module of the domain and run the module's own tests.
 * @param options.fresh ignores earlier results. Otherwise, as long as the tests are unchanged, only changed code is
 * tested again
 * @param options.atOnce number of mutants tested in parallel
 */
export async function mutateModule(
  module: ModuleName,
  options: { fresh: boolean; atOnce: number },
): Promise<StrykerReport> {
  const cache = path.join(ROOT, 'node_modules/.cache/stet-mutations');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(tmpdir(), `stet-mutations-${module}-`));
  const result = path.join(folder, 'report.json');
  const config = {
    testRunner: 'in-process',
    plugins: [path.join(ROOT, 'bench/mutations/in-process.ts')],
    testRunnerNodeArgs: TYPESCRIPT,
    mutate: [`packages/domain/src/${module}/**/*.ts`, `!**/*.{${TESTING.join(',')}}.ts`, '!**/index.ts'],
    ignorePatterns: ['**', '!package.json', '!tsconfig.base.json', '!packages/domain/**'],
    coverageAnalysis: 'perTest',
    concurrency: options.atOnce,
    // An endless mutant is detected earlier by its hit limit. This timeout is only for a busy machine.
    timeoutMS: 180_000,
    disableTypeChecks: false,
    incremental: true,
    incrementalFile: path.join(cache, `${module}-${testsKey(module)}.json`),
    force: options.fresh,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: result },
    tempDirName: path.join(folder, 'sandbox'),
    allowConsoleColors: false,
  };
  writeFileSync(path.join(folder, 'stryker.config.json'), JSON.stringify(config));
  try {
    await run(
      [
        ...TYPESCRIPT,
        'node_modules/@stryker-mutator/core/bin/stryker.js',
        'run',
        path.join(folder, 'stryker.config.json'),
      ],
      {
        MUTATION_MODULE: module,
        MUTATION_RUNS: String(MAX_RUNS[module]),
      },
    );
    return JSON.parse(readFileSync(result, 'utf8')) as StrykerReport;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns a key that changes with every test of the module, because Stryker compares tests only by name, not by
 * content.
 */
function testsKey(module: ModuleName): string {
  const folder = path.join(ROOT, 'packages/domain/src', module);
  const hash = createHash('sha256').update(String(MAX_RUNS[module]));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => NOT_MUTATED.test(file)).toSorted())
    hash.update(readFileSync(path.join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    // Has a low priority, because it keeps several CPUs busy for a long time.
    const child = spawn('nice', ['-n', '19', process.execPath, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`Stryker exited with code ${code}.`))));
  });
}
