import AxeBuilder from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

/** Fails if axe finds a violation of WCAG 2.2 AA, its best practices, or its experimental rules on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  // While elements fade in or switch themes, their colors aren't final, and such a transition may not start until the
  // next frame. Scroll-driven animations are ignored, because they never end.
  await page.evaluate(async () => {
    const running = () =>
      document
        .getAnimations()
        .filter(({ timeline }) => timeline === document.timeline)
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    do {
      await Promise.all(running().map((animation) => animation.finished.catch(() => undefined)));
      await frame();
      await frame();
    } while (running().length > 0);
  });
  const { violations } = await new AxeBuilder({ page })
    // In its normal mode, axe opens another page for each analysis, which is only needed for frames of other sites.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'])
    .analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  expect(found).toEqual([]);
}
