// Measures three jobs on a new server, by their clicks, keys and decisions and by the elapsed time. Usage: node
// --import tsx bench/jobs/lifecycle.ts. Needs a build. Two people build and publish a procedure of ten steps with an
// approval. One person completes a step with a photo on a phone. Another one shows an auditor which version is in
// force, since when, and who approved it. Exits with 1 if a job takes longer than its limit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launched, windowOf } from '../browser.ts';
import { type Call, callerOf } from '../caller.ts';
import { freePort } from '../free-port.ts';
import { TEAM, signedUp } from '../prepared-draft.ts';
import { ServerProcess } from '../server-process.ts';
import { type Presses, countPresses, estimatedSeconds } from './presses.ts';
import { TWELVE_STEPS, typeSteps } from './twelve-steps.ts';

const PHONE = { width: 390, height: 844 };
/** A picture of one pixel. */
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FIELDS = [
  { id: 'finding', label: 'Finding', kind: 'text', required: true },
  { id: 'photo', label: 'Photo', kind: 'photo', required: true },
];

const dataDir = mkdtempSync(join(tmpdir(), 'stet-lifecycle-'));
const server = new ServerProcess(await freePort(), dataDir);
const browser = await launched();

type Opened = { page: Page; presses: () => Presses };
async function opened(token: string, viewport?: { width: number; height: number }): Promise<Opened> {
  const page = await (await windowOf(browser, token, viewport)).newPage();
  return { page, presses: await countPresses(page) };
}

/** Prints a job's figures. Fails if the time estimated for a person, or the script's own time, exceeds the limit. */
function report(
  job: string,
  all: readonly Presses[],
  { decisions, limit, began }: { decisions: number; limit: number; began: number },
): void {
  const clicks = all.reduce((sum, each) => sum + each.clicks, 0);
  const keys = all.reduce((sum, each) => sum + each.keys, 0);
  const estimate = estimatedSeconds({ clicks, keys, decisions });
  const elapsed = (performance.now() - began) / 1000;
  const isGood = Math.max(estimate, elapsed) <= limit;
  console.log(
    `${isGood ? '✓' : '✗'} ${job}: ${clicks} clicks, ${keys} keys, ${decisions} decisions, estimated ${estimate.toFixed(0)} s, by script ${elapsed.toFixed(0)} s (limit ${limit} s)`,
  );
  if (!isGood) process.exitCode = 1;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** Adds a reviewer to the owner's team. Returns the session's token. */
async function reviewerOf(owner: Call): Promise<string> {
  const { currentOrgId } = await owner<{ currentOrgId: string }>('GET', '/api/auth/me');
  const email = 'reviewer@example.com';
  const password = 'a good bench';
  const { link } = await owner<{ link: string }>('POST', `/api/organizations/${currentOrgId}/invitations`, {
    email,
    role: 'reviewer',
  });
  const anyone = callerOf(server.url);
  const accepted = new URL(link).pathname.replace('/invite/', '/api/invitations/');
  await anyone('POST', `${accepted}/accept`, { name: 'Greta Holm', password });
  return (await anyone<{ token: string }>('POST', '/api/auth/login', { email, password })).token;
}

/** The owner types ten steps, makes the fifth an approval and submits; the reviewer approves and merges. */
async function publish(author: Page, reviewer: Page): Promise<void> {
  await author.goto(`${server.url}/app/editor?key=new&mode=edit&template=blank`);
  await author.getByLabel('Workflow Name').and(author.locator(':focus')).waitFor();
  await typeSteps(author, TWELVE_STEPS.slice(0, 10));
  await author.keyboard.press('Escape');
  await author.keyboard.press('Control+Z');
  await button(author, 'Actions for step 5').click();
  await author.getByRole('menuitem', { name: /details/i }).click();
  const pane = author.getByRole('complementary', { name: 'Step 5' });
  await pane.getByLabel('Type').selectOption('approval');
  await button(author, 'Submit for review').click();
  await dialog(author).getByRole('button', { name: 'Submit', exact: true }).click();
  await author.getByText('Submitted for review', { exact: true }).waitFor();

  await reviewer.goto(`${server.url}/app/tasks`);
  await reviewer.getByRole('region', { name: 'To review' }).getByRole('link').first().click();
  await button(reviewer, 'Approve').click();
  await dialog(reviewer).getByRole('button', { name: 'Approve', exact: true }).click();
  await button(reviewer, 'Merge as v1').click();
  await dialog(reviewer).getByRole('button', { name: 'Merge as v1', exact: true }).click();
  await reviewer.getByText('v1 is live', { exact: true }).waitFor();
}

/** In My tasks on a phone: fills in a form with a photo and completes the step. */
async function completeWithPhoto(page: Page): Promise<void> {
  await page.goto(`${server.url}/app/tasks`);
  await page.locator('[data-task-id]').first().click();
  await page.getByLabel('Finding').click();
  await page.keyboard.type('Water comes in.');
  const chosen = page.waitForEvent('filechooser');
  await page.getByText('Choose photos').click();
  await (await chosen).setFiles({ name: 'pier.png', mimeType: 'image/png', buffer: PHOTO });
  await page.getByRole('list', { name: 'Files: Photo' }).getByText('pier.png').waitFor();
  await button(page, 'Complete').click();
  await page
    .getByText(/Step Completed/)
    .first()
    .waitFor();
}

/** In Documentation: finds the version in force today, who approved it, and its certificate. */
async function proveToAuditor(page: Page): Promise<void> {
  await page.goto(`${server.url}/app/docs`);
  await page.getByRole('row', { name: /^Purchase approval/ }).click();
  const version = page.getByRole('list', { name: 'Versions' }).getByRole('listitem').first();
  await version.getByText(/^In force/).waitFor();
  await version.getByText(/^Approved by Greta Holm/).waitFor();
  await version.getByRole('button', { name: /^Certificate/ }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'PDF' }).click();
  await downloading;
}

try {
  await server.start();
  const { token } = await signedUp(server.url, TEAM);
  const owner = callerOf(server.url, token);
  const [author, reviewer] = [await opened(token), await opened(await reviewerOf(owner))];

  let began = performance.now();
  await publish(author.page, reviewer.page);
  report('a procedure of ten steps with an approval, built and published', [author.presses(), reviewer.presses()], {
    decisions: 12,
    limit: 240,
    began,
  });

  const steps = [
    { id: 'look', title: 'Inspect', type: 'manual', assignee: 'owner', config: { fields: FIELDS }, next: [] },
  ];
  const solo = await signedUp(server.url, { email: 'ines@example.com', name: 'Ines Weber' });
  const drafts = '/api/workflows/inspection/drafts';
  const { draftId } = await solo.post<{ draftId: string }>(drafts, { metadata: { title: 'Inspection' }, steps });
  for (const act of ['approve', 'merge']) await solo.post(`${drafts}/${draftId}/${act}`);
  await solo.post('/api/runs', { key: 'inspection', name: 'Pier 4' });
  const phone = await opened(solo.token, PHONE);
  began = performance.now();
  await completeWithPhoto(phone.page);
  report('a step with a photo, carried out on a phone', [phone.presses()], { decisions: 2, limit: 40, began });

  began = performance.now();
  await proveToAuditor(author.page);
  report('which version is in force, who approved it, and its certificate', [author.presses()], {
    decisions: 3,
    limit: 60,
    began,
  });
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
