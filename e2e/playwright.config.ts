import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const PORT = Number(process.env['E2E_PORT'] ?? 3977);
// Playwright reads this file in each of its processes; only the first one creates the directory.
process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'stet-e2e-'));

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // A long timeout, because the machine may be busy. Only a hanging journey should time out.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  // Three workers for two cores, because a journey also waits for its server, its browser and the clock.
  workers: 3,
  forbidOnly: true,
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: process.env['E2E_COMMAND'] ?? 'node ../apps/server/dist/main.js',
    url: `http://127.0.0.1:${PORT}/api/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 6000 },
    env: {
      PORT: String(PORT),
      DATA_DIR: process.env['E2E_DATA_DIR'],
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      MAIL_BATCH_SECONDS: '0',
      WEBHOOK_ALLOW: '127.0.0.1',
    },
  },
});
