import type PDFDocument from 'pdfkit';
import { type Piece, isRightToLeft, piecesOf } from './pieces.ts';
import type { Block } from '../../kernel/pdf.ts';
import { type Part, partAt, partsOf } from './spans.ts';
import { INK, STYLES, type Style, baselineOf } from './style.ts';
import { REPLACEMENT, faceFor, prepareFaces } from './typefaces.ts';
import { wrap } from './wrap.ts';

/** One line in points, ready to be drawn. */
export type SetLine = {
  pieces: Piece[];
  parts: readonly Part[];
  style: Style;
  width: number;
  isRightToLeft: boolean;
  to: string | null;
  pageOf: string | null;
};

const KEPT = 5000;
const UNDERLINE = { below: 1.4, width: 0.4 } as const;

/** Sets text on the pages of one document. */
export type Typesetter = {
  /** Breaks a block into lines of a given width. */
  lines: (block: Block, width: number) => Promise<SetLine[]>;
  /** Draws a line with its upper left corner at x, y. */
  draw: (line: SetLine, x: number, y: number) => void;
};

/** `onPageOf` receives the right edge of a mark's page number. */
export function openTypesetter(
  pdf: InstanceType<typeof PDFDocument>,
  onPageOf: (place: { mark: string; right: number; y: number }) => void,
): Typesetter {
  const registered = new Set<string>();
  // Lines are cached because the same names, addresses and words appear on many pages.
  const cache = new Map<string, SetLine[]>();

  const useFace = ({ face }: Piece, size: number): void => {
    if (!registered.has(face.key)) {
      // The types allow only files and bytes, but pdfkit also accepts an opened font and then doesn't read it again.
      pdf.registerFont(face.key, face.font as unknown as string);
      registered.add(face.key);
    }
    pdf.font(face.key, size);
  };
  const widthOf = (pieces: readonly Piece[], size: number): number =>
    pieces.reduce((sum, { face, text }) => sum + face.widthOf(text) * size, 0);

  const compose = async (block: Block, width: number): Promise<SetLine[]> => {
    const style: Style = { ...STYLES[block.style], ...(block.ink && { ink: block.ink }) };
    const { text, parts } = partsOf(block);
    for (const [n, { from, voice }] of parts.entries())
      await prepareFaces(voice, text.slice(from, parts[n + 1]?.from ?? text.length));
    const face = faceFor(style.voice, REPLACEMENT.codePointAt(0) ?? 0);
    if (!face) throw new Error(`no font has ${REPLACEMENT}`);
    const replacement = { text: REPLACEMENT, face };
    const isTurned = isRightToLeft(text);
    const cut = (part: string, at: number): Piece[] =>
      piecesOf(part, {
        lookup: (codePoint, index) => faceFor(parts[partAt(parts, at + index)]?.voice ?? style.voice, codePoint),
        replacement,
        partOf: (index) => partAt(parts, at + index),
        direction: isTurned ? 'rtl' : 'auto',
      });
    return wrap(text, width, (part, at) => widthOf(cut(part, at), style.size)).map(({ text: line, at }) => {
      const pieces = cut(line, at);
      return {
        pieces,
        parts,
        style,
        width: widthOf(pieces, style.size),
        isRightToLeft: isTurned,
        to: block.to ?? null,
        pageOf: block.pageOf ?? null,
      };
    });
  };

  /** Draws a link: an underline and a clickable area. */
  const link = (href: string, x: number, baseline: number, width: number, { size, leading }: Style): void => {
    const y = baseline + UNDERLINE.below;
    pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(UNDERLINE.width)
      .strokeColor(INK.accent)
      .stroke();
    pdf.link(x, baseline - size, width, leading, href);
  };

  return {
    lines: async (block, width) => {
      const key = JSON.stringify([width, block]);
      const known = cache.get(key);
      if (known) return known;
      const lines = await compose(block, width);
      if (cache.size >= KEPT) cache.clear();
      cache.set(key, lines);
      return lines;
    },
    draw: ({ pieces, parts, style, width, to, pageOf }, x, y) => {
      // All faces in a line share one baseline, although their ascents differ.
      const baseline = y + baselineOf(style);
      let at = x;
      for (const piece of pieces) {
        const { ink = style.ink, href = null } = parts[piece.part] ?? {};
        const isOne = pieces.length === 1;
        const own = isOne ? width : piece.face.widthOf(piece.text) * style.size;
        // A face used only for a space would be embedded without any outlines. PDF viewers warn about that.
        if (piece.text.trim() !== '') {
          useFace(piece, style.size);
          pdf.fillColor(INK[ink]).text(piece.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
        }
        if (href !== null) link(href, at, baseline, own, style);
        at += own;
      }
      if (pageOf !== null) onPageOf({ mark: pageOf, right: x + width, y });
      if (to !== null) pdf.goTo(x, y, width, style.leading, to);
    },
  };
}
