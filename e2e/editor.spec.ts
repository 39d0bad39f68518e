import { readFileSync } from 'node:fs';
import { type Browser, type Page, expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { pickUp } from './drag.ts';
import { countPresses, estimatedSeconds } from '../bench/jobs/presses.ts';
import { TWELVE_STEPS, typeSteps } from '../bench/jobs/twelve-steps.ts';

let people = 0;

/** Signs up a person and returns their page and session token. */
async function signedUp(browser: Browser): Promise<{ page: Page; token: string }> {
  const context = await browser.newContext();
  const email = `editor-${process.pid}-${(people += 1)}@haldenworks.example`;
  const answer = await context.request.post('/api/auth/signup', {
    data: { email, name: 'Priya Nair', password: 'a good secret' },
  });
  const { token } = (await answer.json()) as { token: string };
  return { page: await signedIn(browser, token), token };
}

async function signedIn(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  await context.addInitScript((savedToken) => localStorage.setItem('stet_token', savedToken), token);
  return context.newPage();
}

const step = (id: string, title: string) => ({ id, title, assignee: 'auto', sla: '1h', description: `${title}.` });

/** Creates a workflow with a draft through the API. Returns the draft's address in the editor. */
async function aDraft(
  page: Page,
  token: string,
  key: string,
  steps = [step('a', 'Register'), step('b', 'Assess'), step('c', 'Sign')],
): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const data = { metadata: { title: 'Vendor onboarding', description: '' }, steps };
  const answer = await page.request.post(`/api/workflows/${key}/drafts`, { headers, data });
  const { draftId } = (await answer.json()) as { draftId: string };
  return `/app/editor?key=${key}&mode=edit&draftId=${draftId}`;
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Steps' });
const cell = (page: Page, name: string | RegExp) => grid(page).getByRole('gridcell', { name });
const titles = (page: Page) => grid(page).locator('[data-step] [aria-colindex="3"] b').allTextContents();
const unsaved = (page: Page) => page.getByText('Unsaved changes', { exact: true });
const save = (page: Page) => page.keyboard.press('Control+S');

test('a workflow is created from a template, and its table is edited with the keyboard alone', async ({ browser }) => {
  const { page } = await signedUp(browser);
  await page.goto('/app/editor');
  await page.getByRole('button', { name: 'Create New' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: /Blank Workflow/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Document Review/ })).toBeVisible();
  await page.getByRole('link', { name: /Approval Process/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Workflow Name')).toHaveValue('New Approval Process Workflow');
  const before = await titles(page);
  expect(before).toHaveLength(4);

  // Typing replaces the cell's text, Tab commits it and moves to the next cell, and Enter opens or commits a cell.
  await cell(page, /Submit/)
    .first()
    .focus();
  await page.keyboard.type('Hand in');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('system');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await expect(cell(page, 'system').first()).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByText('Hand in moved to position 2 of 4.')).toBeAttached();
  expect(await titles(page)).toEqual([before[1], 'Hand in', before[2], before[3]]);
  await page.keyboard.press('Control+Z');
  expect((await titles(page))[0]).toBe('Hand in');
  await page.keyboard.press('Control+Shift+Z');

  await page.getByRole('button', { name: 'View Changes' }).click();
  const changes = page.getByRole('dialog', { name: 'Workflow Changes' });
  await expect(changes.getByText('1 modified')).toBeVisible();
  await expect(changes.locator('ins').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(changes).toBeHidden();

  await save(page);
  await expect(page.getByText('Workflow Saved', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/draftId=/);
  await page.reload();
  await expect(page.getByText('Workflow Loaded', { exact: true })).toBeVisible();
  expect(await titles(page)).toEqual([before[1], 'Hand in', before[2], before[3]]);
});

test('twelve steps are typed into an empty workflow with the keyboard alone', async ({ browser }) => {
  const { page } = await signedUp(browser);
  const presses = await countPresses(page);
  await page.goto('/app/editor?key=new&mode=edit&template=blank');
  await expect(page.getByLabel('Workflow Name')).toBeFocused();
  const keys = await typeSteps(page);
  // The page reports each press separately, so the last one may arrive a moment later.
  await expect.poll(presses).toEqual({ keys, clicks: 0 });
  const counted = presses();
  // The estimate includes one decision per step.
  expect(estimatedSeconds({ ...counted, decisions: TWELVE_STEPS.length })).toBeLessThanOrEqual(170);
  // The last Tab added a thirteenth step, which is undone here.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Z');
  await save(page);
  await expect(page.getByText('Workflow Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(TWELVE_STEPS.map(([title]) => title));
  expect(await grid(page).locator('[data-step] [aria-colindex="4"]').allInnerTexts()).toEqual(
    TWELVE_STEPS.map(([, assignee]) => expect.stringContaining(assignee)),
  );
  await expect(cell(page, '2 days 4 hours')).toBeVisible();
});

test('a slow click right after typing hits the element on which it began', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.goto(await aDraft(page, token, 'clicked'));
  const held = { delay: 90 };
  await cell(page, 'Register.').click(held);
  await page.keyboard.type('Note who asks.');
  await cell(page, 'Assess.').click(held);
  await expect(page.getByRole('textbox', { name: 'Step 2, task' })).toBeFocused();
  await page.keyboard.type('Score by spend.');
  await page.getByRole('button', { name: 'Actions for step 3' }).click(held);
  await expect(page.getByRole('menu', { name: 'Step 3' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: /^Before the change/ })).toHaveCount(2);
  await cell(page, 'Sign.').click(held);
  await page.keyboard.type('Two signatures.');
  await page.getByRole('button', { name: 'Save' }).first().click(held);
  await expect(page.getByText('Workflow Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(cell(page, 'Two signatures.')).toBeVisible();
});

test('a cell reached with the arrow keys is never covered by a bar', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  const headers = { authorization: `Bearer ${token}` };
  const steps = Array.from({ length: 40 }, (_, index) => step(`s${index}`, `Step ${index + 1}`));
  const data = { metadata: { title: 'Long', description: '' }, steps };
  await page.request.post('/api/workflows/long/drafts', { headers, data });
  const press = async (key: string, times: number) => {
    for (let pressed = 0; pressed < times; pressed++) {
      await page.keyboard.press(key);
      await expectFocusInSight(page);
    }
  };
  for (const width of [1440, 390]) {
    // The bottom bar appears once this request gets its response.
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/runs/summary', async (route) => {
      await asked;
      await route.continue();
    });
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/app/editor?key=long&mode=edit');
    await cell(page, /Step 1$/).focus();
    await press('ArrowDown', 20);
    answer();
    await expect(page.getByRole('region', { name: 'Get started' })).toBeVisible();
    await expectFocusInSight(page);
    await press('ArrowDown', 5);
    await press('ArrowUp', 25);
  }
});

/** Checks that no bar covers the top or the bottom of the focused element. */
async function expectFocusInSight(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const focused = document.activeElement;
        const { left, top, bottom } = focused?.getBoundingClientRect() ?? new DOMRect();
        return [top + 2, bottom - 2].every((y) => focused?.contains(document.elementFromPoint(left + 4, y)));
      }),
    )
    .toBe(true);
}

