import type PDFDocument from 'pdfkit';
import { type Piece, isRightToLeft, piecesOf } from './pieces.ts';
import type { Block } from '../../kernel/pdf.ts';
import { type Part, partAt, partsOf } from './spans.ts';
import { INK, STYLES, type Style, baselineOf } from './style.ts';
import type { Element, Structure } from './structure.ts';
import { REPLACEMENT, faceFor, prepareFaces } from './typefaces.ts';
import { wrap } from './wrap.ts';

/** One line in points, ready to be drawn. */
export type SetLine = {
  /** The text in reading order, with a space at the end unless it continues directly on the next line. */
  text: string;
  pieces: Piece[];
  parts: readonly Part[];
  style: Style;
  width: number;
  isRightToLeft: boolean;
  /** True for the lines of a right-to-left paragraph with several lines, which start on the right even in a column. */
  startsRight: boolean;
  to: string | null;
  pageOf: string | null;
};

const KEPT = 5000;
const UNDERLINE = { below: 1.4, width: 0.4 } as const;

/** Sets text on the pages of one document. */
export type Typesetter = {
  /** Breaks a block into lines of a given width. */
  lines: (block: Block, width: number) => Promise<SetLine[]>;
  /**
   * Draws a line with its upper left corner at x, y, as content of an element. Without an element, the caller assigns
   * the content.
   */
  draw: (line: SetLine, x: number, y: number, element?: Element) => void;
};

/** The place for a mark's page number: after a text, or up to the right edge of a column. */
export type PageOf = { mark: string; x: number; isRight: boolean; y: number; element: Element | null };

export function openTypesetter(
  pdf: InstanceType<typeof PDFDocument>,
  structure: Structure,
  onPageOf: (place: PageOf) => void,
): Typesetter {
  const registered = new Set<string>();
  // Lines are cached because the same names, addresses and words appear on many pages.
  const cache = new Map<string, SetLine[]>();

  const useFace = ({ face }: Piece, size: number): void => {
    if (!registered.has(face.key)) {
      // According to its types, pdfkit accepts only files and bytes, but it also accepts an opened font and then
      // doesn't read it again.
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
        direction: isTurned ? 'rtl' : text.includes(ISOLATE) ? 'ltr' : 'auto',
      });
    const lines = wrap(text, width, (part, at) => widthOf(cut(part, at), style.size));
    return lines.map(({ text: line, at }, n) => {
      const pieces = cut(line, at);
      // If the text has no spaces, as in Japanese, it continues directly on the next line.
      const isBroken = n < lines.length - 1 && !/\s/u.test(text.charAt(at + line.length));
      return {
        text: isBroken ? line : `${line} `,
        pieces,
        parts,
        style,
        width: widthOf(pieces, style.size),
        isRightToLeft: isTurned,
        startsRight: isTurned && lines.length > 1,
        to: block.to ?? null,
        pageOf: block.pageOf ?? null,
      };
    });
  };

  type Area = { x: number; y: number; width: number; height: number };
  /** Adds a clickable area that links to an external page or to a mark in this document. */
  const addArea = (link: Element | null, name: string, target: { href: string } | { to: string }, area: Area): void => {
    const { x, y, width, height } = area;
    const annotate = (options: object = {}): unknown =>
      'href' in target
        ? pdf.link(x, y, width, height, target.href, options)
        : pdf.goTo(x, y, width, height, target.to, options);
    if (link) structure.addArea(link, name, annotate);
    else annotate();
  };
  const underline = (x: number, baseline: number, width: number): void => {
    const y = baseline + UNDERLINE.below;
    pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(UNDERLINE.width)
      .strokeColor(INK.accent)
      .stroke();
  };

  /** Draws the pieces in reading order, which differs from their visual order in right-to-left text. */
  const drawPieces = (line: SetLine, x: number, baseline: number, element: Element | null): void => {
    const { pieces, parts, style, width, text } = line;
    let edge = x;
    const placed = pieces.map((piece) => {
      const own = pieces.length === 1 ? width : piece.face.widthOf(piece.text) * style.size;
      const place = { piece, left: edge, own };
      edge += own;
      return place;
    });
    placed.sort((a, b) => a.piece.order - b.piece.order);
    for (const [n, { piece, left, own }] of placed.entries()) {
      const part = parts[piece.part];
      const { ink = style.ink, href = null } = part ?? {};
      const link = element && href !== null ? structure.linkIn(element, part) : null;
      if (element) structure.use(link ?? element);
      // A face that is used only for a space would be embedded without any outlines, and PDF viewers warn about such
      // fonts. Therefore, a space is drawn with the text before it. It isn't visible, but it separates words for screen
      // readers.
      const next = placed[n + 1];
      const isBeforeSpace = next ? next.piece.text.trim() === '' : text.endsWith(' ');
      if (piece.text.trim() !== '') {
        useFace(piece, style.size);
        pdf.fillColor(INK[ink]);
        drawText(piece, isBeforeSpace, left, baseline);
      }
      if (href !== null) {
        underline(left, baseline, own);
        const area = { x: left, y: baseline - style.size, width: own, height: style.leading };
        addArea(link, piece.text, { href }, area);
      }
    }
  };
  const drawText = (
    { text, face, isReversed }: Piece,
    isBeforeSpace: boolean,
    left: number,
    baseline: number,
  ): void => {
    const space = isBeforeSpace && face.font.hasGlyphForCodePoint(SPACE) ? ' ' : '';
    // The glyphs of right-to-left text are written from left to right, so the space after the text comes first.
    const x = isReversed && space !== '' ? left - pdf.widthOfString(space) : left;
    // Punctuation has no direction, so its glyphs aren't reordered.
    const shown = isReversed && !isRightToLeft(text) ? `${space}${text}` : `${text}${space}`;
    if (isReversed) pdf.addContent('/ReversedChars BMC');
    pdf.text(shown, x, baseline, { lineBreak: false, baseline: 'alphabetic' });
    if (isReversed) pdf.addContent('EMC');
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
    draw: (line, x, y, element) => {
      const { pieces, style, width, to, pageOf, text } = line;
      // All faces in a line share one baseline, although their ascents differ.
      const baseline = y + baselineOf(style);
      const link = element && to !== null ? structure.linkIn(element, to) : null;
      const owner = link ?? element ?? null;
      drawPieces(line, x, baseline, owner);
      if (to !== null) addArea(link, text.trim(), { to }, { x, y, width, height: style.leading });
      if (pageOf !== null) {
        const isRight = pieces.length === 0;
        onPageOf({ mark: pageOf, x: isRight ? x : x + width + style.size * 0.3, isRight, y, element: owner });
      }
    },
  };
}

const SPACE = 0x20;
const ISOLATE = '\u2068';
