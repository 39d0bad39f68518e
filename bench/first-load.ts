import type { BrowserContext, Page, Request } from '@playwright/test';
import type { Sample } from './web-routes.ts';

/** A page counts as loaded once it has been usable, without long tasks, for this time. */
const QUIET_MS = 500;
const PATIENCE_MS = 30_000;
/** How many times slower the emulated CPU is. */
export const SLOWDOWN = 4;

/** `kind` is the type of the request. `bytes` is the size of the compressed body. */
export type Fetched = { path: string; kind: 'script' | 'stylesheet'; bytes: number; askedAfterUsable: boolean };
/** The sum of the layout shifts not caused by input, and some of the moved elements. */
export type Shift = { sum: number; moved: readonly string[] };
export type Load = { usableMs: number; longTaskMs: number; shift: Shift; files: Fetched[] };

/** Opens an address in a new page at a quarter of the CPU's speed, and observes it until it counts as loaded. */
export async function load(window: BrowserContext, url: string, { address, heading }: Sample): Promise<Load> {
  const page = await window.newPage();
  const answered: Request[] = [];
  page.on('requestfinished', (request) => answered.push(request));
  const session = await window.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript({ content: `probe.watchUsable(${JSON.stringify(heading)})` });
  await page.goto(url + address, { waitUntil: 'commit' });
  const loaded = await untilLoaded(page, address);
  // Waits for prefetched files, which `askedAfterUsable` marks.
  await page.waitForTimeout(QUIET_MS);
  const usableAt = loaded.began + loaded.usable;
  const files = (await Promise.all(answered.map((request) => fetched(request, usableAt)))).filter(
    (file) => file !== null,
  );
  const shift = await page.evaluate<Shift>('probe.shifted()');
  await page.close();
  return { usableMs: loaded.usable, longTaskMs: loaded.longTasks, shift, files };
}

type Loaded = { usable: number; began: number; longTasks: number };
async function untilLoaded(page: Page, address: string): Promise<Loaded> {
  const began = Date.now();
  while (Date.now() - began < PATIENCE_MS) {
    const loaded = await page.evaluate<Loaded | null>(`probe.quiet(${QUIET_MS})`);
    if (loaded) return loaded;
    await page.waitForTimeout(100);
  }
  const seen = await page.locator('body').innerText();
  throw new Error(`${address} was not usable within ${PATIENCE_MS / 1000} s; its text: ${seen.slice(0, 300)}`);
}

async function fetched(request: Request, usableAt: number): Promise<Fetched | null> {
  const kind = request.resourceType();
  if (kind !== 'script' && kind !== 'stylesheet') return null;
  const { responseBodySize } = await request.sizes();
  return {
    path: new URL(request.url()).pathname,
    kind,
    bytes: responseBodySize,
    askedAfterUsable: request.timing().startTime > usableAt,
  };
}
