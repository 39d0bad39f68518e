import bidiFactory from 'bidi-js';
import type { Face } from './typefaces.ts';

/** A part of a line in one face, set from left to right or from right to left. */
export type Piece = { readonly text: string; readonly face: Face; readonly part: number };

/** The face of a character; null where no font has it. `index` is where in the line it stands. */
type FaceLookup = (codePoint: number, index: number) => Face | null;

type Glyphs = { text: string; face: Face };
type Levelled = Glyphs & { level: number; part: number };

type Cutting = {
  lookup: FaceLookup;
  replacement: Glyphs;
  /** Which part of the text a character belongs to: what is of two parts is two pieces. */
  partOf?: (index: number) => number;
  /** The direction that the line is read in where its text doesn't say. */
  direction?: 'ltr' | 'rtl' | 'auto';
};

const bidi = bidiFactory();
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
// An e-mail address reads from left to right whatever its name is written in.
const ADDRESS = /^\S+@\S+$/;
const JOINED = /^(?:\p{M}|\p{Variation_Selector}|\p{Emoji_Modifier}|\u200C|\u200D)$/u;
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;
const NEUTRAL = /^[\s\p{P}\p{S}]$/u;

/**
 * Cuts a line into pieces in the order in which they stand on paper. A character that no font has becomes U+FFFD, and so
 * does one that would turn the reading direction: a name can't make itself look like another one.
 */
export function piecesOf(
  line: string,
  { lookup, replacement, partOf = () => 0, direction = 'auto' }: Cutting,
): Piece[] {
  const text = line.normalize('NFC').replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, replacement.text);
  const isMixed = RIGHT_TO_LEFT.test(text);
  const levels = isMixed ? bidi.getEmbeddingLevels(text, ADDRESS.test(text) ? 'ltr' : direction).levels : null;
  const pieces: Levelled[] = [];
  let index = 0;
  for (const character of text) {
    const level = levels?.[index] ?? 0;
    const part = partOf(index);
    const at = index;
    index += character.length;
    const isReversed = level % 2 === 1;
    const last = pieces.at(-1);
    const shown = isReversed ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const next = glyphFor(shown, last?.face, (codePoint) => lookup(codePoint, at), replacement);
    if (next === null) continue;
    // Signs between right-to-left words stand alone: a run of nothing else would be set from left to right.
    const isAlone = isReversed && (NEUTRAL.test(next.text) || NEUTRAL.test(last?.text ?? ''));
    if (last && last.face === next.face && last.level === level && last.part === part && !isAlone)
      last.text += next.text;
    else pieces.push({ ...next, level, part });
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

/** True where a text is read from right to left: by its first letter that has a direction. */
export const isRightToLeft = (text: string): boolean =>
  RIGHT_TO_LEFT.test(text) && bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1;

/** Rule L2 of the bidirectional algorithm: from the highest level down, what is at least that deep is turned around. */
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
