import type { FoundWorkflow } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { open, other, row, startDocumentationServer, workflow } from '../../testing/documentation-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startDocumentationServer();
});

describe('the list', () => {
  test('has a row for each workflow, with column headings and breadcrumbs', async () => {
    open();
    const cells = within(await row(/Vendor onboarding/));
    for (const text of ['vendor-onboarding', 'v7', '7', 'Live', 'In Review', 'Priya Nair'])
      expect(cells.getByText(text)).toBeDefined();
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Workflow',
      'Live Version',
      '# Steps',
      'Status',
      'Owner',
      'Updated',
      'Actions',
    ]);
    expect(within(await row(/Expense approval/)).getByText('none')).toBeDefined();
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
    expect(crumbs.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/app');
    expect(crumbs.getByText('Documentation')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Workflows' })).toBeDefined();
  });

  test('is filtered by the server according to the address', async () => {
    const { user, router } = open('/app/docs?q=tax');
    expect(screen.queryByRole('option', { name: 'Archived' })).toBeNull();
    const status = await screen.findByRole('combobox', { name: 'Status' });
    expect([...status.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'All',
      'Live',
      'Draft',
      'In Review',
    ]);
    await user.selectOptions(status, 'In Review');
    await waitFor(() =>
      expect(Object.fromEntries(server.calls('GET /api/workflow-search').at(-1)?.query ?? [])).toEqual({
        status: 'in_review',
        q: 'tax',
      }),
    );
    const search = screen.getByPlaceholderText('Search name or key');
    await user.clear(search);
    await user.type(search, 'form');
    await waitFor(() => expect(router.state.location.search).toBe('?status=in_review&q=form'));
  });

  test('shows tags and can be filtered by a tag', async () => {
    server.on('GET /api/workflow-search', { json: [workflow({ tags: ['eu', 'payments'] })] });
    const { user, router } = open();
    const cells = within(await row(/Vendor onboarding/));
    expect(within(cells.getByRole('list', { name: 'Tags' })).getAllByRole('listitem')).toHaveLength(2);
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Tag' }), 'eu (2)');
    await waitFor(() => expect(server.calls('GET /api/workflow-search').at(-1)?.query.get('tag')).toBe('eu'));
    expect(router.state.location.search).toBe('?tag=eu');
  });

  test('can be sorted by title', async () => {
    const { user, router } = open();
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort' }), 'By title');
    await waitFor(() => expect(server.calls('GET /api/workflow-search').at(-1)?.query.get('sort')).toBe('title'));
    expect(router.state.location.search).toBe('?sort=title');
  });

  test('is downloaded as a CSV file with all pages, and the download can be stopped', async () => {
    const blobs: Blob[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
        revokeObjectURL: () => undefined,
      }),
    );
    server.on('GET /api/workflow-search', ({ query }) =>
      query.has('cursor')
        ? { json: [workflow({ key: 'b', metadata: { title: '=Second', description: '' }, tags: ['eu', 'tax'] })] }
        : { json: [workflow()], headers: { 'x-next-cursor': 'next' } },
    );
    const { user } = open('/app/docs?status=live');
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    await screen.findByText('List exported');
    const lines = (await blobs[0]?.text())?.split('\r\n') ?? [];
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^"Title","Key","Status","Live Version"/);
    expect(lines[1]).toMatch(/^"Vendor onboarding","vendor-onboarding","live in_review","7","7"/);
    expect(lines[2]).toContain(`"'=Second","b"`);
    expect(lines[2]).toContain('"eu, tax"');
    expect(server.calls('GET /api/workflow-search').at(-1)?.query.get('status')).toBe('live');

    let second: () => void = () => undefined;
    server.on('GET /api/workflow-search', ({ query }) =>
      query.has('cursor')
        ? new Promise((resolve) => (second = () => resolve({ json: [] })))
        : { json: [workflow()], headers: { 'x-next-cursor': 'next' } },
    );
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));
    await user.click(await screen.findByRole('button', { name: 'Stop export (1)' }));
    second();
    expect(await screen.findByRole('button', { name: 'Export CSV' })).toBeDefined();
    expect(blobs).toHaveLength(1);
  });

  test('shows where the search text was found, with a link', async () => {
    server.on('GET /api/workflow-search', {
      json: [
        workflow({
          hits: [
            {
              in: 'title',
              text: [
                { text: 'Vendor', hit: true },
                { text: ' onboarding', hit: false },
              ],
            },
            {
              in: 'step',
              stepId: 's1',
              number: 2,
              title: [{ text: 'Part 2', hit: false }],
              text: [
                { text: 'the ', hit: false },
                { text: 'vendor', hit: true },
              ],
              version: 'v7',
            },
          ],
        }),
      ],
    });
    open('/app/docs?q=vendor');
    const link = await screen.findByRole('link', { name: 'Step 2 Part 2' });
    expect(link.getAttribute('href')).toBe('/app/docs/vendor-onboarding#step-2');
    expect(screen.getAllByText('vendor', { selector: 'mark' })).toHaveLength(1);
    expect(screen.getByText('Vendor', { selector: 'mark' })).toBeDefined();
  });

  test('shows a message while it loads, if it is empty, and after an error', async () => {
    let answer: (value: { json: FoundWorkflow[] }) => void = () => undefined;
    server.on('GET /api/workflow-search', () => new Promise((resolve) => (answer = resolve)));
    const first = open();
    expect(await screen.findByText('Loading workflows...')).toBeDefined();
    answer({ json: [] });
    expect(await screen.findByText('No workflows')).toBeDefined();
    first.unmount();

    server.on('GET /api/workflow-search', { status: 500, json: { error: '', code: 'internal' } });
    const { user } = open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByRole('heading', { name: 'Failed to load workflows' })).toBeDefined();
    server.on('GET /api/workflow-search', { json: [workflow()] });
    await user.click(again);
    expect(await row(/Vendor onboarding/)).toBeDefined();
  });

  test('loads more with the previous page’s cursor', async () => {
    server.on('GET /api/workflow-search', ({ query }) =>
      query.get('cursor') === 'next'
        ? { json: [workflow(), other] }
        : { json: [workflow()], headers: { 'x-next-cursor': 'next' } },
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await row(/Expense approval/)).toBeDefined();
    expect(screen.getAllByRole('row', { name: /Vendor onboarding/ })).toHaveLength(1);
  });
});
