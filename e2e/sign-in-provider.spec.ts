import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type TestIdentityProvider, startIdentityProvider } from '../apps/server/src/testing/identity-provider.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';

const SERVER = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url));
const IDA = { sub: 'ida-at-halden', email: 'ida@halden.example', email_verified: true, name: 'Ida Berg' };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// A separate installation, because the one in `playwright.config.ts` has no identity provider.
let provider: TestIdentityProvider;
let server: ChildProcess;
let dataDir: string;
let url: string;

test.beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  dataDir = mkdtempSync(join(tmpdir(), 'stet-e2e-'));
  provider = await startIdentityProvider();
  const env = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMITS: 'off', PUBLIC_URL: url };
  server = spawn(process.execPath, [SERVER], {
    env: { ...process.env, ...provider.environment, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await expect
    .poll(async () => (await fetch(`${url}/api/ready`).catch(() => null))?.status, { timeout: 60_000 })
    .toBe(200);
});

test.afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await provider.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a person signs in through the installation’s provider and returns to the page they wanted to open', async ({
  page,
}) => {
  const offered = page.getByRole('link', { name: 'Continue with Halden ID' });
  await provider.become(null);
  await page.goto(`${url}/app/runs`);
  await expect(offered).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await offered.click();
  await expect(page.getByRole('alert')).toContainText('Signing in with Halden ID was cancelled or not allowed.');
  await expect(page).toHaveURL(`${url}/login`);
  await expectAccessibleInBothThemes(page);

  const seen: string[] = [];
  page.on('framenavigated', (frame) => seen.push(frame.url()));
  await provider.become(IDA);
  await offered.click();
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${url}/app/runs`);
  const token = await page.evaluate(() => localStorage.getItem('stet_token') ?? '');
  expect(token).not.toBe('');
  for (const address of seen) expect(address).not.toContain(token);
  const ours = (await page.context().cookies(url)).filter(({ name }) => name.includes('stet'));
  expect(ours).toEqual([]);
  await page.reload();
  await expect(page.getByRole('button', { name: `Account and theme: ${IDA.name}` })).toBeVisible();
});

test('a person with an account logs in with its password once, and after that through the provider', async ({
  page,
}) => {
  const email = 'per@halden.example';
  await page.goto(`${url}/signup`);
  await page.getByLabel('Full Name').fill('Per Lund');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('seven wet stones');
  await page.getByRole('button', { name: 'Create Personal Account' }).click();
  const account = page.getByRole('button', { name: 'Account and theme: Per Lund' });
  await account.click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();

  await provider.become({ sub: 'per-at-halden', email, email_verified: true, name: 'Per at Halden' });
  const offered = page.getByRole('link', { name: 'Continue with Halden ID' });
  await offered.click();
  await expect(page.getByText(`An account with the email ${email} already exists.`)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByLabel('Password', { exact: true }).fill('seven wet stones');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('You can now sign in with Halden ID.')).toBeVisible();
  await account.click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await offered.click();
  await expect(account).toBeVisible();
});
