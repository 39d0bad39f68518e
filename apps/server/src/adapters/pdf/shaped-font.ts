import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit';

/** Shaping a word is what costs most in a document, and documents say the same words again and again. */
export type ShapedFont = {
  /** What pdfkit is given in place of the font. */
  font: Font;
  /** How wide a text is, at size 1. */
  widthOf: (text: string) => number;
};

type Shaped = Pick<GlyphRun, 'glyphs' | 'positions'>;

const KEPT = 3000;
const PLAIN = /^[ -~]*$/;

/** `isEven`: a face whose signs all have their own width and nothing to say to each other, so that ASCII needs no shaping. */
export function shapedFont(font: Font, { isEven }: { isEven: boolean }): ShapedFont {
  const kept = new Map<string, Shaped>();

  const shape = (text: string): Shaped => {
    if (isEven && PLAIN.test(text)) return side(font, text);
    const known = kept.get(text);
    if (known) return known;
    const run = font.layout(text);
    const { positions } = run;
    const glyphs = run.glyphs.map(named);
    if (kept.size >= KEPT) kept.clear();
    kept.set(text, { glyphs, positions });
    return { glyphs, positions };
  };
  // pdfkit scales what it gets in place.
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
  const glyphs = Array.from(text, (character) => font.glyphForCodePoint(character.codePointAt(0) ?? 0));
  const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
  return { glyphs, positions };
}

/**
 * A part of a letter, such as the dots of an Arabic one, stands for no character; readers that copy the text would take
 * its number for one. So it stands for one that isn't seen.
 */
function named(glyph: Glyph): Glyph {
  return glyph.codePoints.length > 0 ? glyph : (Object.create(glyph, { codePoints: { value: [0x200b] } }) as Glyph);
}

/** The words as pdfkit shapes them: each with the space behind it. */
const wordsOf = (text: string): string[] => text.match(/[^ \t]*[ \t]|[^ \t]+$/g) ?? [];

const advanceOf = (positions: readonly GlyphPosition[]): number =>
  positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
