import { type Browser, type Page, expect, test } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { linkInMailTo } from './mail.ts';

const PASSWORD = 'a good secret';
const addressOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}-news-${process.pid}@haldenworks.example`;

/** Ellen, who owns a team, and Priya, an editor she invited, each in a separate browser. */
async function twoPeople(browser: Browser): Promise<{ ellen: Page; priya: Page }> {
  const { request } = await browser.newContext();
  const made = await request.post('/api/auth/signup', {
    data: {
      email: addressOf('Ellen Park'),
      name: 'Ellen Park',
      password: PASSWORD,
      accountType: 'organization',
      organizationName: 'Halden News',
      organizationSlug: `halden-news-${process.pid}`,
    },
  });
  const { token, user } = (await made.json()) as { token: string; user: { currentOrgId: string } };
  const invited = await request.post(`/api/organizations/${user.currentOrgId}/invitations`, {
    headers: { authorization: `Bearer ${token}` },
    data: { email: addressOf('Priya Nair'), role: 'editor' },
  });
  expect(invited.status()).toBe(201);
  // Priya joins with the mailed link, which proves her address.
  const mailed = await linkInMailTo(addressOf('Priya Nair'), /http:\/\/\S+\/invite\/[\w-]+/);
  const invitation = mailed.slice(mailed.lastIndexOf('/') + 1);
  await request.post(`/api/invitations/${invitation}/accept`, { data: { name: 'Priya Nair', password: PASSWORD } });
  const login = await request.post('/api/auth/login', { data: { email: addressOf('Priya Nair'), password: PASSWORD } });
  const other = (await login.json()) as { token: string };
  return { ellen: await signedIn(browser, token), priya: await signedIn(browser, other.token) };
}

async function signedIn(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript((savedToken) => localStorage.setItem('stet_token', savedToken), token);
  return context.newPage();
}

const bell = (page: Page, unread: number) =>
  page.getByRole('button', {
    name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
    exact: true,
  });
const list = (page: Page) => page.getByRole('dialog', { name: /^Notifications/ });

test('a reviewer is notified immediately and mentions the author, who then changes notification settings', async ({
  browser,
}) => {
  const { ellen, priya } = await twoPeople(browser);
  await ellen.goto('/app/runs');
  await expect(bell(ellen, 0)).toBeVisible();
  await expectAccessibleInBothThemes(ellen);

  // Priya requests a review. Ellen's bell counts it without a reload, and an email links to the same page.
  await priya.goto('/app/editor?key=new&template=approval&mode=edit');
  await priya.getByRole('button', { name: 'Submit for review' }).click();
  await priya.getByRole('dialog').getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(priya.getByText('Submitted for review', { exact: true })).toBeVisible();
  await expect(bell(ellen, 1)).toBeVisible();
  await bell(ellen, 1).click();
  const entry = list(ellen).getByRole('link', { name: /Priya Nair requested your review/ });
  await expect(entry).toBeVisible();
  await expectAccessibleInBothThemes(ellen);
  await entry.click();
  await expect(ellen.getByRole('complementary', { name: 'Merge and impact' })).toContainText('0 of 1 approval');
  await expect(bell(ellen, 0)).toBeVisible();
  const mailed = await linkInMailTo(addressOf('Ellen Park'), /http:\/\/\S+\/app\/review\?key=\S+/);
  expect(new URL(mailed).search).toBe(new URL(ellen.url()).search);

  // Ellen mentions Priya, whom she chooses with the keyboard. Only Priya is notified, and her bell counts it.
  const comment = ellen.getByRole('textbox', { name: 'Comment on the draft' });
  await comment.focus();
  await ellen.keyboard.type('By when, @p');
  await expect(ellen.getByRole('option', { name: /Priya Nair/ })).toBeVisible();
  await expectAccessibleInBothThemes(ellen);
  await ellen.keyboard.press('Enter');
  await ellen.keyboard.type('?');
  await expect(comment).toHaveValue('By when, @Priya Nair ?');
  await ellen.getByRole('region', { name: 'Discussion' }).getByRole('button', { name: 'Comment', exact: true }).click();
  const posted = ellen.getByRole('article', { name: 'Comment by Ellen Park' });
  await expect(posted.getByText('@Priya Nair', { exact: true })).toBeVisible();
  await expect(bell(ellen, 0)).toBeVisible();
  await bell(priya, 1).click();
  await list(priya)
    .getByRole('link', { name: /Ellen Park mentioned you/ })
    .click();
  await expect(priya.getByRole('article', { name: 'Comment by Ellen Park' })).toContainText('@Priya Nair');
  await expectAccessibleInBothThemes(priya);

  // Priya is notified of the decision, and goes from the list to her notification settings.
  await ellen.getByRole('button', { name: 'Approve', exact: true }).click();
  await ellen.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await bell(priya, 1).click();
  await expect(list(priya)).toContainText('Ellen Park has approved this draft.');
  await list(priya).getByRole('link', { name: 'Preferences' }).click();
  const mail = priya.getByRole('combobox', { name: 'Mentions: Email' });
  await expect(mail).toHaveValue('at_once');
  await mail.selectOption('Daily digest');
  await expect(priya.getByText('Saved “Mentions, Email: Daily digest”')).toBeAttached();
  await expectAccessibleInBothThemes(priya);
  await priya.reload();
  await expect(mail).toHaveValue('daily');
  await priya.setViewportSize({ width: 390, height: 844 });
  await expectAccessibleInBothThemes(priya);
  expect(await priya.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await priya.setViewportSize({ width: 1440, height: 900 });

  await priya.getByRole('link', { name: 'Integrations' }).first().click();
  await expect(priya.getByRole('heading', { name: 'Slack' })).toBeVisible();
  await expectAccessibleInBothThemes(priya);
});
