import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { type Pdf, ReaderGone } from '../kernel/pdf.ts';
import { outlineOf, solidText, textOfPages } from './pdf/pdf-text.fixture.ts';
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
  it('has page numbers, and a running head on every page except the first', async () => {
    const pages = await textOfPages(await tableOf(120, (n) => `line ${n}`));
    expect(pages.length).toBeGreaterThan(2);
    for (const [n, page] of pages.entries()) {
      expect(page).toContain(`Page ${n + 1} of ${pages.length}`);
      expect(page).toContain('The foot');
      expect(page.includes('Northwind') && page.includes('November')).toBe(n > 0);
    }
  });

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

  it('breaks a word that is wider than its column', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);
    expect(await solidText(await tableOf(1, () => word))).toContain(word);
  });

  it('shows the page number of each mark', async () => {
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

  it('contains text that can be copied, in any script', async () => {
    const text = 'Łódź Ёлка Ωμέγα 四半期の締め 简体 한국어 สวัสดี שלום مرحبا 😀';
    const pdf = open();
    pdf.newPage();
    for (const word of text.split(' ')) await pdf.text({ text: word, style: 'name' });
    const solid = await solidText(await finished(pdf));
    for (const word of text.split(' ')) expect(solid).toContain(word);
  });

  it('is sent while it is being written, only as fast as its reader accepts it', async () => {
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
