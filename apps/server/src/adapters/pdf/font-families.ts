/** Fonts of one design as a package brings them: cut into slices by script, so that only what a text needs is opened. */
export type FontFamily = {
  package: string;
  /** The file of a slice. */
  file: (slice: string) => string;
  /** Where a variable font is held; absent for one that isn't variable. */
  axes?: Record<string, number>;
  /** The slices that are used; all where absent. */
  slices?: RegExp;
  /** The OpenType features that are used; all where absent. */
  features?: readonly string[];
  /** All signs have the same width. */
  isEven?: boolean;
};

/** What a text is, from which follows how it is set. */
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
// Without ligatures: what someone typed as `->` doesn't become an arrow.
const LITERAL = ['kern', 'mark', 'mkmk', 'ccmp'];

/** Scripts that the faces of the house don't have; the first family with a glyph counts. */
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

/** Where each voice looks for a glyph, first to last. The weights are those of the app (design/look). */
export const FAMILIES: Readonly<Record<Voice, readonly FontFamily[]>> = {
  title: [newsreader(480, 34), ...others(480)],
  name: [newsreader(420, 12), ...others(420)],
  text: [hanken(420), ...others(420)],
  strong: [hanken(640), ...others(640)],
  em: [hanken(420, 'italic'), ...others(420)],
  strong_em: [hanken(640, 'italic'), ...others(640)],
  code: [variable('jetbrains-mono', { wght: 420 }, { features: LITERAL, isEven: true }), ...others(420)],
};
