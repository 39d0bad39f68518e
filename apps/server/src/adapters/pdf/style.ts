import type { Ink, StyleName } from '../../kernel/pdf.ts';
import type { Voice } from './font-families.ts';

/** Colors of text and lines, the same as in the app's light theme. */
export const INK = {
  text: '#181b19',
  second: '#424843',
  meta: '#5f6660',
  line: '#e1e4de',
  lineStrong: '#c9cec6',
  accent: '#1f4fc4',
  ok: '#14643a',
  warn: '#745000',
  danger: '#a3221a',
} as const satisfies Record<Ink, string>;

/** A typographic style. Sizes are in points. */
export type Style = { voice: Voice; size: number; leading: number; ink: Ink };

export const STYLES = {
  display: { voice: 'title', size: 30, leading: 36, ink: 'text' },
  title: { voice: 'title', size: 20, leading: 25, ink: 'text' },
  subtitle: { voice: 'title', size: 13, leading: 18, ink: 'second' },
  heading: { voice: 'strong', size: 9.5, leading: 14, ink: 'text' },
  name: { voice: 'name', size: 9.25, leading: 12.5, ink: 'text' },
  body: { voice: 'text', size: 8.5, leading: 12.5, ink: 'text' },
  strong: { voice: 'strong', size: 8.5, leading: 12.5, ink: 'text' },
  small: { voice: 'text', size: 7.25, leading: 10.5, ink: 'meta' },
  label: { voice: 'text', size: 7.25, leading: 10.5, ink: 'meta' },
  code: { voice: 'code', size: 6.6, leading: 10.5, ink: 'second' },
  read: { voice: 'text', size: 9.75, leading: 15, ink: 'text' },
  readCode: { voice: 'code', size: 8, leading: 12.5, ink: 'second' },
} as const satisfies Record<StyleName, Style>;
/** Distance from the top of a line to its baseline, in points. */
export const baselineOf = ({ size, leading }: Pick<Style, 'size' | 'leading'>): number => leading / 2 + size * 0.33;
