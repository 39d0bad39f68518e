import type { BrowserContext, Page, Request } from '@playwright/test';
import type { Sample } from './web-routes.ts';

/** A page is settled once it has been usable and its thread free of long tasks for so long. */
const QUIET_MS = 500;
const PATIENCE_MS = 30_000;
const SLOWDOWN = 4;

/** `kind` as the page asked for it; bytes of the body as it came over the wire, compressed as the server sends it. */
export type Fetched = { path: string; kind: 'script' | 'stylesheet'; bytes: number; askedAfterUsable: boolean };
/** The sum of the layout shifts that nobody caused by a click or a key, and some of what moved. */
export type Shift = { sum: number; moved: readonly string[] };
export type Load = { usableMs: number; longTaskMs: number; shift: Shift; files: Fetched[] };

/** Opens an address in a page of its own, at a quarter of the processor's speed, and watches it until it has settled. */
export async function load(window: BrowserContext, url: string, { address, heading }: Sample): Promise<Load> {
  const page = await window.newPage();
  const answered: Request[] = [];
  page.on('requestfinished', (request) => answered.push(request));
  const session = await window.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript({ content: `probe.watchUsable(${JSON.stringify(heading)})` });
  await page.goto(url + address, { waitUntil: 'commit' });
  const settled = await untilSettled(page, address);
  // What is asked for at leisure is told apart, not overlooked.
  await page.waitForTimeout(QUIET_MS);
  const usableAt = settled.began + settled.usable;
  const files = (await Promise.all(answered.map((request) => fetched(request, usableAt)))).filter(
    (file) => file !== null,
  );
  const shift = await page.evaluate<Shift>('probe.shifted()');
  await page.close();
  return { usableMs: settled.usable, longTaskMs: settled.longTasks, shift, files };
}

type Settled = { usable: number; began: number; longTasks: number };
async function untilSettled(page: Page, address: string): Promise<Settled> {
  const began = Date.now();
  while (Date.now() - began < PATIENCE_MS) {
    const settled = await page.evaluate<Settled | null>(`probe.settled(${QUIET_MS})`);
    if (settled) return settled;
    await page.waitForTimeout(100);
  }
  const seen = await page.locator('body').innerText();
  throw new Error(`${address} was not usable within ${PATIENCE_MS / 1000} s; it says: ${seen.slice(0, 300)}`);
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
