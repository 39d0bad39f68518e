import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

test('a visitor joins the waitlist and applies for the priority list, using only the keyboard', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Stop Drawing. Start Documenting. – Stet');
  await expect(page.getByText('People are on waitlist')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Get early access' }).press('Enter');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Get early access' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('mara.lindqvist');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('@haldenworks.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/priority-apply?email=mara.lindqvist%40haldenworks.example');
  await expect(page.getByRole('heading', { name: 'Apply for Priority Access' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Email')).toHaveValue('mara.lindqvist@haldenworks.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Question 2 of 8')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('4');
  await expect(page.getByRole('radio', { name: 'Process Owner' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Question 3 of 8')).toBeVisible();
  await page.keyboard.type('138');
  await page.keyboard.type('SharePoint lists');
  await expectAccessible(page);

  await page.reload();
  await expect(page.getByText('Question 3 of 8')).toBeVisible();
  await expect(page.getByLabel('Which other tool?')).toHaveValue('SharePoint lists');
  await page.goBack();
  await expect(page.getByText('Question 2 of 8')).toBeVisible();
  await page.goForward();
  await expect(page.getByText('Question 3 of 8')).toBeVisible();
  for (const question of [4, 5, 6, 7, 8]) {
    await page.keyboard.press('Enter');
    await expect(page.getByText(`Question ${question} of 8`)).toBeVisible();
    await expectAccessible(page);
  }
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('the badge counts each person only once', async ({ page }) => {
  const join = async (email: string) => {
    await page.getByRole('button', { name: 'Get early access' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await page.getByRole('button', { name: 'Maybe later' }).click();
  };
  const badge = page.getByRole('paragraph').filter({ hasText: 'People are on waitlist' });
  // The page shows no numbers below 25.
  await page.route('**/api/waitlist/count', async (route) => {
    const response = await route.fetch();
    const { count } = (await response.json()) as { count: number };
    await route.fulfill({ response, json: { count: count + 100 } });
  });
  await page.goto('/');
  await expect(badge).toContainText(/\d/);
  const before = Number.parseInt((await badge.innerText()).replaceAll(/\D/g, ''), 10);
  await join('tomas@haldenworks.example');
  await expect(badge).toContainText(`${before + 1}`);
  await join('Tomas@haldenworks.example ');
  await page.reload();
  await expect(badge).toContainText(`${before + 1}`);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`on a phone in ${colorScheme} mode, nothing is cut off and the layout doesn’t shift`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) shifts.push(Number(entry.value));
        }
      }).observe({ type: 'layout-shift', buffered: true });
      Object.assign(window, { shifts });
    });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    await page.goto('/');
    await expect(page.getByText('People are on waitlist')).toBeVisible();
    await expectAccessible(page);
    expect(await fits()).toBe(true);
    expect(await page.evaluate(() => ('shifts' in window ? window.shifts : null))).toEqual([]);
    await page.goto('/priority-apply?email=mara%40haldenworks.example');
    await page.getByRole('button', { name: 'Start Application' }).tap();
    await page.getByRole('button', { name: 'Continue' }).tap();
    await page.getByText('Knowledge Manager / Knowledge Base Admin').tap();
    await expect(page.getByRole('button', { name: 'Continue' })).toBeInViewport();
    await page.getByRole('button', { name: 'Continue' }).tap();
    await expect(page.getByText('Question 3 of 8')).toBeInViewport();
    await expectAccessible(page);
    expect(await fits()).toBe(true);
    await context.close();
  });
}
