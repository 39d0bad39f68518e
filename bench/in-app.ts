import type { BrowserContext, Page } from '@playwright/test';
import { SLOWDOWN } from './first-load.ts';

const TIMES = 5;
/** Within this time, everything that an input causes is painted. */
const REST_MS = 900;

/** Addresses in the demo for someone with tasks; `editor` is a draft of 100 steps. */
type Addresses = { tasks: string; runs: string; tokens: string; editor: string };
export type Interaction = { name: string; times: number[] };

type Act = {
  name: string;
  at: keyof Addresses;
  /** Prepares the page for the act; not measured. */
  before?: (page: Page, n: number) => Promise<unknown>;
  act: (page: Page, n: number) => Promise<unknown>;
};

const go = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).first().click();
const cell = (page: Page, n: number) => page.locator('[role="row"][data-step] [aria-colindex="3"]').nth(n);

const ACTS: readonly Act[] = [
  {
    name: 'a list opened by its tab',
    at: 'tasks',
    before: (page) => go(page, 'My tasks'),
    act: (page) => go(page, 'Runs'),
  },
  {
    name: 'a run selected in the list',
    at: 'runs',
    act: (page, n) => page.locator('tr[data-run-id]').nth(n).click(),
  },
  {
    name: 'a task selected, with its form',
    at: 'tasks',
    act: (page, n) =>
      page
        .locator('[data-task-id]')
        .nth((n + 1) % 2)
        .click(),
  },
  {
    name: 'a character typed into a task’s form',
    at: 'tasks',
    before: async (page, n) => {
      if (n === 0) await page.locator('[data-task-id]').first().click();
      await page.getByRole('main').getByRole('textbox').first().focus();
    },
    act: (page) => page.keyboard.press('x'),
  },
  {
    name: 'a dialog opened',
    at: 'tokens',
    before: async (page) => (await page.getByRole('dialog').count()) > 0 && page.keyboard.press('Escape'),
    act: (page) =>
      page
        .getByRole('button', { name: /^(New|Create) .*token/i })
        .first()
        .click(),
  },
  {
    name: 'the palette opened',
    at: 'tasks',
    before: async (page) => (await page.getByRole('dialog').count()) > 0 && page.keyboard.press('Escape'),
    act: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'a character typed into the palette',
    at: 'tasks',
    before: async (page) => (await page.getByRole('dialog').count()) === 0 && page.keyboard.press('Control+k'),
    act: (page, n) => page.keyboard.press('vendor'.charAt(n)),
  },
  {
    name: 'a cell opened in the editor, 100 steps',
    at: 'editor',
    before: (page) => page.keyboard.press('Escape'),
    act: (page, n) => cell(page, n).click(),
  },
  {
    name: 'a character typed into a cell',
    at: 'editor',
    before: (page) => cell(page, 1).click(),
    act: (page) => page.keyboard.press('x'),
  },
  {
    name: 'a cell committed',
    at: 'editor',
    before: async (page, n) => {
      await cell(page, n).click();
      await page.keyboard.type('Changed');
    },
    act: (page) => page.keyboard.press('Enter'),
  },
];

/**
 * Returns the time from each input to the next paint, in milliseconds at a quarter of the CPU’s speed, after one
 * warm-up.
 */
export async function interactionTimes(window: BrowserContext, addresses: Addresses): Promise<Interaction[]> {
  const measured: Interaction[] = [];
  for (const { name, at, before, act } of ACTS) {
    const page = await window.newPage();
    await page.goto(addresses[at]);
    await page.getByRole('heading', { level: 1 }).or(page.getByLabel('Workflow title')).first().waitFor();
    await page.waitForTimeout(2000);
    const session = await window.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const times: number[] = [];
    for (let n = 0; n <= TIMES; n++) {
      await before?.(page, n);
      await page.waitForTimeout(REST_MS);
      await page.evaluate('probe.takeInteractions()');
      await act(page, n);
      await page.waitForTimeout(REST_MS);
      const found = await page.evaluate<number[]>('probe.takeInteractions()');
      // The first input may still load code. The browser reports nothing below 16 ms.
      if (n > 0) times.push(Math.max(16, ...found));
    }
    measured.push({ name, times });
    await page.close();
  }
  return measured;
}
