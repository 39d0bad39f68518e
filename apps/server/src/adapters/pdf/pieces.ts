import bidiFactory from 'bidi-js';
import type { Face } from './typefaces.ts';

/** A part of a line in one face, written left to right or right to left. */
export type Piece = {
  readonly text: string;
  readonly face: Face;
  readonly part: number;
  /** True if the piece is written from right to left. */
  readonly isReversed: boolean;
  /** The piece's position in the order in which the line is read. */
  readonly order: number;
};

/** Finds the face of a character. Null if no font has the character. `index` is its position in the line. */
type FaceLookup = (codePoint: number, index: number) => Face | null;

type Glyphs = { text: string; face: Face };
type Levelled = Glyphs & { level: number; part: number; isReversed: boolean; order: number };

type Cutting = {
  lookup: FaceLookup;
  replacement: Glyphs;
  /** Returns the part of the text that a character belongs to. A piece never spans two parts. */
  partOf?: (index: number) => number;
  /** The reading direction of the line. With `auto`, its first letter with a direction decides. */
  direction?: 'ltr' | 'rtl' | 'auto';
};

const bidi = bidiFactory();
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
// An email address is read from left to right in any script.
const ADDRESS = /^\S+@\S+$/;
const JOINED = /^(?:\p{M}|\p{Variation_Selector}|\p{Emoji_Modifier}|\u200C|\u200D)$/u;
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;
const ISOLATES = /^[\u2068\u2069]$/;
const NEUTRAL = /^[\s\p{P}\p{S}]$/u;

/**
 * Splits a line into pieces in visual order. A character that no font has becomes U+FFFD. Embeddings, overrides and
 * isolates of the reading direction become U+FFFD too, so that a name can't look like a different one. The exceptions
 * are U+2068 and U+2069, which the product's own sentences put around names.
 */
export function piecesOf(
  line: string,
  { lookup, replacement, partOf = () => 0, direction = 'auto' }: Cutting,
): Piece[] {
  const text = line.normalize('NFC').replaceAll(/[\u202A-\u202E\u2066\u2067]/g, replacement.text);
  const isMixed = RIGHT_TO_LEFT.test(text);
  const levels = isMixed ? bidi.getEmbeddingLevels(text, ADDRESS.test(text) ? 'ltr' : direction).levels : null;
  const pieces: Levelled[] = [];
  let index = 0;
  for (const character of text) {
    const level = levels?.[index] ?? 0;
    const part = partOf(index);
    const at = index;
    index += character.length;
    if (ISOLATES.test(character)) continue;
    const isReversed = level % 2 === 1;
    const last = pieces.at(-1);
    const shown = isReversed ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const next = glyphFor(shown, last?.face, (codePoint) => lookup(codePoint, at), replacement);
    if (next === null) continue;
    // In right-to-left text, each neutral character becomes a piece of its own, because several of them in one piece
    // would be set from left to right.
    const isAlone = isReversed && (NEUTRAL.test(next.text) || NEUTRAL.test(last?.text ?? ''));
    if (last && last.face === next.face && last.level === level && last.part === part && !isAlone)
      last.text += next.text;
    else pieces.push({ ...next, level, part, isReversed, order: pieces.length });
  }
  return levels ? reordered(pieces) : pieces;
}

function glyphFor(
  character: string,
  before: Face | undefined,
  lookup: (codePoint: number) => Face | null,
  replacement: Glyphs,
): Glyphs | null {
  const codePoint = character.codePointAt(0) ?? 0;
  if (before && JOINED.test(character) && before.font.hasGlyphForCodePoint(codePoint)) {
    return { text: character, face: before };
  }
  const face = lookup(codePoint);
  if (face) return { text: character, face };
  return INVISIBLE.test(character) ? null : replacement;
}

/** True if the text is read from right to left. The first letter with a direction decides. */
export const isRightToLeft = (text: string): boolean =>
  RIGHT_TO_LEFT.test(text) && bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1;

/**
 * Reorders pieces by rule L2 of the bidirectional algorithm: from the highest level down, reverses each run at that
 * level or above.
 */
function reordered(pieces: Levelled[]): Levelled[] {
  const order = [...pieces];
  const deepest = order.reduce((level, piece) => Math.max(level, piece.level), 0);
  for (let level = deepest; level >= 1; level -= 1) {
    let from = 0;
    while (from < order.length) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to += 1;
      order.splice(from, to - from, ...order.slice(from, to).toReversed());
      from = to + 1;
    }
  }
  return order;
}
