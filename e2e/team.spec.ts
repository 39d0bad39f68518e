import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { linkInMailTo } from './mail.ts';

const MARA = { name: 'Mara Lindqvist', email: 'mara@fjordworks.example', password: 'three old oak trees' };
const GRETA = { name: 'Greta Holm', email: 'greta.holm@fjordworks.example', password: 'two green bottles' };

test('an owner signs up with a team, invites a member who joins, and manages members and organizations', async ({
  page,
  browser,
}) => {
  await page.goto('/signup');
  await page.getByRole('radio', { name: /Organization/ }).check();
  await page.getByLabel('Organization Name').fill('Fjord Works');
  await expect(page.getByLabel('Organization URL prefix')).toHaveValue('fjord-works');
  await expect(page.getByRole('status').filter({ hasText: 'fjord-works is free' })).toBeAttached();
  await expectAccessible(page);
  await page.getByLabel('Full Name').fill(MARA.name);
  await page.getByLabel('Email').fill(MARA.email);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.getByRole('button', { name: 'Create Organization Account' }).click();
  await expect(page.getByRole('button', { name: 'Organization: Fjord Works' })).toBeVisible();

  await page.getByRole('button', { name: `Account and theme: ${MARA.name}` }).click();
  await page.getByRole('menuitem', { name: 'Members' }).click();
  await expect(page.getByRole('row', { name: new RegExp(MARA.name) })).toContainText('You are the only owner');
  await expect(page.getByText('No pending invitations.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite to Fjord Works' });
  await dialog.getByLabel('Email').fill(GRETA.email);
  await dialog.getByLabel('Role').selectOption('Reviewer');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('button', { name: `Copy link for ${GRETA.email}` })).toBeVisible();
  await expectAccessible(page);

  const invitation = await linkInMailTo(GRETA.email, /\/invite\/[\w-]{20,100}/);
  // A person who is signed in with a different address sees a message.
  await page.goto(invitation);
  await expect(page.getByText(`This invitation is for ${GRETA.email}`)).toBeVisible();
  await expectAccessible(page);

  const other = await browser.newContext();
  const member = await other.newPage();
  await member.goto(invitation);
  await expect(member.getByRole('heading', { name: "You're Invited!" })).toBeVisible();
  await expect(member.getByLabel('Email')).toHaveValue(GRETA.email);
  await expectAccessible(member);
  await member.getByLabel('Full Name').fill(GRETA.name);
  await member.getByLabel('Password', { exact: true }).fill(GRETA.password);
  await member.getByLabel('Confirm Password').fill('something else');
  await member.getByRole('button', { name: 'Accept Invitation' }).click();
  await expect(member.getByText('Passwords do not match')).toBeVisible();
  await member.getByLabel('Confirm Password').fill(GRETA.password);
  await member.getByRole('button', { name: 'Accept Invitation' }).click();
  await expect(member.getByText("You've successfully joined Fjord Works")).toBeVisible();
  await expect(member.getByText('Account created successfully! Please log in.')).toBeVisible();
  await expect(member.getByLabel('Email')).toHaveValue(GRETA.email);
  await expectAccessible(member);
  await member.getByLabel('Password', { exact: true }).fill(GRETA.password);
  await member.getByRole('button', { name: 'Log in' }).click();
  await expect(member.getByRole('button', { name: 'Organization: Fjord Works' })).toBeVisible();
  await member.goto('/app/settings/members');
  await expect(member.getByText(`Ask ${MARA.name}.`)).toBeVisible();
  await expect(member.getByRole('button', { name: 'Invite' })).toBeHidden();

  // A link works only once.
  const third = await (await browser.newContext()).newPage();
  await third.goto(invitation);
  await expect(third.getByRole('heading', { name: /^Invitation Not Found/ })).toBeVisible();
  await expectAccessible(third);

  await page.goto('/app/settings/members');
  const row = page.getByRole('row', { name: new RegExp(GRETA.name) });
  await row.getByRole('button', { name: /role of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Admin' }).click();
  await expect(page.getByText(`${GRETA.name}’s role is now Admin.`)).toBeVisible();
  await member.reload();
  await expect(member.getByRole('button', { name: 'Invite' })).toBeVisible();

  // When one tab switches organizations, the other tab follows.
  const second = await page.context().newPage();
  await second.goto('/app/settings/organization');
  await expect(second.getByLabel('Required approvals')).toHaveValue('1');
  await expectAccessible(second);
  await page.getByRole('button', { name: 'Organization: Fjord Works' }).click();
  await page.getByRole('menuitem', { name: 'New organization' }).click();
  const fresh = page.getByRole('dialog', { name: 'New organization' });
  await fresh.getByLabel('Organization Name').fill('Fjord Labs');
  // Wait until the menu that opened the dialog is closed.
  await expect(page.getByRole('menu')).toBeHidden();
  await expectAccessible(page);
  await fresh.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByRole('button', { name: 'Organization: Fjord Labs' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/editor$/);
  await expect(second.getByRole('button', { name: 'Organization: Fjord Labs' })).toBeVisible();
  await expect(second).toHaveURL(/\/app\/editor$/);
  await second.getByRole('button', { name: 'Organization: Fjord Labs' }).click();
  await second.getByRole('menuitemradio', { name: 'Fjord Works' }).click();
  await expect(page.getByRole('button', { name: 'Organization: Fjord Works' })).toBeVisible();

  await page.goto('/app/settings/members');
  await page.getByRole('button', { name: `Remove ${GRETA.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Member removed')).toBeVisible();
  await member.goto('/app/runs');
  await expect(member.getByText('Fjord Works')).toBeHidden();
});
