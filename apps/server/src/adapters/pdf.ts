import PDFDocument from 'pdfkit';
import { yieldEvery } from '../kernel/pdf.ts';
import { PAGE, TEXT_WIDTH, openPaper } from './pdf/paper.ts';
import type { Block, Group, Layout, Pdf, PdfOptions } from '../kernel/pdf.ts';
import { LABEL_WIDTH, writeFacts } from './pdf/facts.ts';
import { openOutlet } from './pdf/outlet.ts';
import { openOutline } from './pdf/outline.ts';
import { type Sheet, openSheets } from './pdf/sheets.ts';
import { openSmallObjects } from './pdf/small-objects.ts';
import { ARTIFACT, type Element, type Role, openStructure } from './pdf/structure.ts';
import { INK, baselineOf } from './pdf/style.ts';
import { openTable } from './pdf/table.ts';
import { type PageOf, openTypesetter } from './pdf/typesetter.ts';

const MARKER_WIDTH = 40;
const MARKER_GAP = 5;
const BAR_WIDTH = 1.5;
const BAR_GAP = 9;
const LINES_AT_ONCE = 20;
// Number of pages after which the cache of shaped words is emptied. Words repeat on nearby pages, but hashes and times
// don't.
const PAGES_SHAPED = 20;
const LOGO = { height: 25, dots: 4 } as const;

const GROUPS = { section: 'Sect', list: 'L', item: 'LI', quote: 'BlockQuote' } as const satisfies Record<Group, Role>;
const HEADINGS = { 1: 'H1', 2: 'H2', 3: 'H3' } as const;
// Without this attribute, screen readers don't treat the marks and numbers as labels of a list.
const LIST_WITH_LABELS = '/A<</O/List/ListNumbering/Disc>>';
const PAGE_HEAD = '/Artifact <</Type/Pagination/Subtype/Header>> BDC';
const PAGE_FOOT = '/Artifact <</Type/Pagination/Subtype/Footer>> BDC';

/** Converts an indent, measured from the margin where lines start, to a distance from the left edge of the page. */
const edgeOf = (isRightToLeft: boolean, indent: number): number =>
  isRightToLeft ? PAGE.width - PAGE.right - indent : PAGE.left + indent;

