import type { Page } from '@playwright/test';

export type Presses = { clicks: number; keys: number };

/**
 * Counts the pointer and key presses in a page that a user causes (trusted events). Returns a function that returns the
 * counts since its last call.
 */
export async function countPresses(page: Page): Promise<() => Presses> {
  let counted: Presses = { clicks: 0, keys: 0 };
  await page.exposeFunction('countPress', (kind: keyof Presses) => {
    counted[kind] += 1;
  });
  await page.addInitScript(`
    for (const [event, kind] of [['pointerdown', 'clicks'], ['keydown', 'keys']])
      addEventListener(event, ({ isTrusted }) => isTrusted && window.countPress(kind), { capture: true });`);
  return () => {
    const since = counted;
    counted = { clicks: 0, keys: 0 };
    return since;
  };
}

/** The estimated time of a job in seconds: 1.3 s per click, 0.2 s per key, 1.35 s per decision, without reading. */
export const estimatedSeconds = ({ clicks, keys, decisions }: Presses & { decisions: number }): number =>
  clicks * 1.3 + keys * 0.2 + decisions * 1.35;
