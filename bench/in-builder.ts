import type { Page } from '@playwright/test';
import { clickToPaint } from './browser.ts';
import { draftOf, type Account } from './prepared-draft.ts';

const TYPES = ['manual', 'approval', 'automated', 'condition', 'notification'] as const;

/**
 * Creates a draft with `count` steps of all types, one after another. Every fifth step is a condition, whose second
 * branch skips a step. Returns its address.
 */
export async function draftInBuilder(url: string, account: Account, count: number): Promise<string> {
  const steps = Array.from({ length: count }, (_, index) => {
    const type = TYPES[index % TYPES.length];
    const [next, further] = [`step-${index + 1}`, `step-${index + 2}`];
    const decides = type === 'condition' && index + 2 < count;
    return {
      id: `step-${index}`,
      type,
      title: `Step number ${index + 1}`,
      assignee: index % 3 === 0 ? 'priya.nair@example.com' : 'reviewer',
      sla: `${(index % 20) + 1} hours`,
      description: `Do the work of step ${index + 1}, and record who did it.`,
      next: index + 1 === count ? [] : decides ? [next, further] : [next],
      ...(decides && { config: { condition: 'run.priority = "high"', trueNext: next, falseNext: further } }),
    };
  });
  const draftId = await draftOf(account, 'mixed', { title: 'Steps of all types', steps });
  return `${url}/app/workflows?builder=edit&key=mixed&draftId=${draftId}`;
}

export async function openBuilder(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Edit step 1', exact: true }).waitFor();
  await page.waitForTimeout(3000);
}

/** Returns the time from each click that adds a step at the end to the paint that shows the step. */
export async function addingTimes(page: Page, times: number): Promise<number[]> {
  const paints: number[] = [];
  for (let n = 0; n < times; n++) {
    const rows = Number(await page.locator('[role="grid"]').getAttribute('aria-rowcount'));
    const add = page.getByRole('button', { name: `Add ${TYPES[n % TYPES.length]} step` });
    paints.push(await clickToPaint(page, add, `[role="row"][aria-rowindex="${rows + 1}"]`));
  }
  return paints;
}

/** Scrolls a row into view. Numbers start at 1. */
export async function showRow(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: 'Edit step' }).first().focus();
  await page.keyboard.press('Home');
  let row = 1;
  for (; row + 10 <= number; row += 10) await page.keyboard.press('PageDown');
  for (; row < number; row++) await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: `Edit step ${number}`, exact: true }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(400);
}

/** Returns the time from each click that duplicates a visible row to the paint that shows its copy. */
export async function duplicatingTimes(page: Page, number: number, times: number): Promise<number[]> {
  const paints: number[] = [];
  for (let n = 0; n < times; n++) {
    const rows = Number(await page.locator('[role="grid"]').getAttribute('aria-rowcount'));
    const duplicate = page.getByRole('button', { name: `Duplicate step ${number}`, exact: true });
    paints.push(await clickToPaint(page, duplicate, `[role="grid"][aria-rowcount="${rows + 1}"]`));
  }
  return paints;
}
