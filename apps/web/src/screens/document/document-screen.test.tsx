import type { VersionRecord, WorkflowDocument } from '@stet/contract';
import { newStep } from '@stet/domain/workflows';
import type { Step } from '@stet/domain/workflows';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const SAM = { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Sam Okafor', email: 'sam@haldenworks.example' };
const GRETA = { id: '0199aaaa-0000-7000-8000-000000000003', name: 'Greta Holm', email: 'greta@haldenworks.example' };
const EXPORT = 'GET /api/workflows/*/versions/*/document';

const V3: VersionRecord = {
  id: '0199eeee-0000-7000-8000-000000000003',
  status: 'live',
  version: 3,
  label: 'v3',
  revision: 1,
  contentHash: 'ab'.repeat(32),
  createdAt: '2026-10-02T14:12:00.000Z',
  updatedAt: '2026-10-02T14:12:00.000Z',
  createdBy: SAM,
  stepsCount: 3,
  approvalsCount: 1,
  commentsCount: 0,
};
const V2: VersionRecord = {
  ...V3,
  id: '0199eeee-0000-7000-8000-000000000002',
  status: 'superseded',
  version: 2,
  label: 'v2',
};
const DRAFT: VersionRecord = {
  ...V3,
  id: '8f31c2d0-0000-7000-8000-000000000001',
  status: 'draft',
  version: null,
  label: 'Draft',
};

const step = (id: string, title: string, change: Partial<Step> = {}): Step =>
  ({ ...newStep(id), title, description: '', ...change }) as Step;
const STEPS: Step[] = [
  step('a', 'Register', { description: 'Use **care**.', next: ['b'] }),
  step('b', 'Decide', {
    type: 'condition',
    config: { condition: 'amount > 10', trueNext: 'c', falseNext: 'd' },
    next: ['c', 'd'],
  }),
  step('c', 'Sign', { next: ['d'] }),
  step('d', 'File', { sla: '2 days' }),
];

const aDocument = (change: Partial<WorkflowDocument> = {}): WorkflowDocument => ({
  ...V3,
  key: 'contract',
  archived: false,
  metadata: { title: 'Contract', description: 'For every contract.' },
  steps: STEPS,
  owner: SAM,
  contributors: [SAM],
  liveSince: '2026-10-02T14:12:00.000Z',
  mergedAt: '2026-10-02T14:12:00.000Z',
  mergedBy: GRETA,
  approvals: [{ reviewer: GRETA, at: '2026-10-01T12:00:00.000Z', comment: '', selfApproved: false }],
  slaTotalMs: 2 * 86_400_000,
  ...change,
});
const ofTask = (description: string): WorkflowDocument => aDocument({ steps: [step('a', 'Only', { description })] });

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows/*/document', { json: aDocument() })
    .on('GET /api/workflows/*/versions', { json: [DRAFT, V3, V2] });
});

async function open(address = '/app/docs/contract') {
  const app = renderApp(address, { token: aToken() });
  return { ...app, article: within(await screen.findByRole('article', { name: 'Contract' })) };
}

