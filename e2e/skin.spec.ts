import { type Page, expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

type Address = readonly [name: string, path: string];

/**
 * Signs up a person and creates a live workflow, a run of it and an open draft. Returns the person's token and the
 * addresses of the signed-in screens to compare.
 */
async function signUp(page: Page): Promise<{ token: string; addresses: Address[] }> {
  const email = `priya-${process.pid}-${Date.now()}@skin.example`;
  const signedUp = await page.request.post('/api/auth/signup', {
    data: { name: 'Priya Nair', email, password: 'a good secret' },
  });
  const { token } = (await signedUp.json()) as { token: string };
  const post = async <T>(path: string, data: object = {}): Promise<T> => {
    const answer = await page.request.post(path, { headers: { authorization: `Bearer ${token}` }, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as T;
  };
  const drafts = '/api/workflows/vendor-onboarding/drafts';
  const metadata = { title: 'Vendor onboarding' };
  const ask = { id: 'ask', title: 'Ask the vendor', assignee: email, sla: '4h' };
  const fields = [{ id: 'iban', label: 'IBAN', kind: 'text', required: true }];
  const check = { id: 'check', title: 'Check the bank details', assignee: email, sla: '1d', config: { fields } };
  const first = await post<{ draftId: string }>(drafts, { metadata, steps: [ask] });
  await post(`${drafts}/${first.draftId}/merge`);
  const { id: runId } = await post<{ id: string }>('/api/runs', { key: 'vendor-onboarding', name: 'Nordlicht GmbH' });
  const { draftId } = await post<{ draftId: string }>(drafts, { metadata, steps: [{ ...ask, sla: '8h' }, check] });
  return {
    token,
    addresses: [
      ['Editor', '/app/editor'],
      ['Workflow in the editor', '/app/editor?key=vendor-onboarding&mode=edit'],
      ['Review', `/app/review?key=vendor-onboarding&id=${draftId}`],
      ['Workflows', '/app/workflows'],
      ['Builder', '/app/workflows?builder=edit&key=vendor-onboarding'],
      ['Documentation with its panel', '/app/docs?key=vendor-onboarding'],
      ['Document', '/app/docs/vendor-onboarding'],
      ['Runs', '/app/runs'],
      ['Insights', '/app/runs/insights'],
      ['Run', `/app/runs/${runId}`],
      ['Execution', `/app/workflows/run/vendor-onboarding/${runId}`],
      ['My tasks', '/app/tasks'],
      ['Notifications', '/app/notifications'],
      ['Audit trail', '/app/audit'],
      ['Versions', '/app/docs/vendor-onboarding/versions'],
      ['Workflow settings', '/app/docs/vendor-onboarding/settings'],
      ...[
        'profile',
        'away',
        'notifications',
        'organization',
        'members',
        'groups',
        'confirmations',
        'tokens',
        'webhooks',
      ].map((name): Address => [`Settings: ${name}`, `/app/settings/${name}`]),
      ['Integrations', '/app/integrations'],
      ['Legacy workflows', '/app/legacy-workflows'],
    ],
  };
}

/** Opens an address as a link in the app does, without loading the page. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/**
 * The tag, top and height of each element on the screen. Widths are omitted, because they depend on text, and some text
 * contains the time.
 */
const rowsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (document.querySelector('main [aria-busy="true"], [data-loading]')) return [];
    return [...document.querySelectorAll<HTMLElement>('main, main *, [role="dialog"], [role="dialog"] *')].map(
      (element) => {
        const { y, height } = element.getBoundingClientRect();
        return `${element.tagName.toLowerCase()} at ${Math.round(y + scrollY)}, ${Math.round(height)} high`;
      },
    );
  });

/** Screens that use the whole window, without the margins of a page. */
const WITHOUT_PAGE = ['Workflow in the editor', 'Builder'];

/** The left edge of the content: the breadcrumbs, the settings navigation, or else the heading. */
const contentEdge = (page: Page): Promise<number> =>
  page
    .locator('main')
    .evaluate((main) => Math.round(main.querySelector('nav, h1')?.getBoundingClientRect().x ?? Number.NaN));

/** Waits until a screen has been drawn completely and hasn't changed for a tenth of a second. */
async function stableRows(page: Page): Promise<string[]> {
  let rows: string[] = [];
  await expect
    .poll(
      async () => {
        const before = rows.join();
        rows = await rowsOf(page);
        return rows.length > 1 && rows.join() === before;
      },
      { intervals: [100] },
    )
    .toBe(true);
  return rows;
}

test('the elements of a screen are where they are after a fresh load, whatever was visited before, and content has one edge', async ({
  page,
  context,
}) => {
  const { token, addresses } = await signUp(page);
  await page.goto('/priority-apply');
  for (const path of ['/priority-apply', '/', '/login', '/signup']) {
    await follow(page, path);
    await stableRows(page);
  }
  await page.evaluate((saved) => localStorage.setItem('stet_token', saved), token);
  for (const [, path] of addresses) {
    await follow(page, path);
    await stableRows(page);
  }
  const fresh = await context.newPage();
  const edges: Record<string, number> = {};
  for (const [name, path] of addresses) {
    await fresh.goto(path);
    await follow(page, path);
    const differences = async () => {
      const [expected, found] = await Promise.all([stableRows(fresh), stableRows(page)]);
      return expected.filter((row, at) => row !== found[at]).concat(found.slice(expected.length));
    };
    await expect.poll(differences, { message: name }).toEqual([]);
    if (!WITHOUT_PAGE.includes(name)) edges[name] = await contentEdge(fresh);
  }
  expect(new Set(Object.values(edges)), `one content edge: ${JSON.stringify(edges)}`).toEqual(new Set([80]));
});

test('the signed-in screens are accessible on a phone with the dark theme', async ({ page }) => {
  const { token, addresses } = await signUp(page);
  await page.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, path] of addresses) {
    await test.step(name, async () => {
      await page.goto(path);
      await stableRows(page);
      await expectAccessible(page);
    });
  }
});