export function openPdf({ title, author, createdAt, runningHead, foot }: PdfOptions): Pdf {
  const pdf = new PDFDocument({
    autoFirstPage: false,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, Author: author, Creator: 'Stet', Producer: 'Stet', CreationDate: new Date(createdAt) },
  });
  escapeMetadata(pdf);
  const { bytes, room } = openOutlet(pdf);
  const sheets = openSheets(pdf);
  const outline = openOutline(pdf);
  const objects = openSmallObjects(pdf);
  const structure = openStructure(pdf, objects);
  const head = sheets.make();
  const everyFoot = sheets.make();
  const pageNumbers: Sheet[] = [];
  const endPage = (page: number): void => {
    structure.endPage();
    if (page % PAGES_SHAPED === PAGES_SHAPED - 1) forgetShapes(pdf);
    const number = sheets.make();
    pageNumbers.push(number);
    sheets.end([...(page > 0 ? [head] : []), everyFoot, number]);
  };
  const beginPage = (): void => {
    sheets.begin();
    structure.beginPage();
  };
  const paper = openPaper(pdf, { begins: beginPage, ends: endPage });
  const marks = new Map<string, number>();
  const references: (Omit<PageOf, 'element'> & { sheet: Sheet; operator: string })[] = [];
  const setter = openTypesetter(pdf, structure, ({ element, ...place }) => {
    structure.stop();
    const operator = element ? structure.reserve(element) : '/Artifact BMC';
    references.push({ ...place, sheet: sheets.within(), operator });
  });
  const pause = yieldEvery();
  const breathe = async (): Promise<void> => {
    await room();
    await pause();
  };

  /** The element to which new content is added, and its table if one is open. */
  let parent: Element = structure.document;
  let table: Element | null = null;
  const endTable = (): void => {
    if (table) structure.end(table);
    table = null;
  };
  const inElement = async (role: Role, write: (element: Element) => Promise<void>): Promise<void> => {
    endTable();
    const element = structure.begin(role, parent);
    await write(element);
    structure.end(element);
  };

  /** Draws one line. The caller assigns it to an element, or marks it as decoration. */
  const drawAt = async (block: Block, x: number, y: number, width: number, align: 'left' | 'right' = 'left') => {
    let [line, ...more] = await setter.lines(block, width);
    // There is room for only one line, so longer text ends in an ellipsis.
    for (let text = Array.from(block.text); more.length > 0 && text.length > 0;) {
      text = text.slice(0, Math.floor(text.length * 0.9));
      [line, ...more] = await setter.lines({ ...block, text: `${text.join('').trimEnd()}…` }, width);
    }
    if (line) setter.draw(line, align === 'right' ? x + width - line.width : x, y);
  };
  const text = async (block: Block, element: Element): Promise<void> => {
    for (const line of await setter.lines(block, TEXT_WIDTH)) {
      paper.need(line.style.leading);
      setter.draw(line, line.startsRight ? PAGE.left + TEXT_WIDTH - line.width : PAGE.left, paper.y, element);
      paper.move(line.style.leading);
    }
  };

  /** Draws a bar next to the lines that were just set, starting at their top. */
  const bar = (from: number, x: number): void => {
    if (paper.y - from < 4) return;
    structure.use(ARTIFACT);
    pdf.rect(x, from + 1, BAR_WIDTH, paper.y - from - 2).fill(INK.lineStrong);
  };
  const read = async (
    block: Block,
    { indent, marker, bar: hasBar = false }: Layout,
    element: Element,
  ): Promise<void> => {
    const width = TEXT_WIDTH - indent;
    const lines = await setter.lines(block, width);
    const [sign] = marker ? await setter.lines(marker, MARKER_WIDTH) : [];
    let began = paper.y;
    for (const [n, line] of lines.entries()) {
      if (n % LINES_AT_ONCE === 0) await breathe();
      const { isRightToLeft, style, width: own } = line;
      if (hasBar && paper.left < style.leading) bar(began, edgeOf(isRightToLeft, indent - BAR_GAP));
      if (paper.need(style.leading)) began = paper.y;
      // The marker is drawn first, so that it precedes the line in copied text.
      if (n === 0 && sign) {
        const before = isRightToLeft ? PAGE.left + width + MARKER_GAP : PAGE.left + indent - MARKER_GAP - sign.width;
        const item = parent.role === 'LBody' ? parent.parent : null;
        const label = item ? structure.begin('Lbl', item, { isFirst: true }) : null;
        setter.draw(sign, before, paper.y + baselineOf(style) - baselineOf(sign.style), label ?? element);
        if (label) structure.end(label);
      }
      setter.draw(line, isRightToLeft ? PAGE.left + width - own : PAGE.left + indent, paper.y, element);
      paper.move(style.leading);
    }
    if (hasBar) bar(began, edgeOf(lines[0]?.isRightToLeft ?? false, indent - BAR_GAP));
  };

  const drawLater = (sheet: Sheet, operator: string, work: () => Promise<void>): Promise<void> =>
    sheets.draw(sheet, async () => {
      pdf.addContent(operator);
      await work();
      pdf.addContent('EMC');
    });

  return {
    text: async (block) => {
      await breathe();
      await inElement('P', (element) => text(block, element));
    },
    read: async (block, layout) => {
      await breathe();
      await inElement('P', (element) => read(block, layout, element));
    },
    heading: async (level, block, layout) => {
      await breathe();
      await inElement(HEADINGS[level], (element) => (layout ? read(block, layout, element) : text(block, element)));
    },
    group: async (group, write) => {
      endTable();
      const outer = parent;
      const attributes = group === 'list' ? LIST_WITH_LABELS : '';
      const element = structure.begin(GROUPS[group], outer, { attributes });
      const body = group === 'item' ? structure.begin('LBody', element) : null;
      parent = body ?? element;
      await write();
      endTable();
      if (body) structure.end(body);
      structure.end(element);
      parent = outer;
    },
    space: (height) => {
      if (paper.y > PAGE.top) paper.move(height);
    },
    newPage: paper.newPage,
    keepTogether: (height) => void paper.need(height),
    hairline: () => {
      paper.need(1);
      structure.use(ARTIFACT);
      paper.hairline();
    },
    logo: async () => {
      paper.need(LOGO.height + LOGO.dots);
      structure.use(ARTIFACT);
      await drawAt({ text: 'Stet', style: 'title' }, PAGE.left, paper.y, TEXT_WIDTH);
      paper.move(LOGO.height);
      for (const n of [0, 1, 2]) pdf.circle(PAGE.left + 1.5 + n * 6, paper.y, 1.1).fill(INK.accent);
      paper.move(LOGO.dots);
    },
    mark: (name, heading, level = 1) => {
      marks.set(name, paper.page);
      const above = Math.max(0, paper.y - 24);
      pdf.addNamedDestination(name, 'XYZ', 0, above, null);
      if (heading !== null) outline.add(heading, above, level);
    },
    table: async (columns) => {
      endTable();
      table = structure.begin('Table', parent);
      return openTable({ paper, setter, structure, breathe }, table, columns);
    },
    attach: ({ bytes: file, ...options }) => void pdf.file(file, options),
    facts: (facts, columns = 1) =>
      inElement('Table', (element) => writeFacts({ paper, setter, structure, breathe }, element, facts, columns)),
    bytes,
    finish: async () => {
      endTable();
      endPage(paper.page);
      const narrow = TEXT_WIDTH * 0.35;
      const wide = TEXT_WIDTH * 0.62;
      const end = PAGE.width - PAGE.right;
      const small = (smallText: string) => ({ text: smallText, style: 'small' }) as const;
      for (const { mark, x, isRight, y, sheet, operator } of references) {
        await breathe();
        const number = { text: String((marks.get(mark) ?? -1) + 1), style: 'body' } as const;
        const left = isRight ? x - LABEL_WIDTH : x;
        await drawLater(sheet, operator, () => drawAt(number, left, y, LABEL_WIDTH, isRight ? 'right' : 'left'));
      }
      await drawLater(head, PAGE_HEAD, async () => {
        await drawAt(small(runningHead[0]), PAGE.left, 40, narrow);
        await drawAt(small(runningHead[1]), end - wide, 40, wide, 'right');
        paper.hairline('line', 56);
      });
      await drawLater(everyFoot, PAGE_FOOT, () => drawAt(small(foot), PAGE.left, PAGE.height - 44, wide));
      for (const [n, sheet] of pageNumbers.entries()) {
        await breathe();
        const number = small(`Page ${n + 1} of ${pageNumbers.length}`);
        await drawLater(sheet, PAGE_FOOT, () => drawAt(number, end - narrow, PAGE.height - 44, narrow, 'right'));
      }
      sheets.finish();
      outline.finish();
      structure.finish();
      await objects.finish();
    },
  };
}

/** Empties pdfkit's cache of shaped words, which in a long document uses more memory than everything else. */
function forgetShapes(pdf: InstanceType<typeof PDFDocument>): void {
  const { _fontFamilies: faces } = pdf as unknown as { _fontFamilies?: Record<string, { layoutCache?: object }> };
  for (const face of Object.values(faces ?? {})) if (face.layoutCache) face.layoutCache = Object.create(null) as object;
}

/**
 * Escapes the title and author for the XML metadata, because pdfkit writes them unchanged, even if they contain `&` or
 * `<`.
 */
function escapeMetadata(document: InstanceType<typeof PDFDocument>): void {
  const pdf = document as unknown as { info: Record<string, unknown>; _addInfo: () => void };
  const addInfo = pdf._addInfo.bind(pdf);
  pdf._addInfo = () => {
    const { info } = pdf;
    const entries = Object.entries(info).map(([name, value]) => [
      name,
      typeof value === 'string' ? escaped(value) : value,
    ]);
    pdf.info = Object.fromEntries(entries) as Record<string, unknown>;
    addInfo();
    pdf.info = info;
  };
}

// XML doesn't allow most control characters, not even as references.
const escaped = (text: string): string =>
  text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
