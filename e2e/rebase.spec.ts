import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type APIRequestContext, type Page, expect, test } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';

const PASSWORD = 'three old oak trees';
const KEY = 'supplier-intake';

type Step = { id: string; title: string; description?: string; sla?: string };
const STEPS: Step[] = [
  { id: 'register', title: 'Register the supplier', sla: '4h' },
  { id: 'assess', title: 'Assess the risk', description: 'Score by data access and spend.', sla: '1 day' },
  { id: 'sign', title: 'Sign the contract', sla: '3 days' },
];
const changed = (id: string, fields: Partial<Step>): Step[] =>
  STEPS.map((step) => (step.id === id ? { ...step, ...fields } : step));

async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByRole('radio', { name: /Personal/ }).check();
  await page.getByLabel('Full Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Personal Account' }).click();
  await page.waitForURL('**/app/**');
  await expect(page).toHaveURL(/\/app\b/);
  await expect(page.getByText('Personal account')).toBeVisible();
}

/** Returns a function that calls the API with the page's session. */
async function apiOf(page: Page): Promise<(path: string, data?: object) => ReturnType<APIRequestContext['post']>> {
  const token = await page.evaluate(() => localStorage.getItem('stet_token') ?? '');
  return (path, data) =>
    page.request.post(path, { headers: { authorization: `Bearer ${token}` }, ...(data && { data }) });
}

test('an outdated draft is rebased field by field onto a newer version and goes live', async ({ page }) => {
  await signUp(page, 'Priya Nair', 'priya@rebase.example');
  const post = await apiOf(page);
  const draftOf = async (steps: Step[], title = 'Supplier intake'): Promise<string> => {
    const reply = await post(`/api/workflows/${KEY}/drafts`, { metadata: { title }, steps });
    expect(reply.status()).toBe(201);
    return ((await reply.json()) as { draftId: string }).draftId;
  };
  const publish = async (draftId: string): Promise<void> => {
    expect((await post(`/api/workflows/${KEY}/drafts/${draftId}/merge`)).status()).toBe(200);
  };
  await publish(await draftOf(STEPS));
  const mine = await draftOf(
    changed('assess', { description: 'Score by data access and yearly spend.', sla: '6h' }),
    'Vendor intake',
  );
  await publish(
    await draftOf(changed('assess', { description: 'Score by data access, spend and country.', sla: '2 days' })),
  );

  await page.goto(`/app/editor?key=${KEY}&mode=edit&draftId=${mine}`);
  await expect(page.getByText('v2 is live now, but this draft isn’t based on it.')).toBeVisible();
  await page.getByRole('link', { name: 'Bring the draft up to date' }).click();

  await expect(page.getByRole('heading', { name: 'Vendor intake' })).toBeVisible();
  await expect(page.getByText('0 of 2 resolved')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  // Use the keyboard to go to the next open conflict, where the arrow keys choose a side.
  await page.getByRole('button', { name: 'Next conflict' }).press('Enter');
  await expect(page.getByRole('radio', { name: /^Use v2/ }).first()).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const own = page.getByRole('textbox', { name: 'Your own text for Task, Assess the risk' });
  await own.fill('Score by data access, yearly spend and country.');
  await expect(page.getByText('1 of 2 resolved')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 of 2 resolved')).toBeVisible();
  await page.getByRole('button', { name: 'Keep the draft for all open conflicts' }).click();
  await expect(page.getByText('2 of 2 resolved')).toBeVisible();
  await page.getByRole('button', { name: 'Outcome' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByRole('region', { name: 'Assess the risk' })).toContainText('yearly');
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Rebase draft' }).click();

  await expect(page.getByText('Draft rebased')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/editor\?/);
  await expect(page.getByText('v2 is live now, but this draft isn’t based on it.')).toBeHidden();
  await expect(page.getByText('Score by data access, yearly spend and country.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('v3 is live')).toBeVisible();

  await page.goto(`/app/compare?key=${KEY}&from=2&to=3`);
  await expect(page.getByRole('region', { name: 'Assess the risk' })).toContainText('6h');
  await expect(page.getByLabel('To', { exact: true })).toContainText('v3');
  await expectAccessibleInBothThemes(page);
});

test('if two tabs save the same revision of a draft, the second one offers to merge both changes', async ({ page }) => {
  await signUp(page, 'Sam Okafor', 'sam@rebase.example');
  const post = await apiOf(page);
  const { draftId } = (await (
    await post(`/api/workflows/${KEY}-two/drafts`, { metadata: { title: 'Two tabs' }, steps: STEPS })
  ).json()) as { draftId: string };
  const address = `/app/editor?key=${KEY}-two&mode=edit&draftId=${draftId}`;
  const other = await page.context().newPage();
  for (const each of [page, other]) {
    await each.goto(address);
    await expect(each.getByRole('heading', { name: 'Two tabs' })).toBeAttached();
  }
  for (const [each, name] of [
    [page, 'First name'],
    [other, 'Second name'],
  ] as const) {
    await each.getByLabel('Workflow Name').fill(name);
    await each.keyboard.press('Enter');
    await each.getByRole('button', { name: 'Save', exact: true }).click();
    if (each === page) await expect(page.getByText('Workflow Saved')).toBeVisible();
  }
  await other.getByRole('button', { name: 'Resolve the conflict' }).click();
  const dialog = other.getByRole('dialog', { name: 'Merge both changes' });
  await dialog.getByRole('radio', { name: /^Theirs/ }).check();
  await expectAccessibleInBothThemes(other);
  await dialog.getByRole('button', { name: 'Use merged version' }).click();
  await expect(other.getByLabel('Workflow Name')).toHaveValue('First name');
});

test('`stet audit verify` accepts an export from the audit screen and detects tampering', async ({ page }, info) => {
  await signUp(page, 'Ellen Park', 'ellen@rebase.example');
  const post = await apiOf(page);
  await post(`/api/workflows/${KEY}-three/drafts`, { metadata: { title: 'Exported' }, steps: STEPS });
  await page.goto('/app/audit');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Data', exact: true }).click(),
  ]);
  const file = info.outputPath('audit.ndjson');
  await download.saveAs(file);

  const key = info.outputPath('audit.key');
  writeFileSync(
    key,
    await page.getByTitle('The public key for checking the signatures of checkpoints and exports').innerText(),
  );

  const whole = stet('audit', 'verify', file, '--key', key);
  expect(whole.stdout).toContain('Intact: every event is as it was recorded, and none is missing.');
  expect(whole.status).toBe(0);
  const touched = info.outputPath('touched.ndjson');
  writeFileSync(touched, readFileSync(file, 'utf8').replace('Exported', 'Unexported'));
  const found = stet('audit', 'verify', touched, '--key', key);
  expect(found.status).toBe(1);
  expect(found.stdout).toMatch(/TAMPERED[^]*✗ [Ee]vent \d+/);
});

function stet(...command: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync('npm', ['run', '-s', 'stet', '--', ...command], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  });
  return { status, stdout };
}
