import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';
import { DRAFT, V2, V3, aDocument, open, startDocumentServer, step } from '../../testing/document-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startDocumentServer();
});

const EXPORT = 'GET /api/workflows/*/versions/*/document';

describe('a document', () => {
  test('shows its version, date, approvals, owner and total SLA', async () => {
    const { article } = await open();
    for (const text of ['v3', 'Live', '2 Oct 2026', 'Greta Holm', 'Sam Okafor', '2 days', 'For every contract.'])
      expect(article.getAllByText(text).length).toBeGreaterThan(0);
    expect(article.getByRole('link', { name: 'Review decisions' }).getAttribute('href')).toBe(
      `/app/review?key=contract&id=${V3.id}`,
    );
  });

  test('lists each step with its number and describes its next steps', async () => {
    const { article } = await open();
    expect(article.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Step 1: Register',
      'Step 2: Decide',
      'Step 3: Sign',
      'Step 4: File',
    ]);
    expect(article.getByText('amount > 10', { selector: 'code' })).toBeDefined();
    expect(article.getByRole('link', { name: 'step 3, Sign' }).getAttribute('href')).toBe('#step-3');
    expect(article.getByText('care').tagName).toBe('STRONG');
  });

  test('has a table of contents if it has many steps', async () => {
    const short = await open();
    expect(short.article.queryByRole('navigation', { name: 'Contents' })).toBeNull();
    short.unmount();
    const steps = Array.from({ length: 60 }, (_, n) => step(`s${n}`, `Part ${n + 1}`));
    server.on('GET /api/workflows/*/document', { json: aDocument({ id: V2.id, steps }) });
    const { article } = await open('/app/docs/contract?version=2');
    const contents = within(article.getByRole('navigation', { name: 'Contents' }));
    expect(contents.getByRole('link', { name: 'Part 60' }).getAttribute('href')).toBe('#step-60');
    expect(await article.findByRole('heading', { name: 'Step 60: Part 60' })).toBeDefined();
  });

  test('says if it is superseded and links to the live version', async () => {
    server.on('GET /api/workflows/*/document', { json: aDocument({ ...V2, approvals: [], liveSince: null }) });
    await open('/app/docs/contract?version=2');
    expect(server.calls('GET /api/workflows/*/document')[0]?.query.get('version')).toBe('2');
    expect(await screen.findByText(/no longer live/)).toBeDefined();
    expect((await screen.findByRole('link', { name: 'Read v3, the live version' })).getAttribute('href')).toBe(
      '/app/docs/contract',
    );
  });

  test('shows the version in force on a date, with a note and a link to the live version', async () => {
    const period = { act: 'merge' as const, by: null, reason: null, isEmergency: false, endedBy: 'merge' as const };
    server.on('GET /api/workflows/*/document', {
      json: aDocument({
        ...V2,
        liveSince: null,
        asOf: { at: '2026-09-01T21:59:59.999999Z', timeZone: 'Europe/Berlin' },
        inForce: [{ ...period, from: '2026-08-19T10:00:00.000001Z', until: '2026-10-12T10:00:00.000001Z' }],
      }),
    });
    await open('/app/docs/contract?asOf=2026-09-01');
    expect(server.calls('GET /api/workflows/*/document')[0]?.query.get('asOf')).toBe('2026-09-01');
    const note = (await screen.findByText(/^As of 1 Sept? 2026: v2$/)).closest('[role=status]');
    expect(note?.textContent.replaceAll(/\s/g, ' ')).toContain('was in force 19 Aug – 12 Oct 2026');
    expect(note?.textContent).toContain('the end of that day (Europe/Berlin)');
    expect(screen.getByRole('link', { name: 'Read the live version' }).getAttribute('href')).toBe('/app/docs/contract');
    expect(screen.getByLabelText<HTMLInputElement>('As of').value).toBe('2026-09-01');
  });

  test('returns to the live version with Back after a date was chosen', async () => {
    const { router } = await open();
    fireEvent.change(screen.getByLabelText('As of'), { target: { value: '2026-10-03' } });
    await waitFor(() => expect(router.state.location.search).toBe('?asOf=2026-10-03'));
    fireEvent.change(screen.getByLabelText('As of'), { target: { value: '2026-10-04' } });
    await waitFor(() => expect(router.state.location.search).toBe('?asOf=2026-10-04'));
    await act(() => router.navigate(-1));
    expect(router.state.location.search).toBe('');
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('As of').value).toBe(''));
  });

  test('says why no version was in force on a date, and lets people choose another date', async () => {
    const error = 'No version was in force then. The first one went live on 1 Mar 2026, 10:00 UTC.';
    server.on('GET /api/workflows/*/document', { status: 404, json: { error, code: 'not_in_force' } });
    const { router } = renderApp('/app/docs/contract?asOf=2025-09-01', { token: aToken() });
    expect(await screen.findByRole('heading', { name: 'Nothing was in force' })).toBeDefined();
    expect(screen.getByText(error)).toBeDefined();
    expect(screen.getByRole('link', { name: 'All versions' })).toBeDefined();
    server.on('GET /api/workflows/*/document', { json: aDocument() });
    fireEvent.change(screen.getByLabelText('As of'), { target: { value: '2026-10-03' } });
    await waitFor(() => expect(router.state.location.search).toBe('?asOf=2026-10-03'));
    expect(await screen.findByRole('article', { name: 'Contract' })).toBeDefined();
  });

  test('can be switched to a different version', async () => {
    const { user, router } = await open();
    const picker = await screen.findByRole('combobox', { name: 'Version' });
    await within(picker).findByRole('option', { name: /^v2, Superseded/ });
    server.on('GET /api/workflows/*/document', {
      json: aDocument({ ...DRAFT, liveSince: null, mergedAt: null, approvals: [] }),
    });
    await user.selectOptions(picker, DRAFT.id);
    await waitFor(() => expect(router.state.location.search).toBe(`?version=${DRAFT.id}`));
    expect(await screen.findByText(/This is a draft/)).toBeDefined();
    expect(await screen.findByText('Nobody yet')).toBeDefined();
  });

  test('can be printed and exported as Markdown and PDF', async () => {
    const print = vi.fn<() => void>();
    vi.stubGlobal('print', print);
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    server.on(EXPORT, { text: '# Contract' });
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    await user.click(screen.getByRole('button', { name: 'Markdown' }));
    await waitFor(() => expect(saved).toEqual(['contract-v3.md']));
    await user.click(screen.getByRole('button', { name: 'PDF' }));
    await waitFor(() => expect(saved).toEqual(['contract-v3.md', 'contract-v3.pdf']));
    expect(server.calls(EXPORT).map(({ query }) => query.get('format'))).toEqual(['md', 'pdf']);
    server.on(EXPORT, { status: 503, json: { error: 'The server is stopping', code: 'stopping' } });
    await user.click(screen.getByRole('button', { name: 'PDF' }));
    expect(await screen.findByText('Export Failed')).toBeDefined();
    vi.restoreAllMocks();
  });

  test('that doesn’t exist is replaced by a message', async () => {
    server.on('GET /api/workflows/*/document', {
      status: 404,
      json: { error: 'There is no such workflow', code: 'not_found' },
    });
    renderApp('/app/docs/gone', { token: aToken() });
    expect(await screen.findByText('There is no such workflow')).toBeDefined();
    expect(screen.getByRole('link', { name: 'All documentation' })).toBeDefined();
  });
});
