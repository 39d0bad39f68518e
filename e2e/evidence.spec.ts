import { expect, test } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';

const PASSWORD = 'a good secret';

/** A picture of one pixel, followed by bytes that make an upload of several chunks. */
const PHOTO = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.alloc(600_000, 7),
]);

const FIELDS = [
  { id: 'site', label: 'Site', kind: 'text', required: true },
  { id: 'finding', label: 'Finding', kind: 'long_text', required: true, help: 'One sentence is enough.' },
  { id: 'cost', label: 'Cost', kind: 'number', required: true, min: 0, max: 500, unit: 'EUR' },
  { id: 'reason', label: 'Reason', kind: 'text', required: false, requiredIf: 'cost > 100' },
  { id: 'seen', label: 'Seen on', kind: 'date', required: true },
  { id: 'severity', label: 'Severity', kind: 'choice', options: ['Low', 'High'], required: true },
  { id: 'areas', label: 'Areas', kind: 'many_of', options: ['Roof', 'Walls', 'Floor'], required: true },
  { id: 'safe', label: 'Safe to enter', kind: 'yes_no', required: true },
  { id: 'plan', label: 'Plan', kind: 'file_link', required: false },
  { id: 'photo', label: 'Photo', kind: 'photo', required: true },
];

test('a form of ten fields with a photo is filled in by touch on a phone, and the photo becomes evidence', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { request } = context;
  const signUp = { email: `ines-${process.pid}@haldenworks.example`, name: 'Ines Weber', password: PASSWORD };
  const { token } = (await (await request.post('/api/auth/signup', { data: signUp })).json()) as { token: string };
  const call = async <T>(path: string, data: object = {}): Promise<T> => {
    const answer = await request.post(path, { headers: { authorization: `Bearer ${token}` }, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as T;
  };
  const drafts = '/api/workflows/inspection/drafts';
  const steps = [
    { id: 'look', title: 'Inspect', type: 'manual', assignee: 'owner', config: { fields: FIELDS }, next: [] },
  ];
  const { draftId } = await call<{ draftId: string }>(drafts, { metadata: { title: 'Inspection' }, steps });
  await call(`${drafts}/${draftId}/approve`);
  await call(`${drafts}/${draftId}/merge`);
  const { id: runId } = await call<{ id: string }>('/api/runs', { key: 'inspection', name: 'Inspection' });

  await context.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  const page = await context.newPage();
  await page.goto(`/app/runs/${runId}`);
  const form = page.getByRole('article', { name: 'Inspect', exact: true });
  await expect(form.getByLabel('Site')).toBeVisible();
  await expectAccessibleInBothThemes(page);

  const type = async (label: string | RegExp, text: string) => {
    await form.getByLabel(label).tap();
    await page.keyboard.type(text);
  };
  await type('Site', 'Pier 4');
  await type('Finding', 'Water comes in.');
  await type(/^Cost/, '120');
  await form.getByLabel('Seen on').fill('2026-11-26');
  await form.getByLabel('Severity').selectOption('High');
  for (const area of ['Roof', 'Floor']) await form.getByRole('checkbox', { name: area }).tap();
  await form.getByLabel('Safe to enter').selectOption('No');

  // At first there is no space. Then the connection is lost for a while, and the upload continues by itself.
  await page.route('**/api/files', (route) =>
    route.fulfill({ status: 409, json: { code: 'no_file_space', error: 'There is no space for this file.' } }),
  );
  const chosen = page.waitForEvent('filechooser');
  await form.getByText('Choose photos').tap();
  await (await chosen).setFiles({ name: 'leak \u202Egnp.exe', mimeType: 'image/png', buffer: PHOTO });
  const files = form.getByRole('list', { name: 'Files: Photo' });
  await expect(files.getByText('There is no space for this file.')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.unroute('**/api/files');
  await page.route('**/api/files/*/chunks/1', (route) => route.abort());
  await files.getByRole('button', { name: /^Try again/ }).tap();
  await expect(files.getByRole('progressbar')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.unroute('**/api/files/*/chunks/1');
  await expect(files.getByRole('progressbar')).toHaveCount(0);
  await expectAccessibleInBothThemes(page);

  // Above 100 EUR, a reason is required.
  await form.getByRole('button', { name: 'Complete' }).tap();
  await expect(form.getByText('Reason is required')).toBeVisible();
  await type(/^Reason/, 'It leaks.');
  await form.getByRole('button', { name: 'Complete' }).tap();
  await page.getByText('Stay here').tap();
  await expect(page.getByRole('region', { name: 'Entries' }).getByText(/SHA-256/)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Entries' }).getByRole('button', { name: /^leak/ }).tap();
  expect((await downloaded).suggestedFilename()).not.toContain('\u202E');

  await page.goto('/app/settings/organization');
  await expect(page.getByRole('heading', { name: 'Files' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await context.close();
});
