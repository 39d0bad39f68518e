import { type Page, expect } from '@playwright/test';
import axe from 'axe-core';

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'];
/** The rules whose result depends on colors. */
const COLORS: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const OPTIONS: axe.RunOptions = {
  // Describing the elements that comply takes more time than all checks.
  resultTypes: ['violations'],
};

/** Fails if axe finds a violation of WCAG 2.2 AA, its best practices, or its experimental rules on the current page. */
export async function expectAccessible(page: Page, runOnly: axe.RunOnly | string[] = ALL): Promise<void> {
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
  // A page keeps axe until it is left.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axe.source);
  const found = await page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    { ...OPTIONS, runOnly },
  );
  expect(found).toEqual([]);
}

/** The same in the dark and in the light theme, which differ only in their colors. Leaves the page in the light theme. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, COLORS);
}