test('a row is moved by its handle, with the mouse and with the keyboard', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.goto(await aDraft(page, token, 'dragged'));
  const handle = page.getByRole('button', { name: 'Move step 1' });
  const [from, to] = [
    await handle.boundingBox(),
    await page.getByRole('button', { name: 'Move step 3' }).boundingBox(),
  ];
  if (!from || !to) throw new Error('no handles');
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, from.y + 9);
  await expect(page.locator('[data-dragging]')).toHaveCount(0);
  await page.mouse.move(from.x + 5, from.y + 20, { steps: 3 });
  await expect(page.locator('[data-dragging]')).toHaveCount(1);
  await page.mouse.move(to.x + 5, to.y + 10, { steps: 10 });
  await page.mouse.up();
  await expect.poll(() => titles(page)).toEqual(['Assess', 'Sign', 'Register']);

  await page.getByRole('button', { name: 'Move step 1' }).focus();
  await pickUp(page, 'Assess', 'position 1 of 3');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText(/^Assess is over position [23] of 3/)).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Assess dropped at position [23] of 3/)).toBeAttached();
  expect((await titles(page))[0]).toBe('Sign');
});

test('keys pressed right after picking up a row are not lost', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.goto(await aDraft(page, token, 'quick'));
  const handle = page.getByRole('button', { name: 'Move step 1', exact: true });
  await expect(handle).toBeVisible();
  for (let attempt = 0; attempt < 20; attempt++) {
    const [first, second, third] = await titles(page);
    await handle.focus();
    // All four keys are pressed together, faster than the page can react.
    await Promise.all(['Space', 'ArrowDown', 'ArrowDown', 'Space'].map((key) => page.keyboard.press(key)));
    await expect.poll(() => titles(page), { message: `attempt ${attempt + 1}` }).toEqual([second, first, third]);
  }
});

test('in a long workflow, the active row stays visible when the view is switched', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  const steps = Array.from({ length: 200 }, (_, n) => step(`s${n + 1}`, `Check part ${n + 1}`));
  await page.goto(`${await aDraft(page, token, 'long', steps)}&view=builder`);
  await page.getByRole('gridcell', { name: '1, Check part 1', exact: true }).focus();
  await page.keyboard.press('End');
  for (let press = 0; press < 5; press++) await page.keyboard.press('PageUp');
  const active = page.getByRole('row', { name: /Check part 150/ });
  await expect(active).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Open as table' }).click();
  await expect(cell(page, 'manual: Check part 150')).toBeFocused();
  await expect(cell(page, 'manual: Check part 150')).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Open in builder' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('gridcell', { name: '150, Check part 150' })).toBeFocused();
  await expect(active).toBeInViewport({ ratio: 1 });
});

