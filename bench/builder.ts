// A workflow of three hundred steps of all types in the builder, in Chromium: from a click to the paint that shows what it
// did, the long tasks of the page's thread meanwhile, and the frames while something is dragged. With and without the picture.
// Usage: tsx bench/builder.ts [--steps 300] [--times 20]. Needs a build (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Locator, type Page, chromium } from '@playwright/test';
import { quantile } from './figures.ts';
import { preparedDraft } from './prepared-draft.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '300' }, times: { type: 'string', default: '20' } },
});
const count = Number(values.steps);
const times = Number(values.times);
const TYPES = ['manual', 'approval', 'automated', 'condition', 'notification'] as const;
const dataDir = mkdtempSync(join(tmpdir(), 'stet-builder-'));
const server = new ServerProcess(Number(process.env['BENCH_PORT'] ?? 3890 + (process.pid % 90)), dataDir);

const show = (ms: number): string => ms.toFixed(0).padStart(5);
async function line(what: string, page: Page, paints: readonly number[]): Promise<void> {
  const long = await page.evaluate<number[]>('probe.takeLongTasks()');
  const most = long.toSorted((left, right) => right - left).slice(0, 5);
  console.log(
    `${what.padEnd(46)} p50 ${show(quantile(paints, 0.5))}  p95 ${show(quantile(paints, 0.95))} ms  (${paints.length})` +
      `  long tasks ${String(long.length).padStart(3)}${long.length > 0 ? `, the longest ${most.map((ms) => ms.toFixed(0)).join(' ')} ms` : ''}`,
  );
}

/** Chains of four with a decision now and then, whose second branch skips the next step. */
const stepsOf = () =>
  Array.from({ length: count }, (_, index) => {
    const type = TYPES[index % TYPES.length];
    const [next, further] = [`step-${index + 1}`, `step-${index + 2}`];
    const decides = type === 'condition' && index + 2 < count;
    return {
      id: `step-${index}`,
      type,
      title: `Step number ${index + 1}`,
      assignee: index % 3 === 0 ? 'priya.nair@example.com' : 'reviewer',
      sla: `${(index % 20) + 1} hours`,
      description: `Do what has to be done in step ${index + 1}, and write down who did it.`,
      next: index + 1 === count ? [] : decides ? [next, further] : [next],
      ...(decides && { config: { condition: 'run.priority = "high"', trueNext: next, falseNext: further } }),
    };
  });

/** Clicks, and gives the time to the paint that shows `selector`. */
async function clickToPaint(page: Page, target: Locator, selector: string): Promise<number> {
  await page.evaluate(`probe.awaitPaint('click', ${JSON.stringify(selector)})`);
  await target.click();
  while (!(await page.evaluate<boolean>('probe.hasPainted()'))) await page.waitForTimeout(50);
  await page.waitForTimeout(300);
  const [time = Number.NaN] = await page.evaluate<number[]>('probe.takePaints()');
  return time;
}

async function adding(page: Page, what: string): Promise<void> {
  const paints: number[] = [];
  for (let n = 0; n < times; n++) {
    const rows = Number(await page.locator('.bld-table').getAttribute('aria-rowcount'));
    paints.push(
      await clickToPaint(
        page,
        page.getByRole('button', { name: `Add ${TYPES[n % TYPES.length]} step` }),
        `.bld-row[aria-rowindex="${rows + 1}"]`,
      ),
    );
  }
  await line(what, page, paints);
}

async function opening(page: Page, what: string, number: number, mark: string): Promise<void> {
  const edit = page.getByRole('button', { name: `Edit step ${number}`, exact: true });
  await edit.scrollIntoViewIfNeeded();
  await page.evaluate('probe.takeLongTasks()');
  const paint = await clickToPaint(page, edit, mark);
  await line(what, page, [paint]);
  await page.keyboard.press('Escape');
  await page.waitForTimeout(400);
}

async function dragging(page: Page, what: string, handle: Locator, by: { x: number; y: number }): Promise<void> {
  const box = await handle.boundingBox();
  if (!box) throw new Error('nothing to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate('probe.takeLongTasks()');
  await page.evaluate('probe.watchFrames()');
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let move = 1; move <= 80; move++) {
    await page.mouse.move(x + (by.x * move) / 80, y + (by.y * move) / 80);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  await page.waitForTimeout(300);
  const frames = await page.evaluate<number[]>('probe.takeFrames()');
  await line(`${what}: between frames`, page, frames);
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
  await page.evaluate('probe.takeLongTasks()');
  await adding(page, `add a step${suffix}`);
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await server.start();
  const { token, draftId } = await preparedDraft(server.url, 'hundreds', {
    title: 'Three hundred steps',
    steps: stepsOf(),
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript({ content: `localStorage.setItem('stet_token', ${JSON.stringify(token)})` });
  await context.addInitScript({ path: fileURLToPath(new URL('builder-probe.js', import.meta.url)) });
  const page = await context.newPage();
  await page.goto(`${server.url}/app/workflows?builder=edit&key=hundreds&draftId=${draftId}`);
  await page.getByRole('button', { name: 'Edit step 1', exact: true }).waitFor();
  await page.waitForTimeout(3000);
  console.log(`${count} steps of all types`);
  const dialogs = [
    ['condition', 4, '.modal-inner .cm-content'],
    ['automated', 3, '.modal-inner .cm-content'],
    ['manual', 1, '.modal-inner .field-list'],
    ['notification', 5, '.modal-inner textarea'],
  ] as const;
  for (const turn of ['first', 'second'] as const) {
    for (const [type, number, mark] of dialogs)
      await opening(page, `open a dialog, ${type}, ${turn} time`, number, mark);
  }
  await everything(page, '');
  await page.evaluate('probe.takeLongTasks()');
  const picture = page.getByRole('button', { name: 'Picture of the flow' });
  await line('picture on, first time', page, [await clickToPaint(page, picture, '.flow-svg .flow-box')]);
  await page.waitForTimeout(2000);
  await page.evaluate('probe.takeLongTasks()');
  await line('picture off', page, [await clickToPaint(page, picture, '.bld-middle:not(.with-picture)')]);
  await line('picture on again', page, [await clickToPaint(page, picture, '.flow-svg .flow-box')]);
  await page.waitForTimeout(2000);
  await everything(page, ', picture on');
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
