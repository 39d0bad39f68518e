import PDFDocument from 'pdfkit';
import { yieldEvery } from '../kernel/pdf.ts';
import { PAGE, TEXT_WIDTH, openPaper } from './pdf/paper.ts';
import type { Block, Layout, Pdf, PdfOptions } from '../kernel/pdf.ts';
import { openOutlet } from './pdf/outlet.ts';
import { openOutline } from './pdf/outline.ts';
import { type Sheet, openSheets } from './pdf/sheets.ts';
import { INK, STYLES, baselineOf } from './pdf/style.ts';
import { openTable } from './pdf/table.ts';
import { openTypesetter } from './pdf/typesetter.ts';

const LABEL_WIDTH = 104;
const MARKER_WIDTH = 40;
const MARKER_GAP = 5;
const BAR_WIDTH = 1.5;
const BAR_GAP = 9;
const LINES_AT_ONCE = 20;
// Number of pages after which the cache of shaped words is dropped: words repeat on later pages, but hashes and times
// don't.
const PAGES_SHAPED = 20;

/** Distance from the left edge for an indent measured from the start of the line. */
const edgeOf = (isRightToLeft: boolean, indent: number): number =>
  isRightToLeft ? PAGE.width - PAGE.right - indent : PAGE.left + indent;

export function openPdf({ title, author, createdAt, runningHead, foot }: PdfOptions): Pdf {
  const pdf = new PDFDocument({
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, Author: author, Creator: 'Stet', Producer: 'Stet', CreationDate: new Date(createdAt) },
  });
  const { bytes, room } = openOutlet(pdf);
  const sheets = openSheets(pdf);
  const outline = openOutline(pdf);
  const head = sheets.make();
  const everyFoot = sheets.make();
  const pageNumbers: Sheet[] = [];
  const endPage = (page: number): void => {
    if (page % PAGES_SHAPED === PAGES_SHAPED - 1) forgetShapes(pdf);
    const number = sheets.make();
    pageNumbers.push(number);
    sheets.end([...(page > 0 ? [head] : []), everyFoot, number]);
  };
  const paper = openPaper(pdf, { begins: sheets.begin, ends: endPage });
  const marks = new Map<string, number>();
  const references: { mark: string; right: number; y: number; sheet: Sheet }[] = [];
  const setter = openTypesetter(pdf, (place) => references.push({ ...place, sheet: sheets.within() }));
  const pause = yieldEvery();
  const breathe = async (): Promise<void> => {
    await room();
    await pause();
  };

  const drawAt = async (block: Block, x: number, y: number, width: number, align: 'left' | 'right' = 'left') => {
    let [line, ...more] = await setter.lines(block, width);
    // Only one line fits; longer text ends in an ellipsis.
    for (let text = Array.from(block.text); more.length > 0 && text.length > 0;) {
      text = text.slice(0, Math.floor(text.length * 0.9));
      [line, ...more] = await setter.lines({ ...block, text: `${text.join('').trimEnd()}…` }, width);
    }
    if (line) setter.draw(line, align === 'right' ? x + width - line.width : x, y);
  };
  const text = async (block: Block, x: number = PAGE.left, width: number = TEXT_WIDTH): Promise<void> => {
    for (const line of await setter.lines(block, width)) {
      paper.need(line.style.leading);
      setter.draw(line, x, paper.y);
      paper.move(line.style.leading);
    }
  };

  /** Draws a bar next to the lines that were just set, starting at their top. */
  const bar = (from: number, x: number): void => {
    if (paper.y - from < 4) return;
    pdf.rect(x, from + 1, BAR_WIDTH, paper.y - from - 2).fill(INK.lineStrong);
  };
  const read = async (block: Block, { indent, marker, bar: hasBar = false }: Layout): Promise<void> => {
    const width = TEXT_WIDTH - indent;
    const lines = await setter.lines(block, width);
    const [sign] = marker ? await setter.lines(marker, MARKER_WIDTH) : [];
    let began = paper.y;
    for (const [n, line] of lines.entries()) {
      if (n % LINES_AT_ONCE === 0) await breathe();
      const { isRightToLeft, style, width: own } = line;
      if (hasBar && paper.left < style.leading) bar(began, edgeOf(isRightToLeft, indent - BAR_GAP));
      if (paper.need(style.leading)) began = paper.y;
      // The marker comes first, so that it precedes the line in copied text.
      if (n === 0 && sign) {
        const before = isRightToLeft ? PAGE.left + width + MARKER_GAP : PAGE.left + indent - MARKER_GAP - sign.width;
        setter.draw(sign, before, paper.y + baselineOf(style) - baselineOf(sign.style));
      }
      setter.draw(line, isRightToLeft ? PAGE.left + width - own : PAGE.left + indent, paper.y);
      paper.move(style.leading);
    }
    if (hasBar) bar(began, edgeOf(lines[0]?.isRightToLeft ?? false, indent - BAR_GAP));
  };

  return {
    text: async (block) => {
      await breathe();
      await text(block);
    },
    read: async (block, layout) => {
      await breathe();
      await read(block, layout);
    },
    space: (height) => {
      if (paper.y > PAGE.top) paper.move(height);
    },
    newPage: paper.newPage,
    keepTogether: (height) => void paper.need(height),
    hairline: () => paper.hairline(),
    dots: () => {
      paper.need(4);
      for (const n of [0, 1, 2]) pdf.circle(PAGE.left + 1.5 + n * 6, paper.y, 1.1).fill(INK.accent);
      paper.move(4);
    },
    mark: (name, heading) => {
      marks.set(name, paper.page);
      const above = Math.max(0, paper.y - 24);
      pdf.addNamedDestination(name, 'XYZ', 0, above, null);
      outline.add(heading, above);
    },
    table: (columns) => openTable({ paper, setter, breathe }, columns),
    facts: async (facts) => {
      for (const [label, value] of facts) {
        await breathe();
        const blocks = Array.isArray(value) ? (value as readonly Block[]) : [value as Block];
        paper.need(16);
        const [first] = blocks;
        const drop = first ? baselineOf(STYLES[first.style]) - baselineOf(STYLES.label) : 0;
        await drawAt({ text: label, style: 'label' }, PAGE.left, paper.y + drop, LABEL_WIDTH);
        for (const block of blocks) await text(block, PAGE.left + LABEL_WIDTH, TEXT_WIDTH - LABEL_WIDTH);
        paper.move(3.5);
      }
    },
    attach: ({ bytes: file, ...options }) => void pdf.file(file, options),
    bytes,
    finish: async () => {
      endPage(paper.page);
      const narrow = TEXT_WIDTH * 0.35;
      const wide = TEXT_WIDTH * 0.62;
      const end = PAGE.width - PAGE.right;
      const small = (smallText: string) => ({ text: smallText, style: 'small' }) as const;
      for (const { mark, right, y, sheet } of references) {
        await breathe();
        const number = { text: String((marks.get(mark) ?? -1) + 1), style: 'body' } as const;
        await sheets.draw(sheet, () => drawAt(number, right - LABEL_WIDTH, y, LABEL_WIDTH, 'right'));
      }
      await sheets.draw(head, async () => {
        await drawAt(small(runningHead[0]), PAGE.left, 40, narrow);
        await drawAt(small(runningHead[1]), end - wide, 40, wide, 'right');
        paper.hairline('line', 56);
      });
      await sheets.draw(everyFoot, () => drawAt(small(foot), PAGE.left, PAGE.height - 44, wide));
      for (const [n, sheet] of pageNumbers.entries()) {
        await breathe();
        const number = small(`Page ${n + 1} of ${pageNumbers.length}`);
        await sheets.draw(sheet, () => drawAt(number, end - narrow, PAGE.height - 44, narrow, 'right'));
      }
      sheets.finish();
      outline.finish();
      pdf.end();
    },
  };
}

/** Drops pdfkit's cache of shaped words, which uses more memory than everything else in a long document. */
function forgetShapes(pdf: InstanceType<typeof PDFDocument>): void {
  const { _fontFamilies: faces } = pdf as unknown as { _fontFamilies?: Record<string, { layoutCache?: object }> };
  for (const face of Object.values(faces ?? {})) if (face.layoutCache) face.layoutCache = Object.create(null) as object;
}