describe('a document', () => {
  test('says which version it is, since when, by whose word, whose, and how long it takes', async () => {
    const { article } = await open();
    for (const text of ['v3', 'Live', '2 Oct 2026', 'Greta Holm', 'Sam Okafor', '2 days', 'For every contract.'])
      expect(article.getAllByText(text).length).toBeGreaterThan(0);
    expect(article.getByRole('link', { name: 'Review decisions' }).getAttribute('href')).toBe(
      `/app/review?key=contract&id=${V3.id}`,
    );
  });

  test('has each step with its number, and says in words where it leads', async () => {
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

  test('has a list of contents where it is long', async () => {
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

  test('of a superseded version says that it no longer holds, and leads to the one that does', async () => {
    server.on('GET /api/workflows/*/document', { json: aDocument({ ...V2, liveSince: null }) });
    await open('/app/docs/contract?version=2');
    expect(server.calls('GET /api/workflows/*/document')[0]?.query.get('version')).toBe('2');
    expect(await screen.findByText(/no longer holds/)).toBeDefined();
    expect((await screen.findByRole('link', { name: 'Read v3, which is live' })).getAttribute('href')).toBe(
      '/app/docs/contract',
    );
  });

  test('is picked by its version', async () => {
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

  test('is printed, and taken along as Markdown and PDF', async () => {
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

  test('that is not there says so', async () => {
    server.on('GET /api/workflows/*/document', {
      status: 404,
      json: { error: 'There is no such workflow', code: 'not_found' },
    });
    renderApp('/app/docs/gone', { token: aToken() });
    expect(await screen.findByText('There is no such workflow')).toBeDefined();
    expect(screen.getByRole('link', { name: 'All documentation' })).toBeDefined();
  });
});

describe('the text of a task', () => {
  test('may have lists, tables, tasks and code', async () => {
    server.on('GET /api/workflows/*/document', {
      json: ofTask('# Head\n\n- [x] one\n- [ ] two\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n`code`'),
    });
    const { article } = await open();
    expect(article.getByRole('heading', { level: 3, name: 'Head' })).toBeDefined();
    expect(article.getByRole('img', { name: 'Done' })).toBeDefined();
    expect(article.getByRole('table')).toBeDefined();
    expect(article.getByText('code').tagName).toBe('CODE');
  });

  test('has headings that go on from the one above and leave no level out, whatever they were typed as', async () => {
    const steps = [step('a', 'Only', { description: '### Deep\n\n###### Deeper\n\n# Top' })];
    server.on('GET /api/workflows/*/document', {
      json: aDocument({ metadata: { title: 'Contract', description: '## Aim\n\nto know' }, steps }),
    });
    const { article } = await open();
    const levels = article.getAllByRole('heading').map(({ tagName, textContent }) => `${tagName} ${textContent}`);
    expect(levels).toEqual(['H1 Contract', 'H2 Aim', 'H2 Step 1: Only', 'H3 Deep', 'H4 Deeper', 'H3 Top']);
  });

  test('has one line end where a break was typed', async () => {
    server.on('GET /api/workflows/*/document', { json: ofTask('one **two**  \nthree') });
    const { article } = await open();
    const text = article.getByText('two').parentElement;
    expect(text?.querySelectorAll('br')).toHaveLength(1);
    expect(text?.textContent).toBe('one twothree');
  });

  test('is read in its own direction', async () => {
    const steps = [step('a', 'تسجيل', { description: '# عنوان\n\n- بند\n\n| خلية |\n|---|\n| قيمة |' })];
    server.on('GET /api/workflows/*/document', {
      json: aDocument({ metadata: { title: 'Contract', description: 'وصف' }, steps }),
    });
    const { article } = await open();
    const parts = [
      article.getByText('وصف'),
      article.getByRole('heading', { level: 3, name: 'عنوان' }),
      article.getByText('بند'),
      article.getByRole('cell', { name: 'قيمة' }),
    ];
    expect(parts.map(({ dir }) => dir)).toEqual(parts.map(() => 'auto'));
    expect(article.getByText('تسجيل').tagName).toBe('BDI');
  });

  test('is never HTML, and loads no picture', async () => {
    server.on('GET /api/workflows/*/document', {
      json: ofTask('<img src=x onerror=alert(1)> <script>alert(2)</script> ![seal](https://example.com/seal.png)'),
    });
    const { article, container } = await open();
    expect(container.querySelectorAll('article :is(img, script, iframe, style)')).toHaveLength(0);
    expect(article.getByText('[seal]')).toBeDefined();
    expect(article.getByText(/onerror=alert/)).toBeDefined();
  });

  test('links to pages and mail, and to nothing else', async () => {
    server.on('GET /api/workflows/*/document', {
      json: ofTask(
        '[page](https://example.com) [mail](mailto:a@example.com) [bad](javascript:alert(1)) [worse](data:text/html,x) [odd](vbscript:x) [here](/app/runs)',
      ),
    });
    const { article } = await open();
    const page = article.getByRole('link', { name: 'page' });
    expect(page.getAttribute('rel')).toBe('noopener noreferrer');
    expect(article.getByRole('link', { name: 'mail' }).getAttribute('href')).toBe('mailto:a@example.com');
    for (const name of ['bad', 'worse', 'odd', 'here']) expect(article.queryByRole('link', { name })).toBeNull();
    expect(article.getByText(/bad/)).toBeDefined();
  });

  test('that nobody could have written by hand is shown as it was typed', async () => {
    server.on('GET /api/workflows/*/document', { json: ofTask(`${'>'.repeat(3000)} deep`) });
    const { article } = await open();
    expect(article.getByText(/^>>>>.*deep$/).tagName).toBe('P');
  });

  test('keeps the line ends that were typed', async () => {
    server.on('GET /api/workflows/*/document', { json: ofTask('first\nsecond *line*') });
    const { article } = await open();
    expect(article.getByText(/first/).textContent).toBe('first\nsecond line');
  });
});
