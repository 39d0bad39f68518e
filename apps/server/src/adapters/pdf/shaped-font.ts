import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit';

/**
 * A font that caches shaped words, because shaping is the most expensive part of writing a document, and documents
 * repeat words.
 */
export type ShapedFont = {
  /** The font object for pdfkit. */
  font: Font;
  /** The text's width at size 1. */
  widthOf: (text: string) => number;
};

type Shaped = Pick<GlyphRun, 'glyphs' | 'positions'>;

const KEPT = 3000;
const PLAIN = /^[ -~]*$/;

/** `isEven` is true for a monospaced face without contextual glyphs, in which ASCII needs no shaping. */
export function shapedFont(font: Font, { isEven }: { isEven: boolean }): ShapedFont {
  const cache = new Map<string, Shaped>();

  const shape = (text: string): Shaped => {
    if (isEven && PLAIN.test(text)) return side(font, text);
    const known = cache.get(text);
    if (known) return known;
    const run = font.layout(text);
    const { positions } = run;
    const glyphs = run.glyphs.map((glyph) => named(font, glyph));
    if (cache.size >= KEPT) cache.clear();
    cache.set(text, { glyphs, positions });
    return { glyphs, positions };
  };
  // pdfkit scales the result in place, so it gets a copy.
  const layout = (text: string) => {
    const { glyphs, positions } = shape(text);
    const copies = positions.map((position) => ({ ...position }));
    return {
      glyphs,
      positions: copies,
      get advanceWidth() {
        return advanceOf(copies);
      },
    };
  };
  return {
    font: Object.create(font, { layout: { value: layout } }) as Font,
    widthOf: (text) => wordsOf(text).reduce((sum, word) => sum + advanceOf(shape(word).positions), 0) / font.unitsPerEm,
  };
}

function side(font: Font, text: string): Shaped {
  const glyphs = Array.from(text, (character) => named(font, font.glyphForCodePoint(character.codePointAt(0) ?? 0)));
  const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
  return { glyphs, positions };
}

/**
 * Returns the glyph with the characters that viewers copy for it. fontkit caches each glyph when it is first read. If a
 * glyph was first read as a part of an accented letter, it has no characters, so they are looked up. A glyph that is
 * only such a part, for example the dots of an Arabic letter, represents no character. It is mapped to an invisible
 * one, because viewers would otherwise copy its number.
 */
function named(font: Font, glyph: Glyph): Glyph {
  if (glyph.codePoints.length > 0) return glyph;
  const [character = '\u200B'] = font.stringsForGlyph(glyph.id);
  return Object.create(glyph, { codePoints: { value: [character.codePointAt(0)] } }) as Glyph;
}

/** Splits a text into the units that pdfkit shapes: words, each with the space after it. */
const wordsOf = (text: string): string[] => text.match(/[^ \t]*[ \t]|[^ \t]+$/g) ?? [];

const advanceOf = (positions: readonly GlyphPosition[]): number =>
  positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
