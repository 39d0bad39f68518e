import { type Page, expect, test } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';

/** Signs up a person, creates a live workflow and a run of it, and opens the list of runs. */
async function atRuns(page: Page): Promise<void> {
  const signUp = await page.request.post('/api/auth/signup', {
    data: {
      name: 'Priya Nair',
      email: `priya-${process.pid}-${Date.now()}@commands.example`,
      password: 'a good secret',
    },
  });
  const { token } = (await signUp.json()) as { token: string };
  const post = async <T>(path: string, data: object = {}): Promise<T> => {
    const answer = await page.request.post(path, { headers: { authorization: `Bearer ${token}` }, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as T;
  };
  const drafts = '/api/workflows/vendor-onboarding/drafts';
  const { draftId } = await post<{ draftId: string }>(drafts, {
    metadata: { title: 'Vendor onboarding' },
    steps: [{ id: 'ask', title: 'Ask the vendor', assignee: 'owner', sla: '4h' }],
  });
  await post(`${drafts}/${draftId}/merge`);
  await post('/api/runs', { key: 'vendor-onboarding', name: 'Nordlicht GmbH' });
  await page.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  await page.goto('/app/runs');
  await expect(page.getByRole('row', { name: /Nordlicht GmbH/ })).toBeVisible();
}

test('the command palette finds workflows, runs and commands, with the keyboard and on a phone', async ({ page }) => {
  await atRuns(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const field = palette.getByRole('combobox');
  await expect(field).toBeFocused();
  await expect(palette.getByRole('option', { name: /Nordlicht GmbH/ })).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.keyboard.type('vendor');
  await expect(palette.getByRole('status')).toHaveText('2 results');
  await page.keyboard.press('ArrowDown');
  await expect(palette.getByRole('option', { name: /Nordlicht GmbH/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/app\/runs\/[0-9a-f-]{36}$/);
  await expect(palette).toBeHidden();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark theme');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  // At the size of a phone, a button opens the palette, and a click chooses a result.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Search and commands' }).click();
  await field.fill('nothing like it');
  await expect(palette.getByRole('status')).toHaveText('Nothing found for “nothing like it”');
  await field.fill('vendor onb');
  await palette.getByRole('option', { name: /^Vendor onboarding/ }).click();
  await expect(page).toHaveURL(/\/app\/docs\/vendor-onboarding$/);
});

test('keyboard shortcuts are listed and open other screens, and single letters can be turned off', async ({ page }) => {
  await atRuns(page);
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByRole('heading', { level: 3 }).first()).toHaveText('Runs');
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();

  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page.getByRole('heading', { name: 'Workflow Management' })).toBeVisible();
  const search = page.getByRole('searchbox').first();
  await search.fill('');
  await search.pressSequentially('gr?/');
  await expect(search).toHaveValue('gr?/');
  await expect(page.getByRole('heading', { name: 'Workflow Management' })).toBeVisible();

  await page.goto('/app/settings/profile');
  await page.getByRole('checkbox', { name: /Single-letter shortcuts/ }).uncheck();
  await page.getByRole('heading', { name: 'Profile' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('?');
  await expect(page).toHaveURL(/\/app\/settings\/profile$/);
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeVisible();
});

test('the user menu has no accessibility violations and adds no landmark', async ({ page }) => {
  await atRuns(page);
  await page.getByRole('button', { name: 'Account and theme: Priya Nair' }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Menu' })).toHaveCount(0);
});
