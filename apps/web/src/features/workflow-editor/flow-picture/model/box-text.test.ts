import { describe, expect, it } from 'vitest';
import { titleLines } from './box-text.ts';

describe('the title in a box', () => {
  it.each([
    ['Register', ['Register']],
    ['', ['']],
    ['Collect tax and bank documents', ['Collect tax and bank', 'documents']],
    [
      'Ask the supplier about everything that differs from the public register',
      ['Ask the supplier about', 'everything that diffe…'],
    ],
    ['Donaudampfschifffahrtsgesellschaftskapitän', ['Donaudampfschifffahrt', 'sgesellschaftskapitän']],
    ['審査担当者が申請内容を確認する', ['審査担当者が申請内容', 'を確認する']],
  ])('wraps %j into %j', (title, lines) => {
    expect(titleLines(title)).toEqual(lines);
  });
});
