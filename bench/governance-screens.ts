// Measures the review of a draft with two hundred changed steps, and a rebase with two hundred conflicts, in Chromium:
// the time until the screen is shown, and the time from a key or a click to the paint of its effect.
// Usage: tsx bench/governance-screens.ts [--steps 200] [--times 20]. Needs a build (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { launched, longTasks, toPaint, windowOf } from './browser.ts';
import { quantile } from './figures.ts';
import { draftOf, signedUp } from './prepared-draft.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '200' }, times: { type: 'string', default: '20' } },
});
const count = Number(values.steps);
const times = Number(values.times);
const KEY = 'two-hundred';
const dataDir = mkdtempSync(join(tmpdir(), 'stet-governance-screens-'));
const server = new ServerProcess(Number(process.env['BENCH_PORT'] ?? 3700 + (process.pid % 90)), dataDir);

/** Returns `count` steps. `turn` goes into each task, so the steps of two turns all differ. */
const stepsIn = (turn: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: `step-${index}`,
    title: `Step number ${index + 1}`,
    assignee: index % 3 === 0 ? 'priya.nair@example.com' : 'reviewer',
    sla: `${(index % 20) + 1} hours`,
    description: `Do the work of step ${index + 1} ${turn}, and record who did it.`,
  }));

async function prepare(): Promise<{ token: string; reviewed: string; overtaken: string }> {
  const account = await signedUp(server.url);
  const draft = (turn: string): Promise<string> =>
    draftOf(account, KEY, { title: 'Two hundred', steps: stepsIn(turn) });
  const publish = async (id: string): Promise<void> => {
    await account.post(`/api/workflows/${KEY}/drafts/${id}/merge`);
  };
  await publish(await draft('at once'));
  const overtaken = await draft('within a day');
  await publish(await draft('by Friday'));
  const reviewed = await draft('by Thursday noon');
  return { token: account.token, reviewed, overtaken };
}

const show = (ms: number): string => ms.toFixed(0).padStart(5);
async function line(what: string, page: Page, paints: readonly number[]): Promise<void> {
  const long = await longTasks(page);
  console.log(
    `${what.padEnd(46)} p50 ${show(quantile(paints, 0.5))}  p95 ${show(quantile(paints, 0.95))} ms  (${paints.length})` +
      `  long tasks ${String(long.length).padStart(3)}${long.length > 0 ? `, longest ${Math.max(...long).toFixed(0)} ms` : ''}`,
  );
}

async function repeated(
  page: Page,
  what: string,
  event: 'click' | 'keydown',
  act: (n: number) => Promise<void>,
): Promise<void> {
  await longTasks(page);
  const paints: number[] = [];
  for (let n = 0; n < times; n++)
    paints.push(await toPaint(page, { event, selector: 'body', restMs: 100 }, () => act(n)));
  await line(what, page, paints);
}

async function opened(page: Page, what: string, address: string, there: Locator): Promise<void> {
  const began = performance.now();
  await page.goto(server.url + address);
  await there.first().waitFor();
  const ms = performance.now() - began;
  await page.waitForTimeout(1500);
  await line(`${what}, from opening the address to its first entry`, page, [ms]);
}

async function review(page: Page, id: string): Promise<void> {
  const cards = page.getByRole('article');
  await opened(page, 'review', `/app/review?key=${KEY}&id=${id}`, cards);
  await repeated(page, 'review: j, to the next change', 'keydown', () => page.keyboard.press('j'));
  await repeated(page, 'review: open a comment, or close it', 'click', async (n) => {
    const card = cards.nth(n >> 1);
    if (n % 2 === 0) await card.getByRole('button', { name: /^Comment on/ }).click();
    else await card.getByRole('button', { name: 'Cancel' }).click();
  });
  await cards
    .nth(3)
    .getByRole('button', { name: /^Comment on/ })
    .click();
  await cards.nth(3).getByRole('textbox').focus();
  await repeated(page, 'review: type a letter of a comment', 'keydown', () => page.keyboard.press('a'));
}

async function merge(page: Page, id: string): Promise<void> {
  const conflicts = page.locator('fieldset[data-conflict]');
  await opened(page, 'merge', `/app/rebase?key=${KEY}&id=${id}`, conflicts);
  await repeated(page, 'merge: choose a side', 'click', (n) =>
    conflicts
      .nth(n)
      .getByRole('radio')
      .nth(n % 2)
      .click(),
  );
  await repeated(page, 'merge: next conflict', 'click', () =>
    page.getByRole('button', { name: 'Next conflict' }).click(),
  );
  await repeated(page, 'merge: own text', 'click', (n) =>
    conflicts
      .nth(times + n)
      .getByRole('radio')
      .nth(2)
      .click(),
  );
  await conflicts.nth(times).getByRole('textbox').focus();
  await repeated(page, 'merge: type a letter of the text', 'keydown', () => page.keyboard.press('a'));
  await repeated(page, 'merge: keep the draft everywhere, result, back', 'click', async (n) => {
    const names = ['Keep the draft for all open conflicts', 'Outcome', `Conflicts (${count})`];
    const name = names[n % 3] ?? '';
    const button = n % 3 === 0 ? page.getByRole('button', { name }) : page.getByText(name, { exact: true });
    await button.click({ force: true });
  });
}

const browser = await launched();
try {
  await server.start();
  const { token, reviewed, overtaken } = await prepare();
  const page = await (await windowOf(browser, token)).newPage();
  console.log(`${count} changed steps`);
  await review(page, reviewed);
  await merge(page, overtaken);
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
