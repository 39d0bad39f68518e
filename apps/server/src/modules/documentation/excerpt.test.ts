import type { Excerpt } from '@stet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf, markTyped, markWords, wordsOf } from './excerpt.ts';

const shown = (parts: Excerpt | null): string | null =>
  parts && parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');

describe('a search result', () => {
  it.each([
    ['words that start with a search word', 'Approve or reject', 'rej app', '[App]rove or [rej]ect'],
    ['words with different accents', 'Café Zoë', 'cafe zoe', '[Café] [Zoë]'],
    ['no word that contains a search word but doesn’t start with it', 'Approve', 'prove', null],
    ['characters anywhere in a text without spaces between words', '経費を精算する', '精算', '経費を[精算]する'],
  ])('marks %s', (_, text, typed, expected) => {
    expect(shown(markWords(text, wordsOf(typed)))).toBe(expected);
  });

  it('marks the whole query in a name or, if the name doesn’t contain it, the query’s words', () => {
    expect(shown(markTyped('Vendor onboarding', 'R ON'))).toBe('Vendo[r on]boarding');
    expect(shown(markTyped('Vendor onboarding', 'onb ven'))).toBe('[Ven]dor [onb]oarding');
    expect(shown(markTyped('Vendor', 'x'))).toBe(null);
  });

  it('is shown on one line with some surrounding text', () => {
    const text = `${'before '.repeat(40)}the\n\nneedle${' after'.repeat(40)}`;
    expect(shown(excerptOf(text, ['needle']))).toBe(
      '…before before before before before the [needle] after after after after after after after after after after after after…',
    );
  });

  it('contains only text from the source, is shorter than 125 characters, and includes a search word', () => {
    const word = fc.constantFrom('needle', 'Nadel', 'é', '針', '😀', 'x'.repeat(70), '-');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (parts) => {
        const text = parts.join(' ');
        const excerpt = excerptOf(text, ['needle']);
        expect(excerpt !== null).toBe(parts.includes('needle'));
        if (!excerpt) return;
        const whole = excerpt.map((part) => part.text).join('');
        expect(whole.isWellFormed()).toBe(true);
        expect(text).toContain(whole.replaceAll('…', ''));
        expect(whole.length).toBeLessThan(125);
        expect(excerpt.some(({ text: part, hit }) => hit && part === 'needle')).toBe(true);
      }),
    );
  });
});
