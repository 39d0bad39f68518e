import type { WorkflowDocument } from '@stet/contract';
import { within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { aDocument, open, startDocumentServer, step } from '../../testing/document-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startDocumentServer();
});

const ofTask = (description: string): WorkflowDocument => aDocument({ steps: [step('a', 'Only', { description })] });

describe('the text of a task', () => {
  test('can contain headings, task lists, tables and code', async () => {
    server.on('GET /api/workflows/*/document', {
      json: ofTask('# Head\n\n- [x] one\n- [ ] two\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n`code`'),
    });
    const { article } = await open();
    expect(article.getByRole('heading', { level: 3, name: 'Head' })).toBeDefined();
    expect(article.getByRole('img', { name: 'Done' })).toBeDefined();
    const table = article.getByRole('region', { name: 'Table in step 1, line 6' });
    expect(within(table).getByRole('table')).toBeDefined();
    expect(article.getByText('code').tagName).toBe('CODE');
  });

  test('nests its headings below the enclosing one without skipping levels', async () => {
    const steps = [step('a', 'Only', { description: '### Deep\n\n###### Deeper\n\n# Top' })];
    server.on('GET /api/workflows/*/document', {
      json: aDocument({ metadata: { title: 'Contract', description: '## Aim\n\nto know' }, steps }),
    });
    const { article } = await open();
    const levels = article.getAllByRole('heading').map(({ tagName, textContent }) => `${tagName} ${textContent}`);
    expect(levels).toEqual(['H1 Contract', 'H2 Aim', 'H2 Step 1: Only', 'H3 Deep', 'H4 Deeper', 'H3 Top']);
  });

  test('shows a Markdown line break as one line break', async () => {
    server.on('GET /api/workflows/*/document', { json: ofTask('one **two**  \nthree') });
    const { article } = await open();
    const text = article.getByText('two').parentElement;
    expect(text?.querySelectorAll('br')).toHaveLength(1);
    expect(text?.textContent).toBe('one twothree');
  });

  test('has its own text direction', async () => {
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

  test('is never interpreted as HTML and contains no images', async () => {
    server.on('GET /api/workflows/*/document', {
      json: ofTask('<img src=x onerror=alert(1)> <script>alert(2)</script> ![seal](https://example.com/seal.png)'),
    });
    const { article, container } = await open();
    expect(container.querySelectorAll('article :is(img, script, iframe, style)')).toHaveLength(0);
    expect(article.getByText('[seal]')).toBeDefined();
    expect(article.getByText(/onerror=alert/)).toBeDefined();
  });

  test('links only to web pages and email addresses', async () => {
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

  test('is shown as typed if it is nested too deeply', async () => {
    server.on('GET /api/workflows/*/document', { json: ofTask(`${'>'.repeat(3000)} deep`) });
    const { article } = await open();
    expect(article.getByText(/^>>>>.*deep$/).tagName).toBe('P');
  });

  test('preserves typed line breaks', async () => {
    server.on('GET /api/workflows/*/document', { json: ofTask('first\nsecond *line*') });
    const { article } = await open();
    expect(article.getByText(/first/).textContent).toBe('first\nsecond line');
  });
});
