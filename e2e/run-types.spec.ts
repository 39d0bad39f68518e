import { type Browser, type Page, expect, test } from '@playwright/test';
import { linkInMailTo } from './mail.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';

const PASSWORD = 'a good secret';
const addressOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}-run-${process.pid}@haldenworks.example`;

type Person = { page: Page; token: string };

/** Opens separate browsers for Ellen, who owns a team, Priya, who edits, and Sam, who reviews. */
async function threePeople(browser: Browser): Promise<{ ellen: Person; priya: Person; sam: Person }> {
  const { request } = await browser.newContext();
  const made = await request.post('/api/auth/signup', {
    data: {
      email: addressOf('Ellen Park'),
      name: 'Ellen Park',
      password: PASSWORD,
      accountType: 'organization',
      organizationName: 'Halden Works',
      organizationSlug: `halden-run-${process.pid}`,
    },
  });
  const { token, user } = (await made.json()) as { token: string; user: { currentOrgId: string } };
  const join = async (name: string, role: string): Promise<Person> => {
    const invited = await request.post(`/api/organizations/${user.currentOrgId}/invitations`, {
      headers: { authorization: `Bearer ${token}` },
      data: { email: addressOf(name), role },
    });
    expect(invited.status()).toBe(201);
    // Priya and Sam join with the mailed link, which proves their address. An unproved account's actions would count as
    // its inviter's.
    const link = await linkInMailTo(addressOf(name), /http:\/\/\S+\/invite\/[\w-]+/);
    await request.post(`/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/accept`, {
      data: { name, password: PASSWORD },
    });
    const login = await request.post('/api/auth/login', { data: { email: addressOf(name), password: PASSWORD } });
    return signedIn(browser, ((await login.json()) as { token: string }).token);
  };
  return {
    priya: await join('Priya Nair', 'editor'),
    sam: await join('Sam Okafor', 'reviewer'),
    ellen: await signedIn(browser, token),
  };
}

async function signedIn(browser: Browser, token: string): Promise<Person> {
  const context = await browser.newContext();
  await context.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  return { page: await context.newPage(), token };
}

const STEPS = [
  {
    id: 'assess',
    type: 'manual',
    title: 'Assess the vendor',
    description: 'Score by data access and spend.',
    assignee: addressOf('Priya Nair'),
    sla: '4h',
    config: {
      fields: [
        { id: 'points', label: 'Points', kind: 'number', required: true },
        { id: 'known', label: 'Known vendor', kind: 'yes_no', required: false },
      ],
    },
    next: ['approve'],
  },
  {
    id: 'approve',
    type: 'approval',
    title: 'Compliance review',
    description: 'Read the documents.',
    assignee: 'reviewer',
    sla: '1 day',
    config: { minimumApprovers: 2, onReject: 'assess' },
    next: ['score'],
  },
  {
    id: 'score',
    type: 'automated',
    title: 'Compute the score',
    description: 'Adds the weight of the tier.',
    assignee: 'system',
    sla: '5m',
    config: { script: 'log("weighing"); return { score: outputs.assess.fields.points * 2 };', timeout: 10 },
    next: ['tier'],
  },
  {
    id: 'tier',
    type: 'condition',
    title: 'Tier one?',
    description: '',
    assignee: 'system',
    sla: '1m',
    config: { condition: 'score.score >= 100', trueNext: 'sign', falseNext: 'tell' },
    next: ['sign', 'tell'],
  },
  {
    id: 'sign',
    type: 'manual',
    title: 'Sign the contract',
    description: '',
    assignee: 'Unassigned',
    sla: '',
    config: {},
    next: ['tell'],
  },
  {
    id: 'tell',
    type: 'notification',
    title: 'Tell finance',
    description: '',
    assignee: 'system',
    sla: '5m',
    config: { recipients: [addressOf('Priya Nair')], channels: ['in-app'], template: '{{run.name}} is done.' },
    next: [],
  },
];

/** Priya writes the workflow; Sam approves and merges it. */
async function makeLive(browser: Browser, priya: Person, sam: Person): Promise<void> {
  const { request } = await browser.newContext();
  const call = async ({ token }: Person, path: string, data?: object) => {
    const answer = await request.post(`/api/workflows/vendor${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(data && { data }),
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as { draftId: string };
  };
  const metadata = { title: 'Vendor onboarding', description: 'From first request to signature.' };
  const { draftId } = await call(priya, '/drafts', { key: 'vendor', metadata, steps: STEPS });
  await call(priya, `/drafts/${draftId}/submit`);
  await call(sam, `/drafts/${draftId}/approve`, {});
  await call(sam, `/drafts/${draftId}/merge`);
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const steps = (page: Page) => page.getByRole('region', { name: 'Steps' });
const history = (page: Page) => page.getByRole('region', { name: 'Entries' });

async function assess(page: Page, points: string): Promise<void> {
  await card(page, 'Assess the vendor').getByLabel('Points').fill(points);
  await card(page, 'Assess the vendor').getByRole('button', { name: 'Complete' }).click();
  await expect(card(page, 'Assess the vendor')).toBeHidden();
}

