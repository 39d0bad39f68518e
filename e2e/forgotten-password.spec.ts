import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { linkInMailTo } from './mail.ts';

const IDA = { name: 'Ida Berg', email: 'ida.berg@nordlicht.example', old: 'the old secret', fresh: 'a fresh secret' };

test('a person resets a forgotten password by mail, which ends old sessions and the old password', async ({
  page,
  browser,
}) => {
  await page.goto('/signup');
  await page.getByLabel('Full Name').fill(IDA.name);
  await page.getByLabel('Email').fill(IDA.email);
  await page.getByLabel('Password', { exact: true }).fill(IDA.old);
  await page.getByRole('button', { name: 'Create Personal Account' }).click();
  await expect(page).toHaveURL(/\/app\b/);
  await expect(page.getByText('Personal account')).toBeVisible();
  await page.goto('/app/settings/profile');
  await expect(page.getByText('this browser', { exact: true })).toBeVisible();
  await expectAccessible(page);

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto('/login');
  await elsewhere.getByLabel('Email').fill(IDA.email);
  await elsewhere.getByLabel('Password', { exact: true }).fill('no idea');
  await elsewhere.getByRole('button', { name: 'Log in' }).click();
  await expect(elsewhere.getByRole('alert')).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Reset password' })).toBeVisible();
  await expect(elsewhere.getByLabel('Email')).toHaveValue(IDA.email);
  await elsewhere.getByRole('button', { name: 'Send reset link' }).click();
  await expect(elsewhere.getByText('If the email exists, we sent reset instructions.')).toBeVisible();
  await expectAccessible(elsewhere);

  const link = await linkInMailTo(IDA.email, /\/reset-password\?token=[\w-]{20,100}/);
  await elsewhere.goto(link);
  await elsewhere.getByLabel('New password', { exact: true }).fill(IDA.fresh);
  await elsewhere.getByLabel('Confirm new password').fill(IDA.fresh);
  await expectAccessible(elsewhere);
  await elsewhere.getByRole('button', { name: 'Set new password' }).click();
  await expect(elsewhere.getByText(/Your password was changed/)).toBeVisible();

  // The old session ends at its next call.
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);

  await elsewhere.getByLabel('Email').fill(IDA.email);
  await elsewhere.getByLabel('Password', { exact: true }).fill(IDA.old);
  await elsewhere.getByRole('button', { name: 'Log in' }).click();
  await expect(elsewhere.getByRole('alert')).toBeVisible();
  await elsewhere.getByLabel('Password', { exact: true }).fill(IDA.fresh);
  await elsewhere.getByRole('button', { name: 'Log in' }).click();
  await expect(elsewhere.getByText('Personal account')).toBeVisible();

  // A link works only once.
  const again = await (await browser.newContext()).newPage();
  await again.goto(link);
  await again.getByLabel('New password', { exact: true }).fill('one more secret');
  await again.getByLabel('Confirm new password').fill('one more secret');
  await again.getByRole('button', { name: 'Set new password' }).click();
  await expect(again.getByRole('link', { name: 'Request a new link' })).toBeVisible();
  await expectAccessible(again);
});
