import { type Browser, type Locator, type Page, expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { drag, pickUp } from './drag.ts';

let people = 0;
const TYPES = ['manual', 'approval', 'automated', 'condition', 'notification'] as const;

/** Signs up a person and returns their page and session token. */
async function signedUp(browser: Browser): Promise<{ page: Page; token: string }> {
  const context = await browser.newContext();
  const email = `builder-${process.pid}-${(people += 1)}@haldenworks.example`;
  const answer = await context.request.post('/api/auth/signup', {
    data: { email, name: 'Priya Nair', password: 'a good secret' },
  });
  const { token } = (await answer.json()) as { token: string };
  await context.addInitScript((savedToken) => localStorage.setItem('stet_token', savedToken), token);
  return { page: await context.newPage(), token };
}

const step = (id: string, type: string, title: string, more: object = {}) => ({
  id,
  type,
  title,
  assignee: 'editor',
  sla: '1h',
  ...more,
});

async function makeWorkflow(page: Page, token: string, key: string, title: string, live: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const path = `/api/workflows/${key}/drafts`;
  const data = {
    metadata: { title, description: `${title}, as it is done.` },
    steps: [
      step('a', 'manual', 'Register', { next: ['b'] }),
      step('b', 'condition', 'Large?', {
        next: ['c', 'd'],
        config: { condition: 'true', trueNext: 'c', falseNext: 'd' },
      }),
      step('c', 'approval', 'Sign', { next: ['d'] }),
      step('d', 'notification', 'Tell finance', { next: [], config: { recipients: ['owner'] } }),
    ],
  };
  const made = (await (await page.request.post(path, { headers, data })).json()) as { draftId: string };
  if (!live) return;
  for (const act of ['submit', 'merge']) await page.request.post(`${path}/${made.draftId}/${act}`, { headers });
}

const table = (page: Page) => page.getByRole('grid', { name: 'Steps' });
const row = (page: Page, number: number) => table(page).getByRole('row').nth(number);
/** The cell that receives the row's focus. */
const cellOf = (of: Locator) => of.getByRole('gridcell').first();
const typesOf = (page: Page) => table(page).locator('[data-step] [data-step-type]').allTextContents();
const titlesOf = (page: Page) => table(page).locator('[data-title]').allTextContents();
const dialog = (page: Page) => page.getByRole('dialog');
const saveStep = async (page: Page) => {
  await dialog(page).getByRole('button', { name: 'Save step' }).click();
  await expect(dialog(page)).toBeHidden();
};
const palette = (page: Page, type: string) => page.getByRole('button', { name: `Add ${type} step` });

/** The workflow's saved steps, read through the API. */
async function savedSteps(page: Page, token: string, key: string) {
  const answer = await page.request.get(`/api/workflows/${key}`, { headers: { authorization: `Bearer ${token}` } });
  return (
    (await answer.json()) as {
      steps: { id: string; type: string; title: string; next: string[]; config: Record<string, unknown> }[];
    }
  ).steps;
}

test('a workflow with all five types is built from scratch with the mouse', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.goto('/app/workflows');
  await page.getByRole('button', { name: 'Create Your First Workflow' }).click();
  await expect(page.getByText('No steps yet')).toBeVisible();
  await page.getByLabel('Workflow title').fill('Built by mouse');

  await drag(page, palette(page, 'manual'), table(page), 0.5);
  await expect.poll(() => typesOf(page)).toEqual(['manual']);
  await palette(page, 'notification').click();
  // One type is dropped on the upper half of the second row, the next on the lower half of the first row.
  await drag(page, palette(page, 'condition'), row(page, 2), 0.2);
  await expect.poll(() => typesOf(page)).toEqual(['manual', 'condition', 'notification']);
  await drag(page, palette(page, 'automated'), row(page, 1), 0.8);
  await palette(page, 'approval').click();
  await expect.poll(() => typesOf(page)).toEqual(['manual', 'automated', 'condition', 'notification', 'approval']);
  // A drop outside the table has no effect.
  await drag(page, palette(page, 'manual'), page.getByLabel('Workflow title'), 0.5);
  await expect(table(page).locator('[role="row"][data-step]')).toHaveCount(5);
  await drag(
    page,
    page.getByRole('button', { name: 'Move step 5', exact: true }),
    page.getByRole('button', { name: 'Move step 4', exact: true }),
    0.3,
  );
  await expect.poll(() => typesOf(page)).toEqual(['manual', 'automated', 'condition', 'approval', 'notification']);

  for (const [at, title] of ['Collect', 'Check', 'Large?', 'Sign', 'Tell finance'].entries()) {
    await page.getByRole('button', { name: `Edit step ${at + 1}` }).click();
    await dialog(page).getByLabel('Title', { exact: true }).fill(title);
    await saveStep(page);
  }
  await page.getByRole('button', { name: 'Edit step 3' }).click();
  await dialog(page).getByLabel('If true, go to').selectOption({ label: '4 Sign' });
  await dialog(page).getByLabel('If false, go to').selectOption({ label: '5 Tell finance' });
  await expectAccessible(page);
  await saveStep(page);
  await expect(row(page, 3)).toContainText('Yes → 4 Sign · No → 5 Tell finance');
  await expect(page.locator('footer[data-edge="foot"]')).toContainText('5 steps5 connectionsno version yet');

  await page.getByRole('button', { name: 'Save Workflow' }).click();
  await expect(page.getByText('Workflow saved successfully')).toBeVisible();
  await expect(page).toHaveURL(/builder=edit&key=built-by-mouse&draftId=/);
  const saved = await savedSteps(page, token, 'built-by-mouse');
  expect(saved.map(({ id }) => id)).toEqual(['collect', 'check', 'large', 'sign', 'tell-finance']);
  // The rows keep their measured heights, although the save changed their ids.
  const edges = await page
    .locator('[role="row"][data-step]')
    .evaluateAll((rows) => rows.map((each) => [each.getBoundingClientRect().top, each.getBoundingClientRect().bottom]));
  for (const [at, [top = 0]] of edges.slice(1).entries()) expect(top).toBeGreaterThanOrEqual((edges[at]?.[1] ?? 0) - 1);
  expect(saved.map(({ type }) => type)).toEqual(['manual', 'automated', 'condition', 'approval', 'notification']);
  expect(saved[2]?.next).toEqual([saved[3]?.id, saved[4]?.id]);
  expect(saved[2]?.config).toMatchObject({ trueNext: saved[3]?.id, falseNext: saved[4]?.id });
  await page.reload();
  await expect.poll(() => titlesOf(page)).toEqual(['Collect', 'Check', 'Large?', 'Sign', 'Tell finance']);
  await page.getByRole('button', { name: 'Diagram' }).click();
  await expect(page.getByRole('region', { name: 'Diagram' })).toBeVisible();
  await expectAccessible(page);
});