test('three people complete one run with all five step types', async ({ browser }) => {
  const { ellen, priya, sam } = await threePeople(browser);
  await makeLive(browser, priya, sam);

  // Priya starts a run with the workflow's Run button. The name is already filled in.
  await priya.page.goto('/app/editor');
  await priya.page.getByRole('listitem', { name: 'Vendor onboarding' }).getByRole('button', { name: 'Run' }).click();
  await expect(priya.page.getByRole('dialog', { name: 'Start Workflow Run' }).getByLabel('Run Name')).toBeFocused();
  await priya.page.keyboard.press('Enter');
  await expect(priya.page).toHaveURL(/\/app\/workflows\/run\/vendor\/[0-9a-f-]{36}$/);
  await expect(priya.page.getByRole('heading', { level: 1, name: 'Vendor onboarding' })).toBeVisible();
  await expect(priya.page.getByText(/^Vendor onboarding, on v1$/)).toBeVisible();
  const address = priya.page.url();
  const runId = address.slice(address.lastIndexOf('/') + 1);
  await sam.page.goto(address);
  await ellen.page.goto(`/app/runs/${runId}`);
  await expect(priya.page.getByText('3 people here')).toBeVisible();

  // The field is required. When someone else pauses the run, the page shows it without a reload and keeps the unsaved
  // text.
  const mine = card(priya.page, 'Assess the vendor');
  await mine.getByRole('button', { name: 'Complete' }).click();
  await expect(mine.getByText('Points is required')).toBeVisible();
  await expect(priya.page.getByText('Input Required')).toBeVisible();
  await mine.getByLabel('Points').fill('30');
  await ellen.page.getByRole('button', { name: 'Pause' }).click();
  const pause = ellen.page.getByRole('dialog', { name: 'Pause this run?' });
  await pause.getByLabel('Reason').fill('Audit week');
  await expectAccessibleInBothThemes(ellen.page);
  await pause.getByRole('button', { name: 'Pause run' }).click();
  await expect(ellen.page.getByText('Execution Paused')).toBeVisible();
  await expect(priya.page.getByText(/This run is paused.*Ellen Park paused it: “Audit week”/)).toBeVisible();
  await expect(mine.getByRole('button', { name: 'Complete' })).toHaveCount(0);
  await expectAccessibleInBothThemes(priya.page);
  await ellen.page.getByRole('button', { name: 'Resume' }).click();
  await expect(ellen.page.getByText('Execution Resumed')).toBeVisible();
  await expect(mine.getByLabel('Points')).toHaveValue('30');
  await expectAccessibleInBothThemes(priya.page);
  await assess(priya.page, '30');

  // Sam rejects the step with a reason. Priya reads it and enters a different value.
  const review = card(sam.page, 'Compliance review');
  await review.getByRole('button', { name: 'Reject' }).click();
  await expect(review.getByText('Comments are required when rejecting')).toBeVisible();
  await review.getByRole('textbox', { name: 'Comments' }).fill('Points are too low. Count the data access.');
  await review.getByRole('button', { name: 'Reject' }).click();
  await expect(sam.page.getByText('Rejected', { exact: true })).toBeVisible();
  await expect(mine.getByText('Returned: Points are too low. Count the data access.')).toBeVisible();
  await assess(priya.page, '60');

  // Two people must approve. Ellen sees Sam's vote without a reload.
  await expect(review.getByText('0 of 2 approvals')).toBeVisible();
  await review.getByRole('button', { name: 'Approve' }).click();
  await expect(card(ellen.page, 'Compliance review').getByText('1 of 2 approvals')).toBeVisible();
  await expect(card(ellen.page, 'Compliance review').getByText('Sam Okafor', { exact: true })).toBeVisible();
  await expectAccessibleInBothThemes(ellen.page);
  await expect(review.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  // Sam is the only reviewer and two approvals are required, so Ellen stands in and gives a reason.
  const ellens = card(ellen.page, 'Compliance review');
  await expect(ellens.getByText(/You can decide for them, because too few of the assignees can/)).toBeVisible();
  await ellens.getByRole('button', { name: 'Approve' }).click();
  await expect(ellens.getByText('Give a reason for deciding for them')).toBeVisible();
  await ellens.getByRole('textbox', { name: 'Comments' }).fill('There is only one reviewer.');
  await ellens.getByRole('button', { name: 'Approve' }).click();

  // The server executes the script and the condition, and then waits for the step of the chosen branch.
  await expect(card(priya.page, 'Sign the contract')).toBeVisible();
  await expect(steps(priya.page).getByText('was true, continued with Sign the contract')).toBeVisible();
  await expect(steps(priya.page).getByText('1 line from the script')).toBeVisible();
  await expect(history(priya.page)).toContainText('Compute the score completed');
  await expectAccessibleInBothThemes(priya.page);

  // Two people enter text for the same step. Ellen completes it first, and Priya's text isn't lost.
  const typed = { priya: 'Signed in Hamburg', ellen: 'Signed by post' };
  await card(priya.page, 'Sign the contract').getByLabel('Your input').fill(typed.priya);
  await card(ellen.page, 'Sign the contract').getByLabel('Your input').fill(typed.ellen);
  await card(ellen.page, 'Sign the contract').getByRole('button', { name: 'Complete' }).click();
  await expect(priya.page.getByText('was completed by Ellen Park while you were writing.')).toBeVisible();
  await expect(priya.page.getByText(typed.priya)).toBeVisible();

  // The message is sent, the run is completed, and the page returns to the list. A page with unsent text stays open
  // until the person discards the text.
  await expect(priya.page.getByText('Workflow Completed')).toBeVisible();
  await priya.page.getByRole('button', { name: 'Discard' }).click();
  await priya.page.getByRole('button', { name: 'Stay here' }).click();
  await expect(ellen.page).toHaveURL(/\/app\/runs$/);
  await expect(priya.page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(priya.page.getByText('6 of 6 steps completed')).toBeVisible();
  await expect(priya.page).toHaveURL(address);
  await expectAccessibleInBothThemes(priya.page);
});
