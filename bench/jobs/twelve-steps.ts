import type { Page } from '@playwright/test';

/** Twelve steps as they are typed into the table: name, assignee, SLA and task. */
export const TWELVE_STEPS = [
  ['Receive the request', 'auto', '1h', 'Note who asks, what for and by when.'],
  ['Check the budget', 'system', '4h', 'Compare it with the plan of the team.'],
  ['Ask for three offers', 'editor', '2d', 'Describe the need in the same words.'],
  ['Compare the offers', 'editor', '1d', 'Price, delivery, warranty and risk.'],
  ['Approve the choice', 'reviewer', '2d 4h', 'Return it if an offer is missing.'],
  ['Check the supplier', 'system', '4h', 'Register, tax number and bank account.'],
  ['Draw up the order', 'editor', '4h', 'Use the terms of the framework.'],
  ['Sign the order', 'admin', '1d', 'Two signatures above the limit.'],
  ['Send the order', 'auto', '30m', 'Keep the confirmation of receipt.'],
  ['Receive the goods', 'editor', '5d', 'Count them and note any damage.'],
  ['Check the invoice', 'reviewer', '2d', 'It has to match order and delivery.'],
  ['Pay the invoice', 'system', '1d', 'Use the discount if there is one.'],
] as const;

/**
 * Types steps into a new workflow whose name has the focus. Returns the number of keys that this takes. Tab in the last
 * cell adds a step, so the table then has one more.
 */
export async function typeSteps(
  page: Page,
  steps: readonly (typeof TWELVE_STEPS)[number][] = TWELVE_STEPS,
): Promise<number> {
  let keys = 0;
  const type = async (text: string, end: 'Enter' | 'Tab') => {
    await page.keyboard.type(text);
    await page.keyboard.press(end);
    keys += text.length + 1;
  };
  await type('Purchase approval', 'Enter');
  for (const [at, [title, assignee, sla, task]] of steps.entries()) {
    // The first step already exists. Tab in the last cell adds each of the others.
    if (at > 0) await page.locator(`:focus[aria-label="Step ${at + 1}, name"]`).waitFor();
    // Tab completes an assignee to the first suggestion. `ed` would suggest a person's own address.
    for (const text of [title, assignee === 'editor' ? assignee : assignee.slice(0, 2), sla, task])
      await type(text, 'Tab');
  }
  return keys;
}
