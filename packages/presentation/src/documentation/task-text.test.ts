import { describe, expect, it } from 'vitest';
import { hasMarkup, isSafeLink, isTooDeep } from './task-text.ts';

describe('task text', () => {
  it.each([
    ['plain words, with a comma.', false],
    ['two\nlines', false],
    ['two\n\nparagraphs', true],
    ['- a list', true],
    ['1. a list', true],
    ['a *word*', true],
    ['see https://example.com', true],
    ['mail a@example.com', true],
    ['    code', true],
    ['Title\n===', true],
    ['a-b and 3. not at the start', false],
  ])('%j can be Markdown: %s', (text, expected) => {
    expect(hasMarkup(text)).toBe(expected);
  });

  it.each([
    ['https://example.com', true],
    ['HTTP://example.com', true],
    ['mailto:a@example.com', true],
    ['javascript:alert(1)', false],
    [' javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//example.com', false],
    ['/app/runs', false],
    ['file:///etc/passwd', false],
  ])('a link to %s is safe: %s', (url, expected) => {
    expect(isSafeLink(url)).toBe(expected);
  });

  it('counts as nested too deeply with fifty nested quotations or sixty nested lists', () => {
    expect(isTooDeep('>'.repeat(50))).toBe(true);
    expect(isTooDeep('- '.repeat(60))).toBe(true);
    expect(isTooDeep('> > > - 1. deep enough')).toBe(false);
    expect(isTooDeep('-'.repeat(80))).toBe(true);
    expect(isTooDeep('text ---------------------------------------------')).toBe(false);
  });
});
