import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLatin } from '../defaults/plain-latin.ts';
import { editorCopyKey, isWorkflowKey, keyFromTitle, listCopyKey, newWorkflowKey } from './workflow-key.ts';

describe('a workflow key', () => {
  it.each(['a', '7', 'vendor-onboarding', 'A.b_c-1', 'x'.repeat(120)])('can be %s', (key) => {
    expect(isWorkflowKey(key)).toBe(true);
  });

  it.each(['', '-a', '.a', '_a', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(121)])('can’t be %j', (key) => {
    expect(isWorkflowKey(key)).toBe(false);
  });

  it.each([
    ['Vendor onboarding', 'vendor-onboarding'],
    ['  Expense approval > 5,000 EUR ', 'expense-approval-5-000-eur'],
    ['--A--', 'a'],
    ['Über die Straße', 'uber-die-strasse'],
    ['Приёмка', null],
    ['', null],
    [`${'x'.repeat(119)} y`, 'x'.repeat(119)],
  ])('is derived from the title %j as %j', (title, key) => {
    expect(keyFromTitle(title)).toBe(key);
  });

  it('is valid for every title that has a Latin letter or digit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
        const key = keyFromTitle(title);
        expect(key === null ? !/[a-z0-9]/.test(plainLatin(title)) : isWorkflowKey(key)).toBe(true);
      }),
    );
  });

  it('contains the time if the workflow is new or is a copy made in the editor', () => {
    expect(newWorkflowKey(1795228967000)).toBe('workflow-1795228967000');
    expect(editorCopyKey('vendor-onboarding', 1795228967000)).toBe('vendor-onboarding-copy-1795228967000');
    expect(isWorkflowKey(editorCopyKey('x'.repeat(120), 1795228967000))).toBe(true);
  });

  it('ends in -copy for a copy from the list, with an unused number if that key is taken', () => {
    const taken = new Set(['a-copy', 'a-copy-2']);
    expect(listCopyKey('b', (key) => taken.has(key))).toBe('b-copy');
    expect(listCopyKey('a', (key) => taken.has(key))).toBe('a-copy-3');
    expect(listCopyKey('x'.repeat(120), () => false)).toBe(`${'x'.repeat(115)}-copy`);
  });
});
