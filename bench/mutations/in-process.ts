import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, chai } from '@vitest/expect';
import { type File, type Task, type Test, type VitestRunner, describe, it, startTests, test } from '@vitest/runner';
import { build } from 'esbuild';
import * as fastCheck from 'fast-check';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

/** The part of Vitest that the pure tests of a module need, based on Vitest's runner and matchers. */
const VITEST = { describe, it, test, expect: Object.assign((value: unknown) => chai.expect(value), chai.expect) };

const MAX_RUNS = Number(process.env['MUTATION_RUNS'] ?? 100);

/**
 * fast-check with fewer runs and a fixed seed, so that chance doesn't decide whether a mutant is killed. It doesn't
 * shrink examples, because nobody reads them.
 */
const FAST_CHECK = {
  ...fastCheck,
  assert: (property: fastCheck.IRawProperty<unknown>, parameters: fastCheck.Parameters<unknown> = {}): unknown =>
    fastCheck.assert(property, {
      ...parameters,
      numRuns: Math.min(parameters.numRuns ?? 100, MAX_RUNS),
      seed: 20_260_101,
      endOnFailure: true,
    }),
};

const LIBRARIES: Record<string, unknown> = { vitest: VITEST, 'fast-check': { ...FAST_CHECK, default: FAST_CHECK } };

/**
 * Runs a module's tests inside the process that Stryker keeps alive, and reloads them for each mutant. In Vitest itself
 * a mutant takes half a second, mostly to start a worker. Here it takes a few milliseconds plus the tests.
 */
class InProcessRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  private counting = new Script('');
  private trying = this.counting;
  /** The last duration of each test, in milliseconds. */
  private readonly took = new Map<string, number>();

  capabilities(): TestRunnerCapabilities {
    // The modules are loaded again for every run.
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const module = `packages/domain/src/${process.env['MUTATION_MODULE'] ?? ''}`;
    const tests = readdirSync(module, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.test.ts'),
    );
    const { outputFiles } = await build({
      stdin: {
        contents: tests.map((name) => `import './${path.join(module, name)}';`).join('\n'),
        resolveDir: process.cwd(),
      },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'node',
      target: 'node20',
      plugins: [
        {
          name: 'given-libraries',
          setup: (build) => {
            build.onResolve({ filter: /^(?:vitest|fast-check)$/ }, ({ path: name }) => ({
              path: name,
              namespace: 'given',
            }));
            build.onLoad({ filter: /.*/, namespace: 'given' }, ({ path: name }) => ({
              contents: `module.exports = globalThis.__mutationLibraries[${JSON.stringify(name)}];`,
            }));
          },
        },
      ],
    });
    const source = outputFiles[0]?.text ?? '';
    this.counting = new Script(source, { filename: 'tests.js' });
    this.trying = new Script(withoutCounting(source), { filename: 'tests.js' });
    Object.assign(globalThis, { __mutationLibraries: LIBRARIES });
  }

  async dryRun(): Promise<DryRunResult> {
    const ns = openNamespace({});
    const tests = await this.run({
      script: this.counting,
      isWanted: () => true,
      endOnFailure: false,
      before: (id) => (ns.currentTestId = id),
    });
    return {
      status: DryRunStatus.Complete,
      tests,
      mutantCoverage: ns.mutantCoverage ?? { static: {}, perTest: {} },
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    const ns = openNamespace({ activeMutant: activeMutant.id, hitCount: 0, hitLimit: hitLimit ?? Infinity });
    const wanted = testFilter && new Set(testFilter);
    const tests = await this.run({
      script: this.trying,
      isWanted: (id) => !wanted || wanted.has(id),
      endOnFailure: true,
    });
    return toMutantRunResult(
      determineHitLimitReached(ns.hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests },
    );
  }

  private async run(options: {
    script: Script;
    isWanted: (id: string) => boolean;
    endOnFailure: boolean;
    before?: (id: string) => void;
  }): Promise<TestResult[]> {
    let hasFailed = false;
    const runner: VitestRunner = {
      config: CONFIG,
      // Most mutants are killed by many tests, so the fastest tests come first.
      onCollected: (files) => files.forEach((file) => this.quickFirst(file)),
      importFile: () => void options.script.runInThisContext(),
      onBeforeRunTask: (one) => {
        if (!options.isWanted(idOf(one)) || (hasFailed && options.endOnFailure)) one.mode = 'skip';
      },
      onBeforeTryTask: (one) => options.before?.(idOf(one)),
      onAfterRunTask: (one) => {
        hasFailed ||= one.result?.state === 'fail';
        if (one.result?.state === 'pass') this.took.set(idOf(one), one.result.duration ?? 0);
      },
    };
    const [file] = await startTests(['tests.js'], runner);
    if (!file) throw new Error('The tests of the module were not collected.');
    // If a mutant prevents the tests from loading, it counts as killed.
    if (file.result?.state === 'fail' && file.tasks.length === 0) return [failedToLoad(file)];
    return testsOf(file).flatMap(resultOf);
  }

  private quickFirst(suite: { tasks: Task[] }): number {
    const known = suite.tasks.map((task) => ({
      task,
      ms: task.type === 'suite' ? this.quickFirst(task) : (this.took.get(idOf(task)) ?? 0),
    }));
    suite.tasks = known.toSorted((one, other) => one.ms - other.ms).map(({ task }) => task);
    return known.reduce((sum, { ms }) => sum + ms, 0);
  }
}

const CONFIG: VitestRunner['config'] = {
  root: process.cwd(),
  name: 'module',
  setupFiles: [],
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: true,
  sequence: { shuffle: false, concurrent: false, seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

/** Installs a new object each time, because property lookups are slow on an object with deleted properties. */
function openNamespace(ns: InstrumenterContext): InstrumenterContext {
  Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: ns });
  return ns;
}

/**
 * Removes counting from the source. The first run has recorded which tests reach which mutant, and counting is slow.
 */
const withoutCounting = (source: string): string => source.replaceAll(/function stryCov_\w+\(\) \{/g, '$& return;');

const testsOf = (suite: { tasks: Task[] }): Test[] =>
  suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));

/** Returns an id that contains a test's position in the file, because names of tests can occur twice. */
const idOf = (one: Test): string => one.id;

function resultOf(one: Test): TestResult[] {
  const about = { id: idOf(one), name: one.fullTestName ?? one.name, timeSpentMs: one.result?.duration ?? 0 };
  if (one.mode === 'skip') return [];
  if (one.result?.state === 'pass') return [{ ...about, status: TestStatus.Success }];
  const failureMessage = one.result?.errors?.[0]?.message ?? 'no reason was given';
  return [{ ...about, status: TestStatus.Failed, failureMessage }];
}

const failedToLoad = (file: File): TestResult => ({
  id: file.id,
  name: 'the tests of the module',
  timeSpentMs: 0,
  status: TestStatus.Failed,
  failureMessage: file.result?.errors?.[0]?.message ?? 'the tests could not be loaded',
});

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
