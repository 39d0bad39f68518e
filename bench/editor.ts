// Measures the editor in Chromium with a workflow of a thousand steps: the scripting time to open it, the time from a
// committed cell edit to its paint, and frame times while scrolling and dragging.
// Usage: tsx bench/editor.ts [--steps 1000] [--edits 60]. Needs a build (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Costs, frames, launched, meter, windowOf } from './browser.ts';
import { quantile } from './figures.ts';
import { commitTimes, draftInEditor, openEditor } from './in-editor.ts';
import { signedUp } from './prepared-draft.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '1000' }, edits: { type: 'string', default: '60' } },
});
const count = Number(values.steps);
const edits = Number(values.edits);
const dataDir = mkdtempSync(join(tmpdir(), 'stet-editor-'));
const server = new ServerProcess(3800 + (process.pid % 90), dataDir);

function line(what: string, times: readonly number[]): void {
  const show = (ms: number): string => ms.toFixed(1).padStart(7);
  console.log(
    `${what.padEnd(44)} p50 ${show(quantile(times, 0.5))}  p95 ${show(quantile(times, 0.95))}  max ${show(quantile(times, 1))} ms  (${times.length})`,
  );
}

const browser = await launched();
try {
  await server.start();
  const account = await signedUp(server.url);
  const address = await draftInEditor(server.url, account, count);
  const context = await windowOf(browser, account.token);

  const opening: Costs[] = [];
  for (let round = 0; round < 5; round++) {
    const page = await context.newPage();
    const spent = await meter(page);
    await openEditor(page, address);
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
  await openEditor(page, address);
  const spent = await meter(page);
  line('committed cell edit to paint', await commitTimes(page, edits));
  const { script, task } = await spent();
  console.log(
    `a whole edit, opened, typed and committed: scripting ${(script / edits).toFixed(1)} ms, all work ${(task / edits).toFixed(1)} ms`,
  );
  // One notch of a mouse wheel is 100 to 120 px. A swipe on a touchpad moves several hundred per frame.
  for (const [how, pixels] of [
    ['with the wheel', 120],
    ['as fast as a swipe', 400],
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
