import type { Page } from '@playwright/test';
import { type Account, draftOf } from './prepared-draft.ts';

/** Creates a draft with `count` steps. Returns its address in the editor. */
export async function draftInEditor(url: string, account: Account, count: number): Promise<string> {
  const steps = Array.from({ length: count }, (_, index) => ({
    id: `step-${index}`,
    title: `Step number ${index + 1}`,
    assignee: index % 3 === 0 ? 'priya.nair@example.com' : 'auto',
    sla: `${(index % 20) + 1} hours`,
    description: `Do the work of step ${index + 1}, and record who did it.`,
  }));
  const draftId = await draftOf(account, 'long', { title: 'A long workflow', steps });
  return `${url}/app/editor?key=long&mode=edit&draftId=${draftId}`;
}

export async function openEditor(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('gridcell', { name: /Step number 1$/ }).waitFor();
  await page.waitForTimeout(1000);
}

/** Returns the time from each key press that commits a cell edit to the next paint. */
export async function commitTimes(page: Page, edits: number): Promise<number[]> {
  await page.evaluate('probe.takePaints(), probe.watchCommits()');
  for (let edit = 0; edit < edits; edit++) {
    const row = edit % 8;
    await page.locator(`[role="row"][data-step="step-${row}"] [aria-colindex="3"]`).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`Edited ${edit}`);
    await page.waitForTimeout(60);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(120);
  }
  return page.evaluate<number[]>('probe.takePaints()');
}
