import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type Locator, type Page, chromium } from '@playwright/test';

const PATIENCE_MS = 60_000;

export function launched(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
}

/** Creates a browser window with an empty cache, signed in with `token` if there is one. Every page has the probe. */
export async function windowOf(
  browser: Browser,
  token: string | null,
  viewport = { width: 1440, height: 900 },
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport });
  if (token !== null)
    await context.addInitScript({ content: `localStorage.setItem('stet_token', ${JSON.stringify(token)})` });
  await context.addInitScript({ path: fileURLToPath(new URL('page-probe.js', import.meta.url)) });
  return context;
}

/** Returns the durations of long tasks since the last call, in milliseconds. */
export function longTasks(page: Page): Promise<number[]> {
  return page.evaluate<number[]>('probe.takeLongTasks()');
}

/**
 * Returns the time from the event caused by `act` to the next paint that shows `selector`. Waits `restMs` afterwards.
 */
export async function toPaint(
  page: Page,
  { event, selector, restMs }: { event: 'click' | 'keydown'; selector: string; restMs: number },
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate(`probe.awaitPaint('${event}', ${JSON.stringify(selector)})`);
  await act();
  const began = Date.now();
  while (!(await page.evaluate<boolean>('probe.hasPainted()'))) {
    if (Date.now() - began > PATIENCE_MS) throw new Error(`no paint showed ${selector}`);
    await page.waitForTimeout(20);
  }
  await page.waitForTimeout(restMs);
  const [time = Number.NaN] = await page.evaluate<number[]>('probe.takePaints()');
  return time;
}

export function clickToPaint(page: Page, target: Locator, selector: string): Promise<number> {
  return toPaint(page, { event: 'click', selector, restMs: 300 }, () => target.click());
}

/** Returns the times between frames during `act`. */
export async function frames(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate('probe.watchFrames()');
  await act();
  return page.evaluate<number[]>('probe.takeFrames()');
}

export type Costs = { script: number; task: number };

/**
 * Returns a function that measures the milliseconds of the page's main thread since this call, for scripting and in
 * total. This is CPU time, so other load on the machine distorts it less than elapsed time.
 */
export async function meter(page: Page): Promise<() => Promise<Costs>> {
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
