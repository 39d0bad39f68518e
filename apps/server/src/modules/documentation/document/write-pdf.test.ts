import type { Step } from '@stet/domain/steps';
import { linearNext, newStep } from '@stet/domain/workflows';
import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { openPdf } from '../../../adapters/pdf.ts';
import { solidText, textOfPages } from '../../../adapters/pdf/pdf-text.fixture.ts';
import { aDocument } from './document.sample.ts';
import { writePdf } from './write-pdf.ts';

const write = (change: Parameters<typeof aDocument>[0] = {}): Promise<Buffer> =>
  writePdf(async (options) => openPdf(options), aDocument(change), {
    organization: 'Halden Works',
    by: 'Priya Nair',
    at: 0,
    form: { locale: 'en-GB', timeZone: 'UTC' },
  });
const tasks = (...descriptions: string[]): Step[] =>
  linearNext(
    descriptions.map((description, n) => ({ ...newStep(`s${n}`), title: `Step titled ${n + 1}`, description })),
  );

describe('a version as a PDF', () => {
  it('contains its title, facts and steps, with their next steps', async () => {
    const [page] = await textOfPages(await write());
    for (const text of [
      'Halden Works',
      'Expense approval > 5,000 EUR',
      'Version v3, live',
      'Approved by Greta Holm (1 Oct 2026, 12:00:00) 2026-10-01T12:00:00.000Z',
      'Total SLA 1 day 4 hours',
      'For every claim.',
      '1 Register the claim Manual · editor · 4 hours What is needed 1. The receipt 2. The cost centre Field Answer Amount Number, at most 9000 EUR Required Without tax Reasons * Several choices: Travel, Food Optional',
      'If Amount of Register the claim is more than 5000 → step 3 Otherwise → step 4',
      '2 people must approve.',
      'If rejected → back to step 1',
      'Claim ‹Name of the run› is done',
      'Printed 1 Jan 1970, 00:00:00 (1970-01-01T00:00:00.000Z) by Priya Nair',
    ])
      expect(page).toContain(text);
  });

  it('renders Markdown without showing its syntax', async () => {
    const [page] = await textOfPages(
      await write({
        steps: tasks(
          [
            '# Heading one',
            'Plain **strong** *slanted* ***both*** `code` [a page](https://example.com/a) <b>typed</b>',
            '- first\n- second\n  1. inner',
            '- [x] done\n- [ ] open',
            '> quoted',
            '```\nlet x = 1;\n  indented\n```',
            '| Name | Amount |\n|---|--:|\n| Ann | 12 |',
            '![the seal](https://example.com/seal.png)',
            'line one\nline two',
          ].join('\n\n'),
        ),
      }),
    );
    for (const text of [
      'Heading one Plain strong slanted both code a page <b>typed</b>',
      '• first',
      '1. inner',
      '☑ done',
      '☐ open',
      'quoted',
      'let x = 1;',
      'Name Amount Ann 12',
      '[the seal]',
      'line one line two',
    ])
      expect(page).toContain(text);
    expect(page).not.toMatch(/\*\*|```|\|---|\]\(/);
  });

  it('links only to pages and mail addresses', async () => {
    const pdf = await write({
      steps: tasks(
        '[a](https://example.com/a) [b](javascript:alert(1)) <mailto:c@example.com> [d](file:///etc/passwd) www.example.com',
      ),
    });
    const page = await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1);
    const annotations = (await page.getAnnotations()) as { url?: string; unsafeUrl?: string }[];
    const urls = annotations.flatMap(({ unsafeUrl }) => unsafeUrl ?? []);
    expect(urls).toEqual(['https://example.com/a', 'mailto:c@example.com', 'http://www.example.com']);
  });

  it('supports many writing systems and both text directions', async () => {
    const words = ['שלום', 'مرحبا', '四半期の締め', 'Łódź', 'สวัสดี', '😀'];
    const solid = await solidText(await write({ steps: tasks(words.map((word) => `- **${word}**`).join('\n')) }));
    for (const word of words) expect(solid).toContain(word);
  });

  it('omits nothing of texts longer than a page, and has a table of contents for many steps', async () => {
    const long = Array.from({ length: 1500 }, (_, n) => `w${n}`).join(' ');
    const pages = await textOfPages(
      await write({ steps: tasks(`> ${long}`, `- ${long}`, ...Array<string>(10).fill('Short')) }),
    );
    expect(pages.length).toBeGreaterThan(4);
    const all = pages.join(' ');
    for (const n of [0, 749, 1499]) expect(all.match(new RegExp(`\\bw${n}\\b`, 'g'))).toHaveLength(2);
    const last = pages.findIndex((page) => page.includes('12 Step titled 12')) + 1;
    expect(pages[0]).toMatch(new RegExp(`12 Step titled 12 1 day ${pages.length}\\b|Step titled 12 .*${last}`));
  });

  it('accepts any text, even deep nesting and invalid markup', async () => {
    const odd = [
      '>'.repeat(5000),
      '- '.repeat(3000),
      '['.repeat(5000),
      '*a '.repeat(4000),
      '`'.repeat(5001),
      '|'.repeat(3000),
    ];
    const pages = await textOfPages(await write({ steps: tasks(...odd) }));
    expect(pages.join(' ')).toContain('Step titled 6');
  });

  it('doesn’t block other requests while it writes hundreds of steps', async () => {
    const task = 'Do **this** and `that`:\n\n1. one\n2. two\n\nThen go on to [the register](https://example.com).';
    const steps = tasks(...Array<string>(300).fill(task));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const pages = await textOfPages(await write({ steps }));
    clearInterval(timer);
    expect(pages.length).toBeGreaterThan(15);
    expect(turns).toBeGreaterThan(20);
  });
});
