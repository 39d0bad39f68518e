import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Voice } from './font-families.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { REPLACEMENT, faceFor, prepareFaces } from './typefaces.ts';

async function cut(text: string, voice: Voice = 'text'): Promise<Piece[]> {
  await prepareFaces(voice, text.normalize('NFC'));
  const face = faceFor(voice, 0xfffd);
  if (!face) throw new Error('no replacement');
  return piecesOf(text, { lookup: (codePoint) => faceFor(voice, codePoint), replacement: { text: REPLACEMENT, face } });
}
const shown = async (text: string): Promise<string> => (await cut(text)).map((piece) => piece.text).join('');
const packages = async (text: string, voice: Voice): Promise<string[]> =>
  (await cut(text, voice)).map(({ face }) => face.key.split(' ')[0]?.split('/')[1] ?? '');

describe('the pieces of a line', () => {
  it('use the intended typeface if it has the glyph, and a fallback otherwise', async () => {
    expect(await packages('Close', 'name')).toEqual(['newsreader']);
    expect(await packages('Close', 'text')).toEqual(['hanken-grotesk']);
    expect(await packages('Жar', 'name')).toEqual(['noto-sans', 'newsreader']);
    expect(await packages('Жα', 'code')).toEqual(['jetbrains-mono', 'jetbrains-mono']);
    expect(await packages('締', 'text')).toEqual(['noto-sans-sc']);
    expect(await packages('한', 'text')).toEqual(['noto-sans-kr']);
    expect(await packages('ไ', 'text')).toEqual(['noto-sans-thai']);
    expect(await packages('😀', 'text')).toEqual(['noto-emoji']);
  });

  it('include every character of a text in many scripts, in every typeface', async () => {
    const text = 'Łódź Žižkov Ёлка Ωμέγα हिन्दी สวัสดี 四半期 简体 한국어 ✓ → 😀 “x” — … −';
    for (const voice of ['title', 'name', 'text', 'strong', 'em', 'strong_em', 'code'] as const) {
      expect((await cut(text, voice)).map((piece) => piece.text).join('')).toBe(text.normalize('NFC'));
    }
  });

  it('show U+FFFD for a character that no font has, a lone surrogate, or a control character', async () => {
    expect(await shown('a\u{12000}b')).toBe('a\uFFFDb');
    expect(await shown('a\uD800b\u0007')).toBe('a\uFFFDb\uFFFD');
  });

  it('show U+FFFD for a character that would change the reading direction', async () => {
    expect(await shown('invoice \u202Efdp.exe')).toBe('invoice \uFFFDfdp.exe');
  });

  it('are in visual order if the text contains right-to-left letters', async () => {
    expect(await shown('דוח (טיוטה) 2026')).toBe('2026 )טיוטה( דוח'.replace(')טיוטה(', '(טיוטה)'));
    expect(await shown('Q3 שלום עולם!')).toBe('Q3 עולם שלום!');
    expect(await shown('משה@example.com')).toBe('משה@example.com');
  });

  it('never lose a visible character, whatever the text', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const count = Array.from(text.normalize('NFC')).filter(
          (character) => !/\p{Cf}|\p{M}|\p{Default_Ignorable_Code_Point}/u.test(character),
        ).length;
        expect(Array.from(await shown(text)).length).toBeGreaterThanOrEqual(count);
      }),
      { numRuns: 100 },
    );
  });
});
