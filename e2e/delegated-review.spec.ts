import { type APIRequestContext, type Browser, type Page, expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { linkInMailTo } from './mail.ts';

const PASSWORD = 'a good secret';
const DAY_MS = 24 * 3_600_000;
const addressOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}-${process.pid}@delegated.example`;

type Member = { token: string; call: <T>(path: string, data?: object) => Promise<T> };

const memberOf = (request: APIRequestContext, token: string): Member => ({
  token,
  call: async <T>(path: string, data: object = {}): Promise<T> => {
    const reply = await request.post(path, { headers: { authorization: `Bearer ${token}` }, data });
    expect(reply.ok(), await reply.text()).toBe(true);
    return (await reply.json()) as T;
  },
});

/** Joins with the mailed link, which proves the address. */
async function joined(request: APIRequestContext, owner: Member, orgId: string, [name, role]: [string, string]) {
  const email = addressOf(name);
  await owner.call(`/api/organizations/${orgId}/invitations`, { email, role });
  const link = await linkInMailTo(email, /http:\/\/\S+\/invite\/[\w-]+/);
  await request.post(`/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/accept`, {
    data: { name, password: PASSWORD },
  });
  const login = await request.post('/api/auth/login', { data: { email, password: PASSWORD } });
  return memberOf(request, ((await login.json()) as { token: string }).token);
}

/** Ellen owns a team with a live workflow. Priya edits, Mara reviews, and Sam is a viewer. */
async function team(request: APIRequestContext): Promise<Record<'ellen' | 'priya' | 'mara' | 'sam', Member>> {
  const made = await request.post('/api/auth/signup', {
    data: {
      email: addressOf('Ellen Park'),
      name: 'Ellen Park',
      password: PASSWORD,
      accountType: 'organization',
      organizationName: 'Halden Travel',
      organizationSlug: `travel-${process.pid}`,
    },
  });
  const { token, user } = (await made.json()) as { token: string; user: { currentOrgId: string } };
  const ellen = memberOf(request, token);
  const draftId = await submitted(ellen, 'Book the trip');
  for (const action of ['approve', 'merge']) await ellen.call(`${DRAFTS}/${draftId}/${action}`);
  const [priya, mara, sam] = await Promise.all(
    (
      [
        ['Priya Nair', 'editor'],
        ['Mara Lindqvist', 'reviewer'],
        ['Sam Okafor', 'viewer'],
      ] as [string, string][]
    ).map((who) => joined(request, ellen, user.currentOrgId, who)),
  );
  if (!priya || !mara || !sam) throw new Error('not everyone joined');
  return { ellen, priya, mara, sam };
}

const DRAFTS = '/api/workflows/travel/drafts';

async function submitted(by: Member, title: string): Promise<string> {
  const steps = [{ id: 'book', title }];
  const { draftId } = await by.call<{ draftId: string }>(DRAFTS, { metadata: { title: 'Business travel' }, steps });
  await by.call(`${DRAFTS}/${draftId}/submit`);
  return draftId;
}

async function pageOf(browser: Browser, { token }: Member): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  return context.newPage();
}

test('the workflow’s reviewer delegates their work to a colleague, who approves a draft for them, and the owner merges it', async ({
  browser,
  request,
}) => {
  const members = await team(request);
  const [ellen, mara, sam] = await Promise.all(
    [members.ellen, members.mara, members.sam].map((member) => pageOf(browser, member)),
  );
  if (!ellen || !mara || !sam) throw new Error('a page is missing');

  await ellen.goto('/app/docs/travel/settings');
  await ellen.getByRole('group', { name: 'Reviewers' }).getByRole('checkbox', { name: 'Mara Lindqvist' }).check();
  await ellen.getByRole('button', { name: 'Save people' }).click();
  await expect(ellen.getByText('People saved', { exact: true })).toBeVisible();

  await mara.goto('/app/settings/away');
  await mara.getByRole('button', { name: 'Delegate my work' }).click();
  const dialog = mara.getByRole('dialog', { name: 'Delegate my work' });
  await dialog.getByRole('combobox', { name: 'Who does your work' }).fill('Sam');
  await mara.keyboard.press('Enter');
  await dialog.getByLabel('Last day away').fill(new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10));
  await dialog.getByLabel('Reason').fill('On holiday');
  await dialog.getByRole('button', { name: 'Delegate', exact: true }).click();
  await expect(mara.getByText('Sam Okafor does your work')).toBeVisible();

  const draftId = await submitted(members.priya, 'Book the trip and the hotel');
  await sam.goto('/app/tasks');
  const task = sam.getByRole('region', { name: 'To review' }).getByRole('link', { name: /Business travel/ });
  await expect(task).toContainText('Mara Lindqvist');
  await task.click();
  await sam.getByRole('button', { name: 'Approve for Mara Lindqvist' }).click();
  await sam.getByRole('dialog').getByRole('button', { name: 'Approve for Mara Lindqvist' }).click();
  await expect(sam.getByRole('region', { name: 'Your review' })).toContainText('You approved for Mara Lindqvist');
  await expectAccessible(sam);

  await ellen.goto(`/app/review?key=travel&id=${draftId}`);
  await ellen.getByRole('button', { name: 'Merge as v2' }).click();
  const merge = ellen.getByRole('dialog');
  await expect(merge).toContainText('Sam Okafor for Mara Lindqvist');
  await merge.getByRole('button', { name: 'Merge as v2' }).click();
  await expect(ellen.getByText('v2 is live', { exact: true })).toBeVisible();
  await ellen.goto('/app/docs/travel/versions');
  await expect(ellen.getByText(/^Approved by Sam Okafor for Mara Lindqvist/)).toBeVisible();
});
