import type PDFDocument from 'pdfkit';
import { type Piece, piecesOf } from './pieces.ts';
import type { Block } from '../../kernel/pdf.ts';
import { INK, STYLES, type Style, baselineOf } from './style.ts';
import { REPLACEMENT, faceFor, prepareFaces } from './typefaces.ts';
import { wrap } from './wrap.ts';

/** One line, ready to be set. Points. */
export type SetLine = { pieces: Piece[]; style: Style; width: number; to: string | null; pageOf: string | null };

const KEPT = 5000;

/** Sets text on the pages of one document. */
export type Typesetter = {
  /** The lines of a block within a width. */
  lines: (block: Block, width: number) => Promise<SetLine[]>;
  /** Draws a line whose upper left corner is at x, y. */
  draw: (line: SetLine, x: number, y: number) => void;
};

/** `onPageOf` hears where the number of a mark's page belongs: its right end. */
export function openTypesetter(
  pdf: InstanceType<typeof PDFDocument>,
  onPageOf: (place: { mark: string; right: number; y: number }) => void,
): Typesetter {
  const registered = new Set<string>();
  // The same names, addresses and words stand on every page.
  const kept = new Map<string, SetLine[]>();

  const useFace = ({ face }: Piece, size: number): void => {
    if (!registered.has(face.key)) {
      // The types know only files and bytes; pdfkit takes an opened font too, and that needn't be read again.
      pdf.registerFont(face.key, face.font as unknown as string);
      registered.add(face.key);
    }
    pdf.font(face.key, size);
  };
  const cut = (text: string, { voice }: Style): Piece[] => {
    const face = faceFor(voice, REPLACEMENT.codePointAt(0) ?? 0);
    if (!face) throw new Error(`no font has ${REPLACEMENT}`);
    return piecesOf(text, (codePoint) => faceFor(voice, codePoint), { text: REPLACEMENT, face });
  };
  const widthOf = (pieces: readonly Piece[], size: number): number =>
    pieces.reduce((sum, { face, text }) => sum + face.widthOf(text) * size, 0);

  const compose = async (block: Block, width: number): Promise<SetLine[]> => {
    const style: Style = { ...STYLES[block.style], ...(block.ink && { ink: block.ink }) };
    // A line is composed before it is cut, and composing can make a character that the text didn't have.
    const text = block.text.normalize('NFC');
    await prepareFaces(style.voice, text);
    return wrap(text, width, (part) => widthOf(cut(part, style), style.size)).map((line) => {
      const pieces = cut(line, style);
      return { pieces, style, width: widthOf(pieces, style.size), to: block.to ?? null, pageOf: block.pageOf ?? null };
    });
  };

  return {
    lines: async (block, width) => {
      const key = JSON.stringify([width, block]);
      const known = kept.get(key);
      if (known) return known;
      const lines = await compose(block, width);
      if (kept.size >= KEPT) kept.clear();
      kept.set(key, lines);
      return lines;
    },
    draw: ({ pieces, style, width, to, pageOf }, x, y) => {
      // Every face of a line stands on the same baseline, whatever its own ascent is.
      const baseline = y + baselineOf(style);
      let at = x;
      for (const piece of pieces) {
        // A face of which only the space is used would be a font without any outline, which readers warn of.
        if (piece.text.trim() !== '') {
          useFace(piece, style.size);
          pdf.fillColor(INK[style.ink]).text(piece.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
        }
        if (pieces.length > 1) at += piece.face.widthOf(piece.text) * style.size;
      }
      if (pageOf !== null) onPageOf({ mark: pageOf, right: x + width, y });
      if (to !== null) pdf.goTo(x, y, width, style.leading, to);
    },
  };
}