/** The screens that people work on. Email addresses may appear on them only in fields. */
const WITH_NAMES = [
  'Editor',
  'Workflow in the editor',
  'Workflows',
  'Builder',
  'Documentation with its panel',
  'Document',
  'Versions',
  'Workflow settings',
  'Runs',
  'Run',
  'Execution',
  'My tasks',
  'Notifications',
];

test('the screens that people work on show no email addresses, ids or JSON, and a run shows people by name', async ({
  page,
}) => {
  const { token, addresses } = await signUp(page);
  await page.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  for (const name of WITH_NAMES) {
    await page.goto(addresses.find((each) => each[0] === name)?.[1] ?? '');
    await stableRows(page);
    const raw = async () =>
      (await page.locator('main').innerText()).match(/\S+@\S+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|\{"|":/gi);
    await expect.poll(raw, { message: name }).toBeNull();
    if (name === 'Run') await expect(page.locator('main').getByText('Priya Nair').first()).toBeVisible();
  }
});

test('the builder leaves room for its steps at 400 % zoom', async ({ page }) => {
  const { token, addresses } = await signUp(page);
  await page.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  // A window of 1280 × 1024 at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(addresses.find(([name]) => name === 'Builder')?.[1] ?? '');
  const step = page.getByRole('grid', { name: 'Steps' }).getByRole('row').nth(1);
  await step.scrollIntoViewIfNeeded();
  await expect(step).toBeInViewport({ ratio: 1 });
  await step.getByRole('button', { name: 'Edit step 1' }).click();
  await expect(page.getByRole('dialog')).toBeInViewport();
});

test('added text stays marked in forced colors', async ({ page }) => {
  const { token, addresses } = await signUp(page);
  await page.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(addresses.find(([name]) => name === 'Review')?.[1] ?? '');
  const added = page.locator('ins').first();
  await expect(added).toBeVisible();
  await expect(added).toHaveCSS('text-decoration-line', 'underline');
});

test('the landing page shows an error if its code can’t be loaded', async ({ page }) => {
  await page.route(/assets\/landing-[^/]*\.js/, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'The server can’t be reached' })).toBeVisible();
});

test('a crash of the landing page shows an error', async ({ page }) => {
  await page.route(/assets\/landing-[^/]*\.js/, async (route) => {
    const response = await route.fetch();
    const code = await response.text();
    // An object in place of text crashes the page that renders it.
    await route.fulfill({ response, body: code.replace(/(["'`])Easily\. Beautifully\. Collaboratively\.\1/, '{}') });
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload page' })).toBeVisible();
});
