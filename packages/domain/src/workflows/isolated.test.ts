import { describe, expect, it } from 'vitest';
import { isolated } from './isolated.ts';

describe('a text in a line of ours', () => {
  it.each(['אישור', 'Audit דוח 2026', 'تقرير', '\uD83A\uDD00'])(
    'is kept apart where letters run from right to left: %s',
    (text) => {
      expect(isolated(text)).toBe(`\u200E\u2068${text}\u2069`);
    },
  );

  it.each(['', 'Vendor onboarding (3)', 'Ärzte 日本語 😀', 'Отчёт'])('is itself otherwise: %j', (text) => {
    expect(isolated(text)).toBe(text);
  });
});
