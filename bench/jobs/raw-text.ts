// Looks for members' email addresses, ids and JSON on a demo's screens, as different people. Prints each match with the
// screen's path, and exits with 1 if there are any. Other email addresses are allowed.
// Usage: node --import tsx bench/jobs/raw-text.ts http://127.0.0.1:3000
import type { Page } from '@playwright/test';
import { launched, windowOf } from '../browser.ts';
import { signedIn } from '../web-routes.ts';

const url = process.argv[2] ?? 'http://127.0.0.1:3000';
const PEOPLE = ['mara.lindqvist', 'jonas.weber', 'ellen.park', 'sam.okafor'].map(
  (name) => `${name}@haldenworks.example`,
);
// The specification shows the draft's id in the header of a review.
const QUOTED = /Draft: [\da-f-]{36}/g;
const RAW = [
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  /\{\s*"[^"]*"\s*:[^}]*|\[\s*(?:\{|")[^\]]*|\[object Object\]/g,
];

// A new account, which sees the "Get started" checklist.
const NEWCOMER = 'noor@haddad.example';

type Run = { id: string; workflowKey: string };
type Review = { workflowKey: string; draftId: string };

/** Waits until the screen is loaded and no longer changes. Returns its visible text, without the frame. */
async function textOf(page: Page): Promise<string> {
  const read = (): Promise<string> =>
    page.evaluate(
      `document.querySelector('main [aria-busy="true"]') ? '' : [...document.querySelectorAll('main, [role="dialog"], aside')].map((each) => each.innerText).join('\\n')`,
    );
  let text = '';
  for (let turn = 0; turn < 60; turn += 1) {
    const before = text;
    text = await read();
    if (text !== '' && text === before) return text;
    await page.waitForTimeout(250);
  }
  throw new Error(`${page.url()} doesn't settle`);
}

/** Opens collapsed details and the rest of lists. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(`document.querySelectorAll('main details').forEach((each) => { each.open = true; })`);
  for (const name of [/^Show all/, /^Load more/])
    for (const button of await page.getByRole('main').getByRole('button', { name }).all())
      if (await button.isVisible()) await button.click();
}

const browser = await launched();
const finds = new Set<string>();
let seen = 0;
let members: readonly string[] = [];

async function look(page: Page, who: string, address: string): Promise<void> {
  await textOf(page);
  await unfold(page);
  const text = await textOf(page);
  seen += 1;
  const add = (found: string): void => {
    finds.add(`${who} at ${address}: ${found.slice(0, 120)}`);
  };
  for (const pattern of RAW) for (const [found] of text.replaceAll(QUOTED, '').matchAll(pattern)) add(found);
  for (const member of members) if (text.includes(member)) add(member);
}

for (const email of PEOPLE) {
  const { token, call } = await signedIn(url, email);
  const [who = ''] = email.split('@');
  const { currentOrgId } = await call<{ currentOrgId: string }>('GET', '/api/auth/me');
  const users = await call<{ email: string }[]>('GET', `/api/organizations/${currentOrgId}/users`);
  members = users.map((user) => user.email);
  const runs = await call<Run[]>('GET', '/api/runs?limit=200');
  const reviews = await call<Review[]>('GET', '/api/tasks/reviews');
  // Everyone sees the same runs. Only the offered actions differ, so the other people open only three runs.
  const opened = email === PEOPLE[0] ? runs : runs.slice(0, 3);
  const context = await windowOf(browser, token);
  const page = await context.newPage();
  const addresses = [
    '/app/tasks',
    '/app/runs',
    '/app/runs?status=failed',
    '/app/notifications',
    ...reviews.map(({ workflowKey, draftId }) => `/app/review?key=${workflowKey}&id=${draftId}`),
    ...opened.flatMap(({ id, workflowKey }) => [`/app/runs/${id}`, `/app/workflows/run/${workflowKey}/${id}`]),
  ];
  for (const address of addresses) {
    await page.goto(url + address);
    await look(page, who, address);
  }
  await page.goto(`${url}/app/tasks`);
  await textOf(page);
  for (const task of (await page.locator('[data-task-id]').all()).slice(0, 10)) {
    await task.click();
    await look(page, who, 'a task');
  }
  await page.goto(`${url}/app/runs`);
  await textOf(page);
  for (const row of (await page.locator('tr[data-run-id]').all()).slice(0, 7)) {
    await row.click();
    await look(page, who, 'the panel of a run');
  }
  await context.close();
}
const newcomer = await windowOf(browser, (await signedIn(url, NEWCOMER)).token);
const start = await newcomer.newPage();
for (const address of ['/app', '/app/tasks', '/app/notifications']) {
  await start.goto(url + address);
  await look(start, 'newcomer', address);
}
await browser.close();
for (const find of finds) console.log(find);
console.log(`${seen} screens, ${finds.size} finds`);
if (finds.size > 0) process.exitCode = 1;
