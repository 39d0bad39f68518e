import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Generous, because a machine may be busy: a test that fails by time should be one that hangs.
const everywhere = { exclude: ['**/node_modules/**', '**/dist/**'], testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          environment: 'node',
          include: ['packages/**/*.test.ts', 'scripts/**/*.test.mjs'],
        },
      },
      {
        plugins: [react()],
        test: {
          ...everywhere,
          name: 'web',
          environment: 'happy-dom',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['apps/web/src/testing/patience.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'integration',
          environment: 'node',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
        },
      },
    ],
  },
});
