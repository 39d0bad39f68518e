import { type APIRequestContext, type Browser, type Page, expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

const PASSWORD = 'three old oak trees';
const KEY = 'live-check';
type Session = { token: string; user: { id: string; email: string; currentOrgId: string } };

/** Calls the API with a person's session. Throws on a refusal. */
const caller =
  (request: APIRequestContext, token?: string) =>
  async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const answer = await request.fetch(path, {
      method,
      ...(data !== undefined && { data }),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  };

/**
 * Creates a team with an owner, a reviewer, and a workflow of three steps. The second step is overdue six seconds after
 * its start.
 */
async function teamWithWorkflow(request: APIRequestContext): Promise<{ owner: Session; reviewer: Session }> {
  const anyone = caller(request);
  const owner = await anyone<Session>('POST', '/api/auth/signup', {
    email: 'nora@livework.example',
    name: 'Nora Berg',
    password: PASSWORD,
    accountType: 'organization',
    organizationName: 'Live Work',
    organizationSlug: 'live-work',
  });
  const asOwner = caller(request, owner.token);
  const { link } = await asOwner<{ link: string }>(
    'POST',
    `/api/organizations/${owner.user.currentOrgId}/invitations`,
    { email: 'otto@livework.example', role: 'reviewer' },
  );
  const token = link.slice(link.lastIndexOf('/') + 1);
  await anyone('POST', `/api/invitations/${token}/accept`, { name: 'Otto Falk', password: PASSWORD });
  const reviewer = await anyone<Session>('POST', '/api/auth/login', {
    email: 'otto@livework.example',
    password: PASSWORD,
  });
  const { draftId } = await asOwner<{ draftId: string }>('POST', `/api/workflows/${KEY}/drafts`, {
    metadata: { title: 'Live check' },
    steps: [
      { id: 'look', title: 'Look at it', assignee: 'otto@livework.example', sla: '2h', next: ['sign'] },
      { id: 'sign', title: 'Sign it', assignee: 'otto@livework.example', sla: '0.1m', next: ['file'] },
      { id: 'file', title: 'File it', assignee: 'owner', sla: '10h', next: [] },
    ],
  });
  const draft = `/api/workflows/${KEY}/drafts/${draftId}`;
  await asOwner('POST', `${draft}/submit`);
  const asReviewer = caller(request, reviewer.token);
  await asReviewer('POST', `${draft}/approve`);
  await asReviewer('POST', `${draft}/merge`);
  return { owner, reviewer };
}

/** How often screens reload their data without live updates. */
const POLLING_MS = 8000;

async function openAs(browser: Browser, { token }: Session, address: string): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript((given) => localStorage.setItem('stet_token', given), token);
  // Polling is off, so only live updates can show a change without a reload, however long they take.
  await context.addInitScript((polling) => {
    const start = window.setInterval.bind(window);
    Object.assign(window, {
      setInterval: (run: () => void, ms?: number) => (ms === polling ? 0 : start(run, ms)),
    });
  }, POLLING_MS);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test('two people on one run see each other’s steps, a breach and their tasks without a reload', async ({
  browser,
  request,
}) => {
  const { owner, reviewer } = await teamWithWorkflow(request);
  const { id } = await caller(request, owner.token)<{ id: string }>('POST', '/api/runs', {
    key: KEY,
    name: 'Nordlicht - Testing',
  });
  const nora = await openAs(browser, owner, `/app/runs/${id}`);
  const list = await openAs(browser, owner, '/app/runs?env=testing');
  const otto = await openAs(browser, reviewer, '/app/tasks');

  await expect(
    otto.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /My tasks/ }),
  ).toHaveText(/^My tasks1/);
  await expectAccessible(otto);
  await otto.getByRole('button', { name: /Look at it/ }).click();
  const pane = otto.getByRole('complementary', { name: 'Task Look at it' });
  await expect(pane.getByRole('button', { name: 'Complete' })).toBeVisible();
  await expectAccessible(otto);
  await otto.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(otto);

  await pane.getByRole('button', { name: 'Ask a colleague' }).click();
  const asking = otto.getByRole('dialog', { name: 'Ask a colleague' });
  await asking.getByRole('combobox', { name: 'Colleague' }).fill('nora');
  await otto.getByRole('option', { name: /Nora Berg/ }).click();
  await asking.getByRole('textbox', { name: 'Question' }).fill('Which site?');
  await expectAccessible(otto);
  await asking.getByRole('button', { name: 'Ask', exact: true }).click();
  const conversation = nora.getByRole('region', { name: 'Conversation' });
  await expect(conversation.getByText('Which site?')).toBeVisible();
  await expectAccessible(nora);
  await conversation.getByRole('button', { name: 'Reply' }).click();
  await nora.keyboard.type('Building 4');
  await nora.keyboard.press('Control+Enter');
  await expect(pane.getByText('Building 4')).toBeVisible();
  await expectAccessible(otto);
  await pane.getByRole('textbox', { name: 'Your input' }).fill('Looked at it twice');

  await expect(nora.getByRole('article', { name: 'Look at it' })).toBeVisible();
  await pane.getByRole('button', { name: 'Complete' }).click();
  await expect(nora.getByRole('article', { name: 'Sign it' })).toBeVisible();

  // The second step becomes overdue after six seconds without any action.
  const row = list.getByRole('row', { name: /Nordlicht/ });
  await expect(row.getByText('Breached')).toBeVisible();
  await expect(nora.getByText('breached', { exact: false }).first()).toBeVisible();
  await expect(otto.getByRole('region', { name: 'Breached' }).getByRole('button', { name: /Sign it/ })).toBeVisible();
  await expectAccessible(list);

  await otto.goto(`/app/runs/${id}`);
  await expect(nora.getByText('2 people here')).toBeVisible();
  await otto.close();
  await expect(nora.getByText('2 people here')).toBeHidden();
});

test('a manager sets working hours and escalation', async ({ browser, request }) => {
  const login = await caller(request)<Session>('POST', '/api/auth/login', {
    email: 'nora@livework.example',
    password: PASSWORD,
  });
  const page = await openAs(browser, login, '/app/settings/organization');
  await page.getByRole('button', { name: 'Working hours', exact: true }).click();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Add hours to Saturday' }).click();
  await page.getByLabel('Saturday, until').fill('12:00');
  await page.getByLabel('Holidays').fill('2026-12-25');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save working hours' }).click();
  await expect(page.getByText('Working hours saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Saturday, until')).toHaveValue('12:00');

  await page.goto(`/app/docs/${KEY}/settings`);
  await page.getByLabel('Also notify').fill('reviewer');
  await page.getByLabel('How often').selectOption('Every hour');
  // axe reports a control as too small if the fixed bar covers a part of it.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Escalation saved')).toBeVisible();
});
