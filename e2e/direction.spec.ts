import { type Locator, type Page, expect, test } from '@playwright/test';
import { expectIsolated } from './direction.ts';
import { type Team, WORDS, rightToLeftTeam } from './right-to-left-team.ts';

type Screen = {
  name: string;
  address: (team: Team) => string;
  /** Text that is shown once the screen has loaded. */
  shows: string;
  /** Opens another part of the screen, and returns it. */
  open?: (page: Page) => Promise<Locator>;
};

const press = async (target: Locator, opens: Locator): Promise<Locator> => {
  await target.click();
  return opens;
};
const dialog = (page: Page) => page.getByRole('dialog');
const panel = (page: Page) => page.getByRole('complementary');

const SCREENS: readonly Screen[] = [
  {
    name: 'runs with a run’s panel',
    address: () => '/app/runs',
    shows: WORDS.run,
    open: (page) => press(page.locator('tr[data-run-id]').first(), panel(page).getByText(WORDS.owner).first()),
  },
  { name: 'a run', address: ({ runId }) => `/app/runs/${runId}`, shows: WORDS.high },
  {
    name: 'a run with the skip dialog',
    address: ({ runId }) => `/app/runs/${runId}`,
    shows: WORDS.high,
    open: (page) => press(page.getByRole('button', { name: 'Skip', exact: true }), dialog(page)),
  },
  { name: 'a run that has ended', address: ({ endedRunId }) => `/app/runs/${endedRunId}`, shows: WORDS.failure },
  { name: 'execution', address: ({ key, runId }) => `/app/workflows/run/${key}/${runId}`, shows: WORDS.first },
  { name: 'workflows', address: () => '/app/workflows', shows: WORDS.other },
  {
    name: 'builder with a step',
    address: ({ key }) => `/app/workflows?builder=edit&key=${key}`,
    shows: WORDS.firstOfNow,
    open: (page) => press(page.getByRole('button', { name: 'Edit step 2', exact: true }), dialog(page).last()),
  },
  {
    name: 'documentation with a workflow’s panel',
    address: () => '/app/docs',
    shows: WORDS.other,
    open: (page) => press(page.locator('tr[data-key=suppliers]'), panel(page).getByText(WORDS.decide)),
  },
  { name: 'a search', address: () => '/app/docs?q=המסמכים', shows: WORDS.firstOfNow },
  { name: 'a document', address: ({ key }) => `/app/docs/${key}`, shows: WORDS.decide },
  { name: 'a review', address: ({ key, draftId }) => `/app/review?key=${key}&id=${draftId}`, shows: WORDS.comment },
  {
    name: 'a rebase',
    address: ({ key, overtakenId }) => `/app/rebase?key=${key}&id=${overtakenId}`,
    shows: WORDS.firstOfNow,
  },
  { name: 'a comparison', address: ({ key }) => `/app/compare?key=${key}&from=1&to=2`, shows: '4!' },
  {
    name: 'audit',
    address: () => '/app/audit',
    shows: WORDS.reviewer,
    open: (page) => press(page.locator('tr[data-seq] button').first(), page.locator('tr[data-details]')),
  },
  {
    name: 'tasks with a task’s panel',
    address: () => '/app/tasks',
    shows: WORDS.run,
    open: (page) => press(page.locator('[data-task-id]').first(), panel(page).getByText(WORDS.task)),
  },
  {
    name: 'notifications',
    address: () => '/app/tasks',
    shows: WORDS.run,
    open: (page) =>
      press(page.getByRole('button', { name: /^Notifications/ }), page.locator('[data-notifications] li').first()),
  },
  { name: 'the choice of a workflow', address: () => '/app/editor', shows: WORDS.other },
  {
    name: 'the editor',
    address: ({ key, draftId }) => `/app/editor?key=${key}&mode=edit&draftId=${draftId}`,
    shows: WORDS.high,
  },
  {
    name: 'members with the removal dialog',
    address: () => '/app/settings/members',
    shows: WORDS.reviewer,
    open: (page) => press(page.getByRole('button', { name: `Remove ${WORDS.reviewer}` }), dialog(page)),
  },
  { name: 'the organization', address: () => '/app/settings/organization', shows: WORDS.team },
  { name: 'the older client', address: () => '/app/legacy-workflows', shows: WORDS.run },
];

test('names in Arabic and Hebrew don’t change the order of the text beside them', async ({ browser }) => {
  const context = await browser.newContext();
  const team = await rightToLeftTeam(context.request);
  await context.addInitScript((token) => localStorage.setItem('stet_token', token), team.owner.token);
  const page = await context.newPage();
  for (const { name, address, shows, open } of SCREENS) {
    await test.step(name, async () => {
      await page.goto(address(team));
      await expect(
        page.locator('main, [role=dialog]').getByText(shows).filter({ visible: true }).first(),
      ).toBeVisible();
      if (open) await expect((await open(page)).first()).toBeVisible();
      await expectIsolated(page);
    });
  }
});
