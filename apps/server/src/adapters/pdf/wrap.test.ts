import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrap } from './wrap.ts';

const perCharacter = (text: string): number => Array.from(text).length;

describe('wrapping', () => {
  it('breaks at spaces, and drops the space at which it broke', () => {
    expect(wrap('the quick brown fox', 9, perCharacter)).toEqual(['the quick', 'brown fox']);
  });

  it('keeps the lines that the text has, empty ones too', () => {
    expect(wrap('one\r\n\ntwo\u2028three', 20, perCharacter)).toEqual(['one', '', 'two', 'three']);
    expect(wrap('', 20, perCharacter)).toEqual(['']);
  });

  it('breaks between ideographs, but not before a full stop', () => {
    expect(wrap('四半期の締め。処理', 6, perCharacter)).toEqual(['四半期の締', 'め。処理']);
  });

  it('breaks a compound at its hyphen and a date nowhere', () => {
    expect(wrap('follow-up on 2026-11-21', 10, perCharacter)).toEqual(['follow-up', 'on', '2026-11-21']);
  });

  it('breaks a word that is too long at a joint, and without one anywhere', () => {
    expect(wrap('mail someone@example.com', 10, perCharacter)).toEqual(['mail', 'someone@', 'example.', 'com']);
    expect(wrap('Kapitänsmütze', 5, perCharacter)).toEqual(['Kapit', 'änsmü', 'tze']);
  });

  it('never parts what is read as one sign', () => {
    expect(wrap('e\u0301e\u0301👩‍💻👩‍💻', 3, perCharacter)).toEqual(['e\u0301', 'e\u0301', '👩‍💻', '👩‍💻']);
  });

  it('loses nothing but white space, and no line is wider than asked unless it is one sign', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...Array.from('ab-/. \n四。é\u0301'), '👩‍💻', 'שלום'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
        const lines = wrap(text, width, perCharacter);
        expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        for (const line of lines) {
          const signs = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)].length;
          expect(perCharacter(line) <= width || signs === 1).toBe(true);
        }
      }),
    );
  });
});
