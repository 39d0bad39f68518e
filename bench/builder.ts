// Measures the builder in Chromium with a workflow that grows to a thousand steps of all types, with and without the
// diagram: the time from a click to the paint that shows its effect, long tasks, and frames during a drag. Usage: tsx
// bench/builder.ts [--steps 1000] [--times 40]. Needs a build (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { clickToPaint, frames, launched, longTasks, windowOf } from './browser.ts';
import { quantile } from './figures.ts';
import { addingTimes, draftInBuilder, duplicatingTimes, openBuilder, showRow } from './in-builder.ts';
import { signedUp } from './prepared-draft.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '1000' }, times: { type: 'string', default: '40' } },
});
const count = Number(values.steps);
const times = Number(values.times);
const dataDir = mkdtempSync(join(tmpdir(), 'stet-builder-'));
const server = new ServerProcess(Number(process.env['BENCH_PORT'] ?? 3890 + (process.pid % 90)), dataDir);

/**
 * The number of steps that the measurements add: one by a drag out of the palette, and `times` each at three places,
 * with and without the diagram.
 */
const ADDITIONS = 2 * (1 + 3 * times);
const DIAGRAM = '[aria-label="Diagram"] svg [data-step]';

const show = (ms: number): string => ms.toFixed(0).padStart(5);
async function line(what: string, page: Page, paints: readonly number[]): Promise<void> {
  const long = await longTasks(page);
  const most = long.toSorted((left, right) => right - left).slice(0, 5);
  console.log(
    `${what.padEnd(46)} p50 ${show(quantile(paints, 0.5))}  p95 ${show(quantile(paints, 0.95))} ms  (${paints.length})` +
      `  long tasks ${String(long.length).padStart(3)}${long.length > 0 ? `, longest ${most.map((ms) => ms.toFixed(0)).join(' ')} ms` : ''}`,
  );
}

async function opening(page: Page, what: string, number: number, mark: string): Promise<void> {
  const edit = page.getByRole('button', { name: `Edit step ${number}`, exact: true });
  await edit.scrollIntoViewIfNeeded();
  await longTasks(page);
  const paint = await clickToPaint(page, edit, mark);
  await line(what, page, [paint]);
  await page.keyboard.press('Escape');
  await page.waitForTimeout(400);
}

async function dragging(page: Page, what: string, handle: Locator, by: { x: number; y: number }): Promise<void> {
  const box = await handle.boundingBox();
  if (!box) throw new Error('nothing to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await longTasks(page);
  const between = await frames(page, async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let move = 1; move <= 80; move++) {
      await page.mouse.move(x + (by.x * move) / 80, y + (by.y * move) / 80);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
    await page.waitForTimeout(300);
  });
  await line(`${what}: between frames`, page, between);
}

async function everything(page: Page, suffix: string): Promise<void> {
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, -100_000);
  await page.waitForTimeout(400);
  await dragging(page, `drag a row${suffix}`, page.getByRole('button', { name: 'Move step 3', exact: true }), {
    x: 0,
    y: 300,
  });
  await dragging(page, `drag out of the palette${suffix}`, page.getByRole('button', { name: 'Add manual step' }), {
    x: 300,
    y: 200,
  });
  await longTasks(page);
  await line(`add a step at the end${suffix}`, page, await addingTimes(page, times));
  for (const [where, number] of [
    ['at the start', 1],
    ['in the middle', Math.round(count / 2)],
  ] as const) {
    await showRow(page, number);
    await longTasks(page);
    await line(`add a step ${where}${suffix}`, page, await duplicatingTimes(page, number, times));
  }
}

const browser = await launched();
try {
  await server.start();
  const account = await signedUp(server.url);
  const address = await draftInBuilder(server.url, account, count - ADDITIONS);
  const page = await (await windowOf(browser, account.token)).newPage();
  await openBuilder(page, address);
  console.log(`up to ${count} steps of all types`);
  const dialogs = [
    ['condition', 4, '[role="dialog"] [data-row]'],
    ['automated', 3, '[role="dialog"] [role="textbox"][aria-labelledby]'],
    ['manual', 1, '[role="dialog"] [aria-label="Form fields"]'],
    ['notification', 5, '[role="dialog"] input[type="checkbox"]'],
  ] as const;
  for (const turn of ['first', 'second'] as const) {
    for (const [type, number, mark] of dialogs)
      await opening(page, `open a dialog, ${type}, ${turn} time`, number, mark);
  }
  await everything(page, '');
  await longTasks(page);
  const picture = page.getByRole('button', { name: 'Diagram' });
  await line('diagram on, first time', page, [await clickToPaint(page, picture, DIAGRAM)]);
  await page.waitForTimeout(2000);
  await longTasks(page);
  await line('diagram off', page, [await clickToPaint(page, picture, '[data-pictured="false"]')]);
  await line('diagram on again', page, [await clickToPaint(page, picture, DIAGRAM)]);
  await page.waitForTimeout(2000);
  await everything(page, ', diagram on');
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
