// A workflow of a thousand steps in the editor, in Chromium: what opening it costs in scripting, how long a committed cell
// edit takes to its paint, and the times of frames while scrolling and dragging.
// Usage: tsx bench/editor.ts [--steps 1000] [--edits 60]. Needs a build (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Page, chromium } from '@playwright/test';
import { preparedDraft } from './prepared-draft.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '1000' }, edits: { type: 'string', default: '60' } },
});
const count = Number(values.steps);
const edits = Number(values.edits);
const dataDir = mkdtempSync(join(tmpdir(), 'stet-editor-'));
const server = new ServerProcess(3800 + (process.pid % 90), dataDir);

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
function line(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((left, right) => left - right);
  const show = (ms: number): string => ms.toFixed(1).padStart(7);
  console.log(
    `${what.padEnd(44)} p50 ${show(quantile(sorted, 0.5))}  p95 ${show(quantile(sorted, 0.95))}  max ${show(quantile(sorted, 1))} ms  (${times.length})`,
  );
}

const stepsOf = () =>
  Array.from({ length: count }, (_, index) => ({
    id: `step-${index}`,
    title: `Step number ${index + 1}`,
    assignee: index % 3 === 0 ? 'priya.nair@example.com' : 'auto',
    sla: `${(index % 20) + 1} hours`,
    description: `Do what has to be done in step ${index + 1}, and write down who did it.`,
  }));

type Costs = { script: number; task: number };

/**
 * Milliseconds of the page's own thread since this was called: in scripting, and in everything. It is the processor's time,
 * so that a busy machine adds less to it than to times by the clock.
 */
async function meter(page: Page): Promise<() => Promise<Costs>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<Costs> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string): number => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000;
    return { script: of('ScriptDuration'), task: of('TaskDuration') };
  };
  const before = await read();
  return async () => {
    const now = await read();
    return { script: now.script - before.script, task: now.task - before.task };
  };
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(server.url + address);
  await page.getByRole('gridcell', { name: /Step number 1$/ }).waitFor();
  await page.waitForTimeout(1000);
}

/** From the key that commits to the first moment after the paint that shows it. */
async function commitTimes(page: Page): Promise<number[]> {
  await page.evaluate('probe.watchCommits()');
  for (let edit = 0; edit < edits; edit++) {
    const row = edit % 8;
    await page.locator(`.step-row[data-step="step-${row}"] [aria-colindex="3"]`).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`Edited ${edit}`);
    await page.waitForTimeout(60);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(120);
  }
  return page.evaluate<number[]>('probe.commits');
}

/** Times between frames while something goes on. */
async function frames(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate('probe.watchFrames()');
  await act();
  return page.evaluate<number[]>('probe.takeFrames()');
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await server.start();
  const { token, draftId } = await preparedDraft(server.url, 'thousand', {
    title: 'A thousand steps',
    steps: stepsOf(),
  });
  const address = `/app/editor?key=thousand&mode=edit&draftId=${draftId}`;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript({ content: `localStorage.setItem('stet_token', ${JSON.stringify(token)})` });
  await context.addInitScript({ path: fileURLToPath(new URL('editor-probe.js', import.meta.url)) });

  const opening: Costs[] = [];
  for (let round = 0; round < 5; round++) {
    const page = await context.newPage();
    const spent = await meter(page);
    await open(page, address);
    opening.push(await spent());
    await page.close();
  }
  console.log(`${count} steps`);
  line(
    'open, from the address: scripting',
    opening.map(({ script }) => script),
  );
  line(
    'open, from the address: all work of the page',
    opening.map(({ task }) => task),
  );

  const page = await context.newPage();
  await open(page, address);
  const spent = await meter(page);
  line('committed cell edit to paint', await commitTimes(page));
  const { script, task } = await spent();
  console.log(
    `an edit whole, opened, typed, committed: scripting ${(script / edits).toFixed(1)} ms, all work ${(task / edits).toFixed(1)} ms`,
  );
  // A wheel's notch is 100 to 120 px; a fling on a touchpad goes by several hundred a frame.
  for (const [how, pixels] of [
    ['by the wheel', 120],
    ['as fast as a fling', 400],
  ] as const) {
    await page.evaluate('scrollTo(0, 0)');
    await page.mouse.move(700, 600);
    line(
      `scrolling ${how}: between frames`,
      await frames(page, async () => {
        for (let turn = 0; turn < 120; turn++) {
          await page.mouse.wheel(0, pixels);
          await page.waitForTimeout(16);
        }
      }),
    );
  }
  await page.evaluate('scrollTo(0, 0)');
  await page.waitForTimeout(300);
  const handle = await page.getByRole('button', { name: 'Move step 2', exact: true }).boundingBox();
  if (!handle) throw new Error('no handle');
  line(
    'dragging a row: between frames',
    await frames(page, async () => {
      await page.mouse.move(handle.x + 5, handle.y + 5);
      await page.mouse.down();
      for (let move = 0; move < 100; move++) {
        await page.mouse.move(handle.x + 5, handle.y + 5 + move * 4);
        await page.waitForTimeout(16);
      }
      await page.mouse.up();
    }),
  );
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
