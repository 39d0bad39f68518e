import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

test('the first-steps checklist leads a new person from an empty account to a first run', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Full Name').fill('Ada Winter');
  await page.getByLabel('Email').fill('ada.winter@haldenworks.example');
  await page.getByLabel('Password', { exact: true }).fill('a good secret');
  await page.getByRole('button', { name: 'Create Personal Account' }).click();

  const steps = page.getByRole('region', { name: 'Get started' });
  const toSteps = () => page.getByRole('link', { name: 'Editor', exact: true }).first().click();
  await expect(steps.getByText('0 of 3 done')).toBeVisible();
  await expectAccessible(page);
  await steps.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByRole('link', { name: /Customer Onboarding/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Workflow Saved', { exact: true })).toBeVisible();

  await toSteps();
  await expect(steps.getByText('1 of 3 done')).toBeVisible();
  await steps.getByRole('link', { name: 'Open the draft' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await toSteps();
  await expect(steps.getByText('2 of 3 done')).toBeVisible();
  await expectAccessible(page);
  await steps.getByRole('link', { name: 'Start a run' }).click();
  await expect(page).toHaveURL(/\/app\/workflows\/run\/[^/]+\/[0-9a-f-]{36}$/);

  await toSteps();
  await expect(page.getByRole('listitem', { name: /Customer Onboarding/ })).toBeVisible();
  await expect(steps).toBeHidden();
});
