import { INK } from './style.ts';
import type PDFDocument from 'pdfkit';

/** A4 with its margins, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48, top: 76, bottom: 66 } as const;
export const TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
const END = PAGE.height - PAGE.bottom;

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

export function openPaper(pdf: InstanceType<typeof PDFDocument>): Paper {
  let y = END;
  let page = -1;
  const newPage = (): void => {
    if (page >= 0) compact(pdf);
    pdf.addPage({ size: [PAGE.width, PAGE.height], margin: 0 });
    page += 1;
    y = PAGE.top;
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

/** pdfkit keeps each operator of a page as bytes of its own, which take ten times the room until all is written: one piece will do. */
function compact({ page }: InstanceType<typeof PDFDocument>): void {
  const { content } = page as unknown as { content?: { buffer?: unknown } };
  if (content && Array.isArray(content.buffer)) content.buffer = [Buffer.concat(content.buffer as Uint8Array[])];
}
