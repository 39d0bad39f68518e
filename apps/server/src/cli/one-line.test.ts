import { describe, expect, it } from 'vitest';
import { onOneLine } from './one-line.ts';

describe('onOneLine', () => {
  it.each([
    ['Plain text – 1 000 €', 'Plain text – 1 000 €'],
    ['Name\r\n  Intact: every event', 'Name ⏎ Intact: every event'],
    ['\u001B[8mhidden', '⟨U+001B⟩[8mhidden'],
    ['\u009B2J', '⟨U+009B⟩2J'],
    ['a\u2028b', 'a⟨U+2028⟩b'],
    ['\u200E\u2068יעל\u2069', '\u200E\u2068יעל\u2069'],
  ])('%j → %j', (text, line) => {
    expect(onOneLine(text)).toBe(line);
  });
});