/** Presses Tab until `target` has the focus, as a person without a mouse would. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${String(target)} can’t be reached with ${key}`);
}

test('the same workflow is built with the keyboard alone', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/app/workflows');
  const create = page.getByRole('button', { name: 'Create Workflow' });
  await expect(create).toBeVisible();
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  // The name has the focus when the builder opens.
  await expect(page.getByLabel('Workflow title')).toBeFocused();
  await page.keyboard.type('Built by keys');
  for (const type of TYPES) {
    const isFirst = type === TYPES[0];
    // Tabs from the name to the palette, and from the new row back to it.
    await tabTo(page, palette(page, type), isFirst ? 'Tab' : 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(cellOf(table(page).getByRole('row', { selected: true }))).toBeFocused();
  }
  expect(await typesOf(page)).toEqual([...TYPES]);

  await page.keyboard.press('Home');
  for (const title of ['Collect', 'Sign', 'Check', 'Large?', 'Tell finance']) {
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('Title', { exact: true })).toBeFocused();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeHidden();
    await expect(cellOf(table(page).getByRole('row', { selected: true }))).toBeFocused();
    await page.keyboard.press('ArrowDown');
  }
  // Alt+ArrowDown moves the approval below the script, Ctrl+Z undoes that, and Ctrl+Shift+Z redoes it.
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByText('Sign moved to position 3 of 5.')).toBeAttached();
  await page.keyboard.press('Control+z');
  await expect.poll(() => titlesOf(page)).toEqual(['Collect', 'Sign', 'Check', 'Large?', 'Tell finance']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => titlesOf(page)).toEqual(['Collect', 'Check', 'Sign', 'Large?', 'Tell finance']);
  // Each row has a drag handle, which is the first tab stop after the row.
  await expect(cellOf(row(page, 3))).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Move step 3', exact: true })).toBeFocused();
  await pickUp(page, 'Sign', 'position 3 of 5');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^Move cancelled. Sign is back at position 3 of 5/)).toBeAttached();

  // The condition moves above the approval, so that its branches can lead to the approval or past it. Typing selects an
  // option in a list.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => titlesOf(page)).toEqual(['Collect', 'Check', 'Large?', 'Sign', 'Tell finance']);
  await expect(cellOf(row(page, 3))).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Title', { exact: true })).toBeFocused();
  await tabTo(page, dialog(page).getByRole('combobox', { name: 'Value', exact: true }));
  await page.keyboard.type('prio');
  await expect(page.getByRole('option', { name: 'Priority' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog(page).getByLabel('Compare with'));
  await page.keyboard.type('high');
  for (const [label, target] of [
    ['If true, go to', '4 Sign'],
    ['If false, go to', '5 Tell finance'],
  ] as const) {
    const list = dialog(page).getByLabel(label);
    await expect(list).toBeVisible();
    await tabTo(page, list);
    await page.keyboard.type(target.slice(0, 1));
    await expect(list.locator('option:checked')).toHaveText(target);
  }
  await tabTo(page, dialog(page).getByRole('button', { name: 'Save step' }));
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();
  await expect(row(page, 3)).toContainText('Yes → 4 Sign · No → 5 Tell finance');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Workflow saved successfully')).toBeVisible();
  const saved = await savedSteps(page, token, 'built-by-keys');
  expect(saved.map(({ type }) => type)).toEqual(['manual', 'automated', 'condition', 'approval', 'notification']);
  expect(saved[2]?.config).toEqual({
    condition: 'run.priority = "high"',
    trueNext: saved[3]?.id,
    falseNext: saved[4]?.id,
  });
  await expectAccessible(page);
});

test('view mode allows no changes', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await makeWorkflow(page, token, 'viewed', 'Only to look at', true);
  const before = await savedSteps(page, token, 'viewed');
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
  });
  await page.goto('/app/workflows');
  await page.getByRole('button', { name: 'View Only to look at' }).click();
  await expect(row(page, 2)).toContainText('Yes → 3 Sign · No → 4 Tell finance');
  await expect(page.getByRole('complementary', { name: 'Step types' })).toBeHidden();
  await expect(page.getByRole('button', { name: /^(?:Move|Remove|Duplicate) step/ })).toHaveCount(0);
  await row(page, 1).focus();
  for (const key of ['Delete', 'Backspace', 'Alt+ArrowDown', 'Control+s', 'Control+z']) await page.keyboard.press(key);
  await row(page, 1).press('Enter');
  await expect(dialog(page).getByLabel('Title')).toBeVisible();
  for (const control of await dialog(page).locator('input, textarea, select').all())
    await expect(control).not.toBeEditable();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.getByLabel('Workflow title').pressSequentially('x');
  expect(await titlesOf(page)).toEqual(['Register', 'Large?', 'Sign', 'Tell finance']);
  await page.locator('footer[data-edge="foot"]').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { name: 'Workflow Management' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'View Only to look at' })).toBeFocused();
  expect(writes).toEqual([]);
  expect(await savedSteps(page, token, 'viewed')).toEqual(before);
});

test('workflows are searched, filtered, duplicated and deleted', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await makeWorkflow(page, token, 'vendor', 'Vendor onboarding', true);
  await makeWorkflow(page, token, 'refund', 'Возврат денег', false);
  await page.goto('/app/workflows');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Filter by status' })).toHaveText(
    '2Total1Draft0In Review1Live0Archived',
  );
  await page.getByPlaceholder('Search title or key').fill('ВОЗВРАТ');
  await expect(cards).toHaveCount(1);
  await page.getByPlaceholder('Search title or key').fill('no such thing');
  await expect(page.getByText('No workflows found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filter' }).click();
  await page.getByRole('button', { name: /Live$/ }).click();
  await expect(cards).toHaveCount(1);
  await expect(page).toHaveURL(/status=live/);

  await page.getByRole('button', { name: 'Duplicate Vendor onboarding' }).click();
  await expect(page.getByLabel('Workflow title')).toHaveValue('Vendor onboarding (Copy)');
  await expect(page.getByLabel('Workflow key')).toHaveValue('vendor-copy');
  await page.getByRole('button', { name: 'Save Workflow' }).click();
  await expect(page.getByText('Workflow saved successfully')).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: /Total$/ }).click();
  await expect(cards).toHaveCount(3);

  await page.getByRole('button', { name: 'Delete Vendor onboarding', exact: true }).click();
  await expect(dialog(page)).toContainText('it will be archived');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Delete and archive' }).click();
  await expect(page.getByText('Workflow Deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Возврат денег' }).click();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Filter by status' })).toHaveText(
    '2Total1Draft0In Review0Live1Archived',
  );
  await page.getByLabel('Status', { exact: true }).selectOption('Archived');
  await expect(cards).toHaveCount(1);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

test('leaving with unsaved changes shows a warning', async ({ browser }) => {
  const { page } = await signedUp(browser);
  await page.goto('/app/workflows');
  await page.getByRole('button', { name: 'Create Workflow' }).click();
  await page.getByLabel('Workflow title').fill('Half');
  const asked = dialog(page).getByText('You have unsaved changes. Are you sure you want to go back?');
  await page.goBack();
  await expect(asked).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Workflow title')).toHaveValue('Half');
  await page.locator('footer[data-edge="foot"]').getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Workflow Management' })).toBeVisible();
});
