import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

test('a person signs up, publishes a workflow, runs it and sees its history', async ({ page }) => {
  await page.goto('/signup');
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Full Name').fill('Priya Nair');
  await page.getByLabel('Email').fill('priya@haldenworks.example');
  await page.getByLabel('Password', { exact: true }).fill('a good secret');
  await page.getByRole('button', { name: 'Create Personal Account' }).click();

  await expect(page.getByRole('heading', { name: 'Workflow Editor' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\b/);
  await expect(page.getByText('Personal account')).toBeVisible();
  await expect(page.getByText('No workflows yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create New' }).click();
  await page.getByRole('link', { name: /Customer Onboarding/ }).click();

  await expect(page.getByLabel('Workflow Name')).toHaveValue('New Customer Onboarding Workflow');
  await page.getByLabel('Workflow Name').fill('Customer onboarding');
  const table = page.getByRole('grid');
  await table.getByRole('gridcell', { name: /Collect information/ }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Collect the facts');
  await page.keyboard.press('Enter');
  await expect(table.getByText('Collect the facts')).toBeVisible();
  await expect(page.getByText('Prev')).toBeVisible();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Workflow Saved')).toBeVisible();
  await expect(page).toHaveURL(/draftId=/);
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Start Run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start Workflow Run' });
  await dialog.getByLabel('Run Name').fill('Nordlicht GmbH');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Start Run' }).click();

  await expect(page).toHaveURL(/\/app\/runs\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'Nordlicht GmbH' })).toBeVisible();
  await expectAccessible(page);
  for (const step of ['Collect the facts', 'Validate data', 'Create account', 'Send welcome']) {
    const panel = page
      .getByRole('region', { name: 'Current Step(s) - Action Required' })
      .getByRole('article', { name: step });
    await expect(panel).toBeVisible();
    const approve = panel.getByRole('button', { name: 'Approve' });
    if (await approve.isVisible()) await approve.click();
    else {
      await panel.getByRole('textbox').first().fill(`${step}: done`);
      await panel.getByRole('button', { name: 'Complete' }).click();
    }
    await expect(panel).toBeHidden();
  }
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expectAccessible(page);

  await page.goto('/app/runs');
  const row = page.getByRole('row', { name: /Nordlicht GmbH/ });
  await expect(row).toContainText('Completed');
  await expect(row).toContainText('On track');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/app/runs');
  await expect(page).toHaveURL(/\/login/);
});