test('the second of two browsers that save the same draft sees the conflict and merges both changes', async ({
  browser,
}) => {
  const { page, token } = await signedUp(browser);
  const address = await aDraft(page, token, 'shared');
  const other = await signedIn(browser, token);
  await page.goto(address);
  await other.goto(address);
  await expect(cell(other, /Register$/)).toBeVisible();

  await cell(page, 'Assess.').click();
  await page.keyboard.type('Score by spend.');
  await page.keyboard.press('Enter');
  await page.getByLabel('Description').fill('Theirs');
  await save(page);
  await expect(page.getByText('Workflow Saved', { exact: true })).toBeVisible();

  await cell(other, 'Sign.').click();
  await other.keyboard.type('Two signatures.');
  await other.keyboard.press('Enter');
  await other.getByLabel('Description').fill('Mine');
  await save(other);
  const conflict = other.getByRole('dialog', { name: 'This draft was saved elsewhere' });
  await expect(conflict).toContainText('Priya Nair saved this draft in the meantime');
  await expectAccessible(other);
  await conflict.getByRole('button', { name: 'Resolve the conflict' }).click();
  const merge = other.getByRole('dialog', { name: 'Merge both changes' });
  await expect(merge).toContainText('You both made different changes in 1 place.');
  await merge.getByRole('radio', { name: /^Mine/ }).check();
  await expectAccessible(other);
  await merge.getByRole('button', { name: 'Use merged version' }).click();
  await expect(cell(other, 'Score by spend.')).toBeVisible();
  await expect(cell(other, 'Two signatures.')).toBeVisible();
  await save(other);
  await expect(other.getByText('Workflow Saved', { exact: true })).toBeVisible();

  await page.reload();
  await expect(cell(page, 'Two signatures.')).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveValue('Mine');
});

test('edits to a draft that was merged or discarded elsewhere can be saved as a new draft', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  const address = await aDraft(page, token, 'closed');
  await page.goto(address);
  const other = await signedIn(browser, token);
  await other.goto(address);
  const gone = page.getByRole('dialog', { name: 'This draft is no longer open' });
  const saved = page.getByText('Workflow Saved', { exact: true });

  await cell(page, 'Sign.').click();
  await page.keyboard.type('Two signatures.');
  await page.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Publish' }).click();
  await expect(other.getByText('v1 is live')).toBeVisible();
  await save(page);
  await expect(gone).toContainText('This draft was already merged as version 1');
  await expectAccessible(page);
  await gone.getByRole('button', { name: 'Save as a new draft' }).click();
  await expect(saved).toBeVisible();
  await expect(unsaved(page)).toBeHidden();
  await expect(page).not.toHaveURL(address);

  await page.getByLabel('Description').fill('Kept');
  const draftId = new URL(page.url()).searchParams.get('draftId') ?? '';
  const headers = { authorization: `Bearer ${token}` };
  const discarded = await page.request.delete(`/api/workflows/closed/drafts/${draftId}`, { headers });
  expect(discarded.ok()).toBe(true);
  await save(page);
  await expect(gone).toBeVisible();
  // The edits are stored in the browser, so closing the tab loses nothing.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('stet_unsaved'))))
    .toBe(true);
  const left = page.url();
  await page.close({ runBeforeUnload: false });
  const again = await page.context().newPage();
  await again.goto(left);
  await expect(again.getByText(/The draft at this address no longer exists/)).toBeVisible();
  await expect(cell(again, 'Sign.')).toBeVisible();
  await again.getByRole('button', { name: 'Restore unsaved changes' }).click();
  await expect(again.getByLabel('Description')).toHaveValue('Kept');
  await save(again);
  await expect(again.getByText('Workflow Saved', { exact: true })).toBeVisible();
  await again.reload();
  await expect(cell(again, 'Two signatures.')).toBeVisible();
  await expect(again.getByLabel('Description')).toHaveValue('Kept');
});

