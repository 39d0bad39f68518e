// Counts the clicks and key presses of authoring on a new server, and estimates the time. Exits with 1 if twelve steps
// take more than 170 s, the builder more than 20 clicks, or the submission more than 3 clicks. Needs a build:
// node --import tsx bench/jobs/author.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launched, windowOf } from '../browser.ts';
import { freePort } from '../free-port.ts';
import { TEAM, signedUp } from '../prepared-draft.ts';
import { ServerProcess } from '../server-process.ts';
import { type Presses, countPresses, estimatedSeconds } from './presses.ts';
import { TWELVE_STEPS, typeSteps } from './twelve-steps.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/**
 * Builds a workflow of all five types with a form field, a tried script, two branches and a message. Returns the clicks
 * that aren't counted in the page.
 */
async function buildFiveTypes(page: Page): Promise<number> {
  await button(page, 'Create Workflow').click();
  await page.getByLabel('Workflow title').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Credit notes');
  for (const type of ['manual', 'automated', 'condition', 'approval', 'notification'])
    await page.getByRole('button', { name: `Add ${type} step` }).click();
  const title = async (text: string) => {
    await dialog(page).getByRole('textbox', { name: 'Title', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };
  const next = () => button(page, 'Save and next').click();

  await page.locator('[data-step] [data-title]').first().click();
  await title('Collect the claim');
  await button(page, 'Add field').click();
  await dialog(page).getByLabel('Label', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Reason');
  await next();

  await title('Score the claim');
  await dialog(page).getByRole('textbox', { name: 'Script', exact: true }).click();
  await page.keyboard.type('return { score: 71 };');
  await button(page, 'Try it').click();
  await dialog(page).getByText('Returned', { exact: true }).waitFor();
  await next();

  await title('Large?');
  await dialog(page).getByRole('combobox', { name: 'Value', exact: true }).click();
  await page.keyboard.type('prio');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('high');
  // The true branch continues with the next row by default.
  await dialog(page).getByLabel('If false, go to').selectOption({ label: '5 Untitled Step' });
  await next();

  await title('Sign');
  await next();

  await title('Tell finance');
  await dialog(page).getByRole('textbox', { name: 'Recipients, one per line' }).click();
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A credit note is due.');
  await button(page, 'Save step').click();
  await button(page, 'Save Workflow').click();
  await page.getByText('Workflow saved successfully').waitFor();
  // A person clicks twice where this function uses `selectOption`: to open the list "If false, go to", and to choose.
  // The browser draws this list outside the page, so the page doesn't count these clicks.
  return 2;
}

const dataDir = mkdtempSync(join(tmpdir(), 'stet-author-'));
const server = new ServerProcess(await freePort(), dataDir);
const browser = await launched();
try {
  await server.start();
  const { token } = await signedUp(server.url, TEAM);
  const window = await windowOf(browser, token);
  const opened = async () => {
    const page = await window.newPage();
    return { page, presses: await countPresses(page) };
  };
  const report = (job: string, { clicks, keys }: Presses, decisions: number): number => {
    const seconds = estimatedSeconds({ clicks, keys, decisions });
    console.log(`${job}: ${clicks} clicks, ${keys} keys, ${decisions} decisions, estimated ${seconds.toFixed(0)} s`);
    return seconds;
  };

  const table = await opened();
  await table.page.goto(`${server.url}/app/editor?key=new&mode=edit&template=blank`);
  await table.page.getByLabel('Workflow Name').and(table.page.locator(':focus')).waitFor();
  await typeSteps(table.page);
  if (report('twelve steps by keyboard', table.presses(), TWELVE_STEPS.length) > 170) process.exitCode = 1;

  // With two open pages, only the front one draws frames, so we close the first.
  await table.page.close();
  const builder = await opened();
  await builder.page.goto(`${server.url}/app/workflows`);
  const uncounted = await buildFiveTypes(builder.page);
  const counted = builder.presses();
  const built = { ...counted, clicks: counted.clicks + uncounted };
  report('five types in the builder', built, 6);
  if (built.clicks > 20) process.exitCode = 1;

  await button(builder.page, 'Submit for review').click();
  await dialog(builder.page).getByRole('button', { name: 'Submit', exact: true }).click();
  await builder.page.getByText('Submitted for review').waitFor();
  const submitted = builder.presses();
  report('then submitted', submitted, 1);
  if (submitted.clicks > 3) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
