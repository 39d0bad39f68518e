import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const everywhere = {
  exclude: ['**/node_modules/**', '**/dist/**'],
  // A long timeout, because the machine may be busy. Only a test that hangs should time out.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 50_000, interval: 50 } },
  // A worker loads each module once for all its test files, because loading takes most of a file's time. So tests must
  // not leave a module changed.
  isolate: false,
};

/** Files that take 30 to 70 seconds each, although they are short. */
const LONG = /(upgrades|people|fill-demo|permissions|governance|run-plays|bad-address|failed-audit-writes)\.test\.ts$/;

/** Starts the long files first, so that none of them runs alone at the end. The others follow in Vitest's own order. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          environment: 'node',
          include: ['packages/**/*.test.ts', 'scripts/**/*.test.mjs', 'bench/**/*.test.ts'],
        },
      },
      {
        plugins: [react()],
        test: {
          ...everywhere,
          name: 'web',
          environment: 'happy-dom',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['apps/web/src/testing/setup.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'integration',
          environment: 'node',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
          // These tests spend half of their time waiting for clocks, jobs and processes. With more workers, the
          // sandbox's processes, which have a lower priority, would wait for all of them.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
