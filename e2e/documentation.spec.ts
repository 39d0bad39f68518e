import { readFileSync } from 'node:fs';
import { type Browser, type Page, expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

let people = 0;

/** Signs up a person with a personal account and returns their page and session token. */
async function signedUp(
  browser: Browser,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; token: string }> {
  const context = await browser.newContext({ colorScheme });
  const email = `reader-${process.pid}-${(people += 1)}@haldenworks.example`;
  const answer = await context.request.post('/api/auth/signup', {
    data: { email, name: 'Priya Nair', password: 'a good secret' },
  });
  const { token } = (await answer.json()) as { token: string };
  await context.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  return { page: await context.newPage(), token };
}

type Step = { id: string; title: string; description?: string };

async function publish(page: Page, token: string, key: string, title: string, steps: Step[]): Promise<void> {
  const call = async (path: string, data?: object): Promise<{ draftId: string }> => {
    const answer = await page.request.post(`/api/workflows/${key}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(data && { data }),
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as { draftId: string };
  };
  const { draftId } = await call('/drafts', { metadata: { title, description: 'How it is done.' }, steps });
  await call(`/drafts/${draftId}/submit`);
  await call(`/drafts/${draftId}/merge`);
}

const PARCEL: Step[] = [
  {
    id: 'weigh',
    title: 'Weigh the parcel',
    description: 'On the **hydraulic** scale:\n\n1. zero it\n2. read it twice',
  },
  { id: 'stamp', title: 'Stamp it' },
];
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test('a procedure is found by its text, changed, published, rolled back with a reason, read and exported', async ({
  browser,
}) => {
  const { page, token } = await signedUp(browser);
  await publish(page, token, 'parcels', 'Send a parcel', PARCEL);
  await publish(page, token, 'letters', 'Send a letter', [{ id: 'fold', title: 'Fold it' }]);

  await page.goto('/app/editor');
  await page.getByRole('link', { name: 'Documentation' }).first().click();
  await expect(row(page, 'Send a letter')).toBeVisible();
  await expectAccessible(page);
  await page.getByPlaceholder('Search name or key').fill('hydraul');
  await expect(page.getByRole('link', { name: 'Step 1 Weigh the parcel' })).toBeVisible();
  await expect(row(page, 'Send a letter')).toBeHidden();
  await expect(page).toHaveURL(/q=hydraul/);
  await expectAccessible(page);

  await row(page, 'Send a parcel').getByRole('button', { name: 'View' }).click();
  const panel = page.getByRole('complementary', { name: 'Send a parcel' });
  await expect(panel.getByRole('link', { name: 'v1' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Rollback to v1' })).toHaveAttribute(
    'title',
    'This version is already live',
  );
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Change in editor' }).click();
  await expect(page.getByText('Draft created. Opening editor...')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/editor\?key=parcels&draftId=/);
  await expect(page.getByLabel('Description')).toHaveValue('How it is done. (copy for changes)');
  await page.getByLabel('Workflow Name').fill('Send a heavy parcel');
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('v2 is live')).toBeVisible();

  // The link to the workflow opens its panel again.
  await page.goto('/app/docs?key=parcels');
  const heavy = page.getByRole('complementary', { name: 'Send a heavy parcel' });
  await heavy.getByRole('button', { name: 'Rollback to v1' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(
    'Rollback Send a heavy parcel to version 1? This will replace the current live version.',
  );
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('The name frightened people');
  await dialog.getByRole('button', { name: 'Rollback' }).click();
  await expect(page.getByText('Rolled back', { exact: true })).toBeVisible();
  await expect(row(page, 'Send a parcel')).toContainText('v1');
  const events = await page.request.get('/api/audit/events?action=version.rolled_back', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await events.text()).toContain('The name frightened people');

  await page.getByRole('complementary').getByRole('link', { name: 'Read' }).click();
  const article = page.getByRole('article', { name: 'Send a parcel' });
  await expect(article.getByRole('heading', { name: 'Step 1: Weigh the parcel' })).toBeVisible();
  await expect(article.getByText('hydraulic')).toHaveCSS('font-weight', /^[67]\d\d$/);
  await expect(article.getByRole('listitem').filter({ hasText: 'read it twice' }).last()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Version' }).selectOption({ label: await optionOf(page, /^v2/) });
  await expect(page.getByText(/no longer live/)).toBeVisible();
  await page.getByRole('link', { name: 'Read v1, the live version' }).click();
  await expect(page).toHaveURL(/\/app\/docs\/parcels$/);

  const [markdown] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Markdown' }).click(),
  ]);
  expect(markdown.suggestedFilename()).toBe('parcels-v1.md');
  const text = readFileSync(await markdown.path(), 'utf8');
  expect(text).toContain('# Send a parcel');
  expect(text).toContain('### 1. Weigh the parcel');
  expect(text).toContain('On the **hydraulic** scale');
  const [paper] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PDF' }).click()]);
  expect(paper.suggestedFilename()).toBe('parcels-v1.pdf');
  expect(
    readFileSync(await paper.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  // In print, only the document is shown, without the app.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'PDF' })).toBeHidden();
  await expect(article).toBeVisible();
});

/** The text of the only option that matches. */
async function optionOf(page: Page, words: RegExp): Promise<string> {
  const options = page.getByRole('combobox', { name: 'Version' }).getByRole('option');
  await expect(options.filter({ hasText: words })).toHaveCount(1);
  return (await options.filter({ hasText: words }).textContent()) ?? '';
}

test('the documentation list works with the keyboard, in dark mode', async ({ browser }) => {
  const { page, token } = await signedUp(browser, 'dark');
  await publish(page, token, 'parcels', 'Send a parcel', PARCEL);
  await publish(page, token, 'letters', 'Send a letter', [{ id: 'fold', title: 'Fold it' }]);
  await page.goto('/app/docs');
  await expect(row(page, 'Send a parcel')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('complementary', { name: 'Send a letter' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('complementary', { name: 'Send a parcel' })).toBeVisible();
  await expect(page).toHaveURL(/key=parcels/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('complementary')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Send a parcel' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'Send a parcel' })).toBeVisible();
  await expectAccessible(page);
});

test('on a phone, the panel fills the screen and the document is no wider than the screen', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.setViewportSize({ width: 390, height: 844 });
  await publish(page, token, 'parcels', 'Send a parcel', PARCEL);
  await page.goto('/app/docs');
  await row(page, 'Send a parcel').click();
  const panel = page.getByRole('complementary', { name: 'Send a parcel' });
  await expect(panel.getByRole('button', { name: 'More actions' })).toBeVisible();
  await expect.poll(async () => (await panel.boundingBox())?.height).toBe(844);
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'Read' }).click();
  await expect(page.getByRole('article', { name: 'Send a parcel' })).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('the older client’s page shows a draft’s changes, adds a comment and exports YAML', async ({ browser }) => {
  for (const scheme of ['light', 'dark'] as const) {
    const { page } = await signedUp(browser, scheme);
    await page.goto('/app/legacy-workflows');
    await page.getByRole('button', { name: 'Create sample draft' }).click();
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Sample workflow' }) });
    await item.getByRole('button', { name: /^Diff/ }).click();
    await expect(item.getByText('3 added, 0 removed, 0 modified')).toBeVisible();
    await item.getByRole('button', { name: /^Comment/ }).click();
    await expect(item.getByText('Approvals 0, comments 1')).toBeVisible();
    await page.getByRole('button', { name: 'Export YAML' }).click();
    await expect(page.getByLabel('YAML text')).toHaveValue(/title: Collect the request/);
    await expectAccessible(page);
  }
});
