// Counts the clicks of people's work in a newly filled demo: node --import tsx bench/jobs/work.ts http://127.0.0.1:3000
// Exits with 1 if a job takes more clicks than allowed.
import type { Browser, Page } from '@playwright/test';
import { launched } from '../browser.ts';
import { type Presses, countPresses } from './presses.ts';

const url = process.argv[2] ?? 'http://127.0.0.1:3000';
const PASSWORD = 'let-it-stand';

/** Signs in at the login page. Clicks are counted from then on. */
async function signedIn(browser: Browser, email: string, width: number, height: number, home = 'My tasks') {
  const page = await browser.newPage({ viewport: { width, height } });
  const presses = await countPresses(page);
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: home, level: 1 }).waitFor();
  presses();
  return { page, presses };
}

const countReviews = (page: Page): Promise<number> =>
  page.evaluate(`fetch('/api/tasks/reviews/count', { headers: { authorization: 'Bearer ' + localStorage.getItem('stet_token') } })
    .then((response) => response.json()).then(({ count }) => count)`);

async function approveReview(page: Page): Promise<void> {
  const before = await countReviews(page);
  await page.getByRole('region', { name: 'To review' }).getByRole('link').first().click();
  await page
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Approve/ });
  for (const until = Date.now() + 20_000; (await countReviews(page)) >= before;) {
    if (Date.now() > until) throw new Error('the review was not approved');
    if (await confirm.isVisible()) await confirm.click();
    await page.waitForTimeout(200);
  }
}

/** Completes a due task, from opening the list until the next task is open. */
async function doTask(page: Page): Promise<void> {
  const title = page.getByRole('complementary').getByRole('heading', { level: 2 });
  await page.locator('[data-task-id]').first().click();
  const before = await title.textContent();
  await page.getByRole('complementary').getByRole('button', { name: 'Approve' }).click();
  await page.getByText(/Next: /).waitFor();
  if ((await title.textContent()) === before) throw new Error('the next task is not open');
}

/** Finds out who is late in a run and with which step. */
async function seeWhoIsLate(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).first().click();
  await page.getByRole('row').filter({ hasText: 'Breached' }).first().click();
  const panel = page.getByRole('complementary', { name: /^Run / });
  await panel.getByText(/ is with .+, .+ over| took \d+ % of its SLA| ran past its due time/).waitFor();
}

/** In Documentation: finds out when an earlier version was in force and who approved it. Downloads its certificate. */
async function certifyVersion(page: Page): Promise<void> {
  await page.getByRole('row', { name: /^Vendor onboarding/ }).click();
  const versions = page.getByRole('list', { name: 'Versions' });
  const superseded = versions.getByRole('listitem').filter({ hasText: 'Superseded' }).first();
  await superseded.getByText(/^In force/).waitFor();
  await superseded.getByText(/^Approved by/).waitFor();
  await superseded.getByRole('button', { name: /^Certificate/ }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'PDF' }).click();
  await downloading;
}

/** Opens a review, asks a colleague in a comment, and requests changes. */
async function requestChanges(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'To review' }).getByRole('link').first().click();
  const discussion = page.getByRole('region', { name: 'Discussion' });
  await discussion.getByRole('textbox').click();
  await page.keyboard.type('@sam');
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' which list?');
  await discussion.getByRole('button', { name: 'Comment', exact: true }).click();
  await discussion.getByText('which list?').waitFor();
  await page.getByPlaceholder(/^Leave a comment/).click();
  await page.keyboard.type('Please name the list.');
  await page.getByRole('button', { name: 'Request changes', exact: true }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Request changes', exact: true });
  const requested = page.getByText('Changes requested', { exact: true }).first();
  await requested.or(confirm).first().waitFor();
  if (await confirm.isVisible()) await confirm.click();
  await requested.waitFor();
}

/** In a run: asks a colleague about the whole run. */
async function askColleague(page: Page): Promise<void> {
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await conversation.getByRole('textbox', { name: /^Write a note/ }).click();
  await page.keyboard.type('@priya');
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' is this right?');
  await conversation.getByRole('button', { name: 'Send' }).click();
  await conversation.getByText('is this right?').waitFor();
}

/** In a run: hands a step over to a colleague, with a reason. */
async function handOver(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Hand over…' }).first().click();
  await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('priya');
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('I am away');
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over', exact: true }).click();
  await page.getByText('Step Handed Over').waitFor();
}

/** In Runs: finds the slowest step of a workflow. */
async function findBottleneck(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Insights', exact: true }).click();
  await page.getByRole('link', { name: 'Vendor onboarding', exact: true }).first().click();
  await page.getByText(/^The slowest step is /).waitFor();
}

/** In Runs: pauses the first three runs. */
async function pauseThree(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
  await boxes.nth(0).click();
  await boxes.nth(2).click({ modifiers: ['Shift'] });
  await page.getByRole('group', { name: 'Selected runs' }).getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('3 of 3 runs changed').waitFor();
}

const browser = await launched();
const results: [string, Presses, number][] = [];
const ellen = await signedIn(browser, 'ellen.park@haldenworks.example', 1440, 900);
await approveReview(ellen.page);
results.push(['from sign-in to an approved review', ellen.presses(), 3]);
const jonas = await signedIn(browser, 'jonas.weber@haldenworks.example', 390, 844);
await doTask(jonas.page);
results.push(['a due task on a phone, with the next one open', jonas.presses(), 3]);
const mara = await signedIn(browser, 'mara.lindqvist@haldenworks.example', 1440, 900, 'Workflow Editor');
await seeWhoIsLate(mara.page);
results.push(['who is late in one run, and why', mara.presses(), 2]);
const tomas = await signedIn(browser, 'tomas.oliveira@haldenworks.example', 1440, 900, 'Workflow Editor');
await tomas.page.goto(`${url}/app/docs`);
await certifyVersion(tomas.page);
results.push(['what was in force, who approved it, and its certificate', tomas.presses(), 3]);
await ellen.page.goto(`${url}/app/tasks`);
await requestChanges(ellen.page);
results.push(['ask a colleague in a review, and request changes', ellen.presses(), 6]);
const sam = await signedIn(browser, 'sam.okafor@haldenworks.example', 1440, 900, 'Workflow Editor');
await sam.page.goto(`${url}/app/tasks?show=me`);
await sam.page.locator('[data-task-id]').first().focus();
await sam.page.keyboard.press('Enter');
await sam.page.getByRole('region', { name: 'Conversation' }).waitFor();
sam.presses();
await askColleague(sam.page);
results.push(['ask a colleague in a run', sam.presses(), 2]);
await handOver(sam.page);
results.push(['hand a step over', sam.presses(), 2]);
await mara.page.goto(`${url}/app/runs`);
await findBottleneck(mara.page);
results.push(['find the slowest step of a workflow', mara.presses(), 2]);
await mara.page.goto(`${url}/app/runs`);
await pauseThree(mara.page);
results.push(['pause three runs', mara.presses(), 4]);
await browser.close();

for (const [job, { clicks, keys }, most] of results) {
  console.log(`${job}: ${clicks} clicks, ${keys} keys (at most ${most} clicks)`);
  if (clicks > most) process.exitCode = 1;
}
