import { expect, test } from 'vitest';
import { isDay } from './period.ts';

test.each(['2026-11-20', '2028-02-29'])('%s is a day', (text) => expect(isDay(text)).toBe(true));

test.each(['', '2026-02-30', '2026-02-29', '2026-04-31', '2026-13-01', '2026-11-20T10:00', '20-11-2026'])(
  '"%s" is not a day',
  (text) => expect(isDay(text)).toBe(false),
);
