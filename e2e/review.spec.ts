import { type Browser, type Page, expect, test } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { linkInMailTo } from './mail.ts';

const PASSWORD = 'a good secret';
const addressOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}-${process.pid}@haldenworks.example`;

/** Ellen, who owns a team, and Priya, an editor she invited, each in a separate browser. */
async function twoPeople(browser: Browser): Promise<{ ellen: Page; priya: Page }> {
  const { request } = await browser.newContext();
  const made = await request.post('/api/auth/signup', {
    data: {
      email: addressOf('Ellen Park'),
      name: 'Ellen Park',
      password: PASSWORD,
      accountType: 'organization',
      organizationName: 'Halden Works',
      organizationSlug: `halden-${process.pid}`,
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

const margin = (page: Page) => page.getByRole('complementary', { name: 'Merge and impact' });
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const note = (page: Page) => page.getByText('Priya Nair has saved this draft since you opened it.');

/** Changes the first step's task in the editor and saves. */
async function editFirstTask(page: Page, task: string): Promise<void> {
  const tasks = page.getByRole('grid', { name: 'Steps' }).locator('[role="gridcell"][aria-colindex="6"]');
  await tasks.first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(task);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+S');
  await expect(page.getByText('Workflow Saved', { exact: true })).toBeVisible();
}

test('a draft goes live after a round of changes, but not with an approval of earlier content', async ({ browser }) => {
  const { ellen, priya } = await twoPeople(browser);

  // Priya writes a draft and submits it for review.
  await priya.goto('/app/editor?key=new&template=approval&mode=edit');
  const first = await priya
    .getByRole('grid', { name: 'Steps' })
    .locator('[data-step] [aria-colindex="3"] b')
    .first()
    .textContent();
  if (first === null) throw new Error('no step');
  await priya.getByRole('button', { name: 'Submit for review' }).click();
  await priya.getByRole('dialog').getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(priya.getByText('Submitted for review', { exact: true })).toBeVisible();
  await priya.getByRole('link', { name: 'Open review' }).first().click();
  await expect(card(priya, first)).toContainText('added');
  await expect(priya.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  const address = priya.url();

  // Ellen comments on a step and requests changes.
  await ellen.goto(address);
  await expect(margin(ellen)).toContainText('0 of 1 approval');
  await expectAccessibleInBothThemes(ellen);
  await card(ellen, first)
    .getByRole('button', { name: `Comment on ${first}` })
    .click();
  await ellen.getByRole('textbox', { name: `Comment on ${first}` }).fill('By when?');
  await card(ellen, first).getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(card(ellen, first)).toContainText('By when?');
  await ellen.getByRole('button', { name: 'Request changes' }).click();
  await expect(ellen.getByText('Comment required to request changes')).toBeVisible();
  await ellen.getByRole('textbox', { name: 'Comment', exact: true }).fill('Say by when.');
  await ellen.getByRole('button', { name: 'Request changes' }).click();
  await expect(ellen.getByText('Changes requested', { exact: true }).first()).toBeVisible();

  // Priya's page shows the request. She corrects the step and submits the draft again.
  await expect(margin(priya)).toContainText('Changes requested by Ellen Park');
  await expect(card(priya, first)).toContainText('By when?');
  await priya.getByRole('link', { name: 'Open in editor' }).click();
  await editFirstTask(priya, 'Hand it in by Friday.');
  await priya.getByRole('link', { name: 'Open review' }).first().click();
  await priya.getByRole('button', { name: 'Resolve the comment by Ellen Park' }).click();
  await expect(priya.getByRole('button', { name: '1 resolved comment' })).toBeVisible();
  await priya.getByRole('button', { name: 'Submit for review' }).click();
  await priya.getByRole('dialog').getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(margin(priya).getByRole('button', { name: 'Withdraw from review' })).toBeVisible();

  // Ellen's page is out of date. She reviews the changes since her review, and approves.
  await expect(note(ellen)).toBeVisible();
  await ellen.getByRole('button', { name: 'Show the current draft' }).click();
  await expect(note(ellen)).toBeHidden();
  await ellen.getByRole('button', { name: 'Since your review' }).click();
  await expect(ellen.getByRole('list', { name: 'Changes' })).toContainText('1 modified');
  await expect(card(ellen, first).locator('ins').first()).toBeVisible();
  await ellen.getByRole('button', { name: 'Approve', exact: true }).click();
  await ellen.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(margin(ellen)).toContainText('Ready to merge');

  // Ellen takes her approval back, which reopens her request for changes, and approves again.
  await expect(ellen.getByRole('region', { name: 'Your review' })).toContainText('You approved');
  await expectAccessibleInBothThemes(ellen);
  await ellen.getByRole('button', { name: 'Undo your approval' }).click();
  await expect(margin(ellen)).toContainText('Changes requested by Ellen Park');
  await ellen.getByRole('button', { name: 'Approve', exact: true }).click();
  await ellen.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(margin(ellen)).toContainText('Ready to merge');

  // A change dismisses the approval.
  await priya.getByRole('link', { name: 'Open in editor' }).click();
  await editFirstTask(priya, 'Hand it in by Thursday.');
  await expect(margin(ellen)).toContainText('Dismissed');
  await expect(margin(ellen)).toContainText('Ellen Park approved earlier content.');
  await expect(ellen.getByRole('button', { name: 'Merge as v1' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessibleInBothThemes(ellen);

  // Ellen sees the changes since her approval, opens the approval with the keyboard, approves and merges.
  await ellen.getByRole('button', { name: 'Show the current draft' }).click();
  await ellen.getByRole('button', { name: 'Since your approval' }).click();
  await expect(card(ellen, first).locator('ins')).toHaveText('Thursday');
  await ellen.keyboard.press('Control+Enter');
  await expectAccessible(ellen);
  await ellen.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(margin(ellen)).toContainText('Ready to merge');
  await ellen.getByRole('button', { name: 'Merge as v1' }).click();
  await ellen.getByRole('dialog').getByRole('button', { name: 'Merge as v1' }).click();
  await expect(ellen.getByText('v1 is live', { exact: true })).toBeVisible();
  await expect(ellen.getByText(/This is v1, the live version/)).toBeVisible();
  await expectAccessibleInBothThemes(ellen);
});
