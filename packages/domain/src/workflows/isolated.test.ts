import { describe, expect, it } from 'vitest';
import { isolated } from './isolated.ts';

describe('a person’s text within a line of product text', () => {
  it.each(['אישור', 'Audit דוח 2026', 'تقرير', '\uD83A\uDD00'])(
    'is isolated if it has right-to-left letters (%s)',
    (text) => {
      expect(isolated(text)).toBe(`\u200E\u2068${text}\u2069`);
    },
  );

  it.each(['', 'Vendor onboarding (3)', 'Ärzte 日本語 😀', 'Отчёт'])(
    'is unchanged without right-to-left letters (%j)',
    (text) => {
      expect(isolated(text)).toBe(text);
    },
  );
});
