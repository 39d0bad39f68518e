import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const everywhere = {
  exclude: ['**/node_modules/**', '**/dist/**'],
  // Generous, because a machine may be busy: a test that fails by time should be one that hangs.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 50_000, interval: 50 } },
  // A worker loads each module once for all of its files, which is most of what a file would cost: a test therefore
  // leaves no module changed behind.
  isolate: false,
};

export default defineConfig({
  test: {
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
          setupFiles: ['apps/web/src/testing/patience.ts', 'apps/web/src/testing/language.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'integration',
          environment: 'node',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
          // Half of their time these wait: for clocks, jobs and processes. No more than that, as the sandbox's processes,
          // which have a lower priority, then wait for all of them.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
