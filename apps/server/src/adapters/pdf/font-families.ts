/**
 * The packaged fonts of one design. They are split into slices by script, so that only the slices that a text needs are
 * opened.
 */
export type FontFamily = {
  package: string;
  /** The file name of a slice. */
  file: (slice: string) => string;
  /** The axis values of a variable font. Absent if the font isn't variable. */
  axes?: Record<string, number>;
  /** The slices to use. If absent, all are used. */
  slices?: RegExp;
  /** The OpenType features to use. If absent, all are used. */
  features?: readonly string[];
  /** True for a monospaced font. */
  isEven?: boolean;
};

/** The role of text, which determines its typeface. */
export type Voice = 'title' | 'name' | 'text' | 'strong' | 'em' | 'strong_em' | 'code';

const variable = (
  name: string,
  axes: Record<string, number>,
  more: Pick<FontFamily, 'slices' | 'features' | 'isEven'> & { kind?: string; slant?: 'normal' | 'italic' } = {},
): FontFamily => {
  const { kind = 'wght', slant = 'normal', ...rest } = more;
  return {
    package: `@fontsource-variable/${name}`,
    file: (slice) => `${name}-${slice}-${kind}-${slant}.woff2`,
    axes,
    ...rest,
  };
};

const CJK = /^\[/;
// Ligatures are turned off, because a typed `->` must not become an arrow.
const LITERAL = ['kern', 'mark', 'mkmk', 'ccmp'];

/** Fonts for scripts that the app's own fonts lack. The first family that has the glyph is used. */
const others = (wght: number): FontFamily[] => [
  variable('noto-sans', { wght }),
  variable('noto-sans-hebrew', { wght }, { slices: /^hebrew$/ }),
  variable('noto-sans-arabic', { wght }, { slices: /^arabic$/ }),
  variable('noto-sans-thai', { wght }, { slices: /^thai$/ }),
  {
    package: '@fontsource/noto-sans-symbols-2',
    file: (slice) => `noto-sans-symbols-2-${slice}-400-normal.woff2`,
    slices: /^(?:symbols|math|braille)$/,
  },
  variable('noto-emoji', { wght }, { slices: CJK }),
  variable('noto-sans-sc', { wght }, { slices: CJK }),
  variable('noto-sans-kr', { wght }, { slices: CJK }),
];

const hanken = (wght: number, slant: 'normal' | 'italic' = 'normal') =>
  variable('hanken-grotesk', { wght }, { features: LITERAL, slant });
const newsreader = (wght: number, opsz: number) => variable('newsreader', { wght, opsz }, { kind: 'standard' });

/** The font families of each voice, in the order in which they are searched. */
export const FAMILIES: Readonly<Record<Voice, readonly FontFamily[]>> = {
  title: [newsreader(480, 34), ...others(480)],
  name: [newsreader(420, 12), ...others(420)],
  text: [hanken(420), ...others(420)],
  strong: [hanken(640), ...others(640)],
  em: [hanken(420, 'italic'), ...others(420)],
  strong_em: [hanken(640, 'italic'), ...others(640)],
  code: [variable('jetbrains-mono', { wght: 420 }, { features: LITERAL, isEven: true }), ...others(420)],
};
