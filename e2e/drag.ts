import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/**
 * Waits inside the page, so that timers that are due earlier have run. The drag library ignores clicks for 50 ms after
 * a drop.
 */
const afterTimers = (page: Page, ms: number): Promise<unknown> =>
  page.evaluate((wait) => new Promise((done) => setTimeout(done, wait)), ms);

/** Drags with the mouse to a vertical position in the target: `part` is 0 at its top and 1 at its bottom. */
export async function drag(page: Page, from: Locator, to: Locator, part: number): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error('nothing to drag');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2 + 12, { steps: 3 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height * part, { steps: 12 });
  await afterTimers(page, 150);
  await page.mouse.up();
  await afterTimers(page, 60);
}

/** Picks up the row whose drag handle has the focus. */
export async function pickUp(page: Page, title: string, place: string): Promise<void> {
  await page.keyboard.press('Space');
  await expect(page.getByText(new RegExp(`^Picked up ${title}, ${place}`))).toBeAttached();
}
