import { INK } from './style.ts';
import type PDFDocument from 'pdfkit';

/** A4 with its margins, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48, top: 76, bottom: 66 } as const;
export const TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
const END = PAGE.height - PAGE.bottom;

type Page = InstanceType<typeof PDFDocument>['page'];

/** The current position in the document. */
export type Paper = {
  readonly y: number;
  /** Page number, counted from 0. */
  readonly page: number;
  /** Remaining height of this page, in points. */
  readonly left: number;
  /** Usable height of an empty page, in points. */
  readonly whole: number;
  move: (by: number) => void;
  /** Starts a new page if the remaining height is less than this. Returns true if it did. */
  need: (height: number) => boolean;
  newPage: () => void;
  hairline: (ink?: 'line' | 'lineStrong', y?: number) => void;
};

/** Calls `begins` when a page begins, and `ends` with its number when it ends, except for the last page. */
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

/**
 * Frees the dictionary of a page that has been written. Only its object number is still needed, and that is stored
 * elsewhere.
 */
function forget({ dictionary }: Page): void {
  const written = dictionary as unknown as { data: object; buffer: unknown[] };
  written.data = NOTHING;
  written.buffer = NONE;
}
