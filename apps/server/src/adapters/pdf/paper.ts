import { INK } from './style.ts';
import type PDFDocument from 'pdfkit';

/** A4 with its margins, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48, top: 76, bottom: 66 } as const;
export const TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
const END = PAGE.height - PAGE.bottom;

type Page = InstanceType<typeof PDFDocument>['page'];

/** Where the next thing goes. */
export type Paper = {
  readonly y: number;
  /** From 0. */
  readonly page: number;
  /** How much of this page is left. */
  readonly left: number;
  /** How much an empty page takes. */
  readonly whole: number;
  move: (by: number) => void;
  /** Goes to a new page unless this much is left; true where it did. */
  need: (height: number) => boolean;
  newPage: () => void;
  hairline: (ink?: 'line' | 'lineStrong', y?: number) => void;
};

/** `onPage` hears of each page when it begins and before the next one does. */
export function openPaper(
  pdf: InstanceType<typeof PDFDocument>,
  onPage: { begins: () => void; ends: (page: number) => void },
): Paper {
  let y = END;
  let page = -1;
  const newPage = (): void => {
    const before = page >= 0 ? pdf.page : null;
    if (before) onPage.ends(page);
    pdf.addPage({ size: [PAGE.width, PAGE.height], margin: 0 });
    if (before) forget(before);
    page += 1;
    y = PAGE.top;
    onPage.begins();
  };
  return {
    get y() {
      return y;
    },
    get page() {
      return page;
    },
    get left() {
      return END - y;
    },
    whole: END - PAGE.top,
    move: (by) => {
      y += by;
    },
    need: (height) => {
      if (page >= 0 && height <= END - y) return false;
      newPage();
      return true;
    },
    newPage,
    hairline: (ink = 'line', at = y) => {
      pdf
        .moveTo(PAGE.left, at)
        .lineTo(PAGE.width - PAGE.right, at)
        .lineWidth(0.5)
        .strokeColor(INK[ink])
        .stroke();
    },
  };
}

const NOTHING = Object.freeze({});
const NONE: unknown[] = [];

/** What a page that is written says of itself is needed no more; only its number is, and that it has without. */
function forget({ dictionary }: Page): void {
  const written = dictionary as unknown as { data: object; buffer: unknown[] };
  written.data = NOTHING;
  written.buffer = NONE;
}
