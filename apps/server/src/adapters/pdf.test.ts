import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isolated } from '@stet/domain/workflows';
import { describe, expect, it, vi } from 'vitest';
import { type Pdf, ReaderGone } from '../kernel/pdf.ts';
import { outlineOf, solidText, textByRole, textOfPages } from './pdf/pdf-text.fixture.ts';
import { getDocumentProxy } from 'unpdf';
import { openPdf } from './pdf.ts';

const open = (): Pdf =>
  openPdf({ title: 'A paper', author: 'Ines', createdAt: 0, runningHead: ['Northwind', 'November'], foot: 'The foot' });

async function finished(pdf: Pdf): Promise<Buffer> {
  const [bytes] = await Promise.all([buffer(pdf.bytes), pdf.finish()]);
  return bytes;
}

async function tableOf(rows: number, textOf: (n: number) => string): Promise<Buffer> {
  const pdf = open();
  pdf.newPage();
  const table = await pdf.table([
    { head: 'Number', share: 1, align: 'right' },
    { head: 'Said', share: 5 },
  ]);
  for (let n = 1; n <= rows; n += 1)
    await table.row([
      { text: `row-${n}`, style: 'code' },
      { text: textOf(n), style: 'body' },
    ]);
  return await finished(pdf);
}

describe('a document', () => {
  it('has a page number and a foot on every page, and a running head on every page except the first', async () => {
    const pages = await textOfPages(await tableOf(120, (n) => `line ${n}`));
    expect(pages.length).toBeGreaterThan(2);
    for (const [n, page] of pages.entries()) {
      expect(page).toContain(`Page ${n + 1} of ${pages.length}`);
      expect(page).toContain('The foot');
      expect(page.includes('Northwind') && page.includes('November')).toBe(n > 0);
    }
  });

  it.each(['display', 'heading', 'name', 'body', 'code'] as const)(
    'contains plain letters as text even if an earlier document contained them only with accents, in %s',
    async (style) => {
      const paper = async (text: string) => {
        const pdf = open();
        pdf.newPage();
        await pdf.text({ text, style });
        return await solidText(await finished(pdf));
      };
      const accented = ['ẽ', 'ĩ', 'ṽ', 'ỹ', 'ó', 'ö', 'ő', 'ů', 'ǵ', 'ž', 'ķ'];
      for (const letter of accented) expect(await paper(letter)).toContain(letter);
      const plain = accented.map((letter) => letter.normalize('NFD').charAt(0)).join('');
      expect(await paper(plain)).toContain(plain);
    },
  );

  it('has an outline of its marks in order, or none if it has no marks', async () => {
    const pdf = open();
    for (const name of ['First', 'Zweite Überschrift', 'שלישית']) {
      pdf.newPage();
      pdf.mark(name, name);
    }
    expect(await outlineOf(await finished(pdf))).toEqual([
      { title: 'First', page: 1 },
      { title: 'Zweite Überschrift', page: 2 },
      { title: 'שלישית', page: 3 },
    ]);
    expect(await outlineOf(await tableOf(1, () => 'no mark'))).toEqual([]);
  });

  it('has an outline with sections and their entries, but without marks that have no heading', async () => {
    const pdf = open();
    pdf.newPage();
    pdf.mark('runs', 'Runs');
    for (const name of ['One', 'Two']) pdf.mark(name, name, 2);
    pdf.mark('hidden', null);
    pdf.mark('end', 'End');
    expect(await outlineOf(await finished(pdf))).toEqual([
      { title: 'Runs', page: 1 },
      { title: 'One', page: 1, level: 2 },
      { title: 'Two', page: 1, level: 2 },
      { title: 'End', page: 1 },
    ]);
  });

  it('is tagged: all text belongs to an element or is decoration', async () => {
    const pdf = open();
    pdf.newPage();
    await pdf.heading(1, { text: 'The title', style: 'display' });
    await pdf.facts([['Key', { text: 'value', style: 'body' }]], 2);
    await pdf.group('section', async () => {
      await pdf.heading(2, { text: 'A section', style: 'title' });
      await pdf.group('list', () =>
        pdf.group('item', () =>
          pdf.read({ text: 'an item', style: 'read' }, { indent: 20, marker: { text: '1.', style: 'read' } }),
        ),
      );
      await pdf.group('quote', () => pdf.read({ text: 'quoted', style: 'read' }, { indent: 20, bar: true }));
      const table = await pdf.table([
        { head: 'Name', share: 1 },
        { head: 'Page', share: 1, align: 'right' },
      ]);
      await table.row([
        { text: 'The end', style: 'body', to: 'end' },
        { text: '', style: 'body', pageOf: 'end' },
      ]);
      await table.row([{ text: 'Long', style: 'body' }, []], { text: 'below', style: 'body' });
    });
    const spans = [{ from: 4, to: 8, href: 'https://example.com' }];
    await pdf.text({ text: 'See this page', style: 'body', spans });
    pdf.newPage();
    pdf.mark('end', 'End');
    await pdf.text({ text: 'The end', style: 'body' });
    const bytes = await finished(pdf);
    const found = (await textByRole(bytes)).map(({ role, text }) => [role, text.trim()]);
    expect(found).toEqual([
      ['Document H1', 'The title'],
      ['Document Table TR TH', 'Key'],
      ['Document Table TR TD', 'value'],
      ['Document Sect H2', 'A section'],
      ['Document Sect L LI Lbl', '1.'],
      ['Document Sect L LI LBody P', 'an item'],
      ['Document Sect BlockQuote P', 'quoted'],
      ['Document Sect Table TR TH', 'Name Page'],
      ['Document Sect Table TR TD Link', 'The end'],
      ['Document Sect Table TR TD', '2Longbelow'],
      ['Document P', 'See'],
      ['Document P Link', 'this'],
      ['Document P', 'page'],
      ['Artifact', 'The foot Page 1 of 2'],
      ['Document P', 'The end'],
      ['Artifact', 'Northwind NovemberThe foot Page 2 of 2'],
    ]);
    const document = await getDocumentProxy(new Uint8Array(bytes));
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
    expect(await document.getMetadata()).toMatchObject({ info: { Title: 'A paper', Language: 'en' } });
  });

  it('has a table’s head only once for screen readers, although each page shows it', async () => {
    const heads = (await textByRole(await tableOf(120, (n) => `line ${n}`))).filter(({ text }) => /Number/.test(text));
    expect(heads.length).toBeGreaterThan(2);
    for (const [n, { role }] of heads.entries()) expect(role).toBe(n === 0 ? 'Document Table TR TH' : 'Artifact');
  });

  it('has right-to-left text in reading order', async () => {
    const pdf = open();
    pdf.newPage();
    await pdf.text({ text: 'ראשון שני (שלישי)', style: 'body' });
    const [hebrew] = await textByRole(await finished(pdf));
    expect(hebrew?.text).toMatch(/ראשון.*שני.*שלישי/);
  });

  it('separates the names in a sentence, so that a right-to-left name doesn’t reorder the sentence', async () => {
    const pdf = open();
    pdf.newPage();
    await pdf.text({ text: `${isolated('שרה')} · 12`, style: 'body' });
    const page = await (await getDocumentProxy(new Uint8Array(await finished(pdf)))).getPage(1);
    const places = (await page.getTextContent()).items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [{ text: item.str.trim(), x: (item.transform as number[])[4] ?? 0 }]
        : [],
    );
    const leftOf = (text: string): number => places.find((place) => place.text.includes(text))?.x ?? Number.NaN;
    expect(leftOf('שרה')).toBeLessThan(leftOf('12'));
  });

  it("repeats a table's head on each page, and contains each row once, in order", async () => {
    const pages = await textOfPages(await tableOf(120, (n) => `line ${n}`));
    for (const page of pages) expect(page).toContain('Number Said');
    const rows = [...pages.join(' ').matchAll(/row-(\d+)/g)].map(([, n]) => Number(n));
    expect(rows).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  });

  it('splits a row that is longer than a page without losing any of it', async () => {
    const words = Array.from({ length: 3000 }, (_, n) => `w${n}`);
    const pdf = await tableOf(2, (n) => (n === 1 ? words.join(' ') : 'after it'));
    expect((await textOfPages(pdf)).length).toBeGreaterThan(2);
    const documentText = (await textOfPages(pdf)).join(' ');
    expect([...documentText.matchAll(/\bw(\d+)\b/g)].map(([word]) => word)).toEqual(words);
    expect(documentText.indexOf('after it')).toBeGreaterThan(documentText.indexOf('w2999'));
  });

  it('contains every letter of a word that is wider than its column', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);
    expect(await solidText(await tableOf(1, () => word))).toContain(word);
  });

  it('shows the page number of a mark in a cell before it', async () => {
    const pdf = open();
    pdf.newPage();
    const table = await pdf.table([
      { head: 'What', share: 1 },
      { head: 'Page', share: 1, align: 'right' },
    ]);
    await table.row([
      { text: 'The end', style: 'body', to: 'end' },
      { text: '', style: 'body', pageOf: 'end' },
    ]);
    pdf.newPage();
    pdf.newPage();
    pdf.mark('end', 'The end');
    await pdf.text({ text: 'Here', style: 'body' });
    const [first, , third] = await textOfPages(await finished(pdf));
    expect(first).toContain('The end 3');
    expect(third).toContain('Here');
  });

  it('contains text that can be copied, in many scripts', async () => {
    const text = 'Łódź Ёлка Ωμέγα 四半期の締め 简体 한국어 สวัสดี שלום مرحبا 😀';
    const pdf = open();
    pdf.newPage();
    for (const word of text.split(' ')) await pdf.text({ text: word, style: 'name' });
    const solid = await solidText(await finished(pdf));
    for (const word of text.split(' ')) expect(solid).toContain(word);
  });

  it('is sent while it is being written, only as fast as its reader accepts it, and stops if the reader is gone', async () => {
    const pdf = open();
    let written = 0;
    const writing = (async () => {
      for (; written < 20_000; written += 1) {
        pdf.newPage();
        await pdf.text({ text: randomBytes(40).toString('hex'), style: 'code' });
      }
    })();
    const outcome = writing.then(
      () => 'written',
      (error: unknown) => error,
    );
    await vi.waitFor(() => expect(pdf.bytes.readableLength).toBeGreaterThan(100_000), 20_000);
    pdf.bytes.destroy();
    expect(await outcome).toBeInstanceOf(ReaderGone);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(5000);
  });
});