test('a workflow is exported, then imported after a preview of the changes', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.goto(await aDraft(page, token, 'travelling'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('travelling.yaml');
  await expect(page.getByText('Workflow Exported')).toBeVisible();
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain('title: Register');

  const choose = async (name: string, content: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import' }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  };
  await choose('travelling.yaml', text);
  const preview = page.getByRole('dialog', { name: 'Import travelling.yaml' });
  await expect(preview).toContainText('The file contains no changes.');
  await preview.getByRole('button', { name: 'Close' }).click();

  await choose('broken.yaml', 'steps:\n  - id: a\n    title: [unclosed\n');
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /Line 4, column 1/ })
      .first(),
  ).toBeVisible();
  await expect(unsaved(page)).toBeHidden();
  await choose('notes.txt', 'x');
  await expect(page.getByText('Unsupported file format').first()).toBeVisible();
  await page.keyboard.press('Escape');

  await choose('travelling.yml', text.replace('title: Assess', 'title: Assess the risk'));
  await expect(page.getByRole('dialog', { name: 'Import travelling.yml' })).toContainText('1 modified');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('Import Successful')).toBeVisible();
  expect(await titles(page)).toEqual(['Register', 'Assess the risk', 'Sign']);
  await expect(unsaved(page)).toBeVisible();
  await page.keyboard.press('Control+Z');
  await expect(unsaved(page)).toBeHidden();
});

test('rows pasted from a spreadsheet are one change that can be undone', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await page.goto(await aDraft(page, token, 'pasted'));
  await cell(page, /Sign$/).focus();
  await page.evaluate(() =>
    navigator.clipboard.writeText('Countersign\tauto\t2h\t"Two\nlines"\nArchive\tsystem\t1d\tFile it\n'),
  );
  await page.keyboard.press('Control+V');
  await expect.poll(() => titles(page)).toEqual(['Register', 'Assess', 'Countersign', 'Archive']);
  await expect(page.getByText('Pasted: 1 row filled, 1 step added. You can undo it.')).toBeAttached();
  await page.keyboard.press('Control+Z');
  expect(await titles(page)).toEqual(['Register', 'Assess', 'Sign']);
});

test('a duplicated workflow can be published and run', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  await aDraft(page, token, 'source');
  await page.goto('/app/editor');
  await page.getByRole('listitem', { name: 'Vendor onboarding' }).getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByText('Workflow Duplicated')).toBeVisible();
  await expect(page.getByLabel('Workflow Name')).toHaveValue('Vendor onboarding (Copy)');
  await expect(unsaved(page)).toBeVisible();
  await page.getByRole('button', { name: 'Start Run' }).click();
  await expect(page.getByText('Save the workflow before starting a run', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('v1 is live')).toBeVisible();
  await expect(page).toHaveURL(/key=source-copy-\d+/);
  await page.getByRole('button', { name: 'Start Run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start Workflow Run' });
  await dialog.getByLabel('Run Name').fill('First run of the copy');
  await dialog.getByRole('button', { name: 'Start Run' }).click();
  await expect(page.getByRole('heading', { name: 'First run of the copy' })).toBeVisible();
});

test('leaving with unsaved changes shows a warning, and a crash doesn’t lose them', async ({ browser }) => {
  const { page, token } = await signedUp(browser);
  const address = await aDraft(page, token, 'guarded');
  await page.goto('/app/editor');
  await page.getByRole('listitem', { name: 'Vendor onboarding' }).getByRole('button', { name: 'Edit' }).click();
  await expect(grid(page)).toBeVisible();
  await page.getByLabel('Description').fill('Not saved yet');
  const asks = page.getByText('You have unsaved changes. Are you sure you want to go back?');
  for (const leave of [
    () => page.getByRole('button', { name: 'Back' }).click(),
    () => page.goBack({ waitUntil: 'commit' }),
    () => page.getByRole('link', { name: 'Runs' }).first().click(),
  ]) {
    await leave();
    await expect(asks).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(asks).toBeHidden();
    await expect(page.getByLabel('Description')).toHaveValue('Not saved yet');
  }

  // The edits are stored in the browser, but other tabs don't offer to restore them while this tab is open.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('stet_unsaved')).length))
    .toBe(1);
  const beside = await page.context().newPage();
  await beside.goto(address);
  await expect(grid(beside)).toBeVisible();
  await beside.evaluate(() => navigator.locks.query());
  await expect(beside.getByRole('button', { name: 'Restore unsaved changes' })).toBeHidden();
  await beside.close();

  // The tab is closed without a prompt, as in a crash.
  await page.close({ runBeforeUnload: false });
  const again = await page.context().newPage();
  await again.goto(address);
  await expect(again.getByRole('button', { name: 'Restore unsaved changes' })).toBeVisible();
  await expect(again.getByLabel('Description')).toHaveValue('');
  await expectAccessible(again);
  await again.getByRole('button', { name: 'Restore unsaved changes' }).click();
  await expect(again.getByLabel('Description')).toHaveValue('Not saved yet');
  await expect(unsaved(again)).toBeVisible();

  let dialogs = 0;
  again.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.accept();
  });
  await again.reload();
  expect(dialogs).toBe(1);
  await again.getByRole('button', { name: 'Discard them' }).click();
  await again.reload();
  await expect(grid(again)).toBeVisible();
  await expect(again.getByRole('button', { name: 'Restore unsaved changes' })).toBeHidden();
});
