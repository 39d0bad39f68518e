import { visibleText } from '@stet/domain/workflows';
import type { Block, Ink, Emphasis } from '../../kernel/pdf.ts';
import type { Voice } from './font-families.ts';
import { STYLES } from './style.ts';
import { REPLACEMENT } from './typefaces.ts';

/** A part of the text in one style. It begins at `from` and ends where the next part begins. */
export type Part = { from: number; voice: Voice; ink: Ink; href: string | null };

const VOICES = { strong: 'strong', em: 'em', strong_em: 'strong_em', code: 'code' } as const satisfies Record<
  Emphasis,
  Voice
>;

/**
 * Returns the normalized text (NFC) and its parts in order. The first part begins at 0. The text is normalized here
 * because `piecesOf` normalizes each line, which can change positions and produce a character for which no face would
 * be ready.
 */
export function partsOf({ text, style, ink, spans = [] }: Block): { text: string; parts: Part[] } {
  const plain = { voice: STYLES[style].voice, ink: ink ?? STYLES[style].ink, href: null };
  const parts: Part[] = [{ from: 0, ...plain }];
  let composed = '';
  let at = 0;
  for (const { from, to, as, href } of spans) {
    composed += shown(text.slice(at, from));
    parts.push({
      from: composed.length,
      voice: as ? VOICES[as] : plain.voice,
      ink: href === undefined ? plain.ink : 'accent',
      href: href ?? null,
    });
    composed += shown(text.slice(from, to));
    parts.push({ from: composed.length, ...plain });
    at = to;
  }
  return { text: composed + shown(text.slice(at)), parts };
}

/**
 * Returns the normalized text with invisible characters spelled out. They are put between ‹ and ›, because none of the
 * fonts has ⟨ and ⟩. Texts from `isolated` keep their direction.
 */
const shown = (text: string): string =>
  text
    .normalize('NFC')
    .split(ISOLATED)
    .map((part, n) => (n % 2 === 0 ? spelledOut(part) : `\u2068${spelledOut(part)}\u2069`))
    .join('');

const ISOLATED = /\u200E\u2068([^\u2066-\u2069]*)\u2069/u;

const spelledOut = (text: string): string =>
  visibleText(text)
    .replaceAll(/⟨(U\+[0-9A-F]{4,6})⟩/gu, '‹$1›')
    .replaceAll(/[\u2068\u2069]/g, REPLACEMENT);

/** Returns the index of the part that a character belongs to. */
export function partAt(parts: readonly Part[], index: number): number {
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((parts[middle]?.from ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
