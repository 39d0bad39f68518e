/** Reads a CSS `unicode-range` such as `U+0-FF,U+131`; the answer tells whether a code point is in it. */
export function unicodeRanges(css: string): (codePoint: number) => boolean {
  const ranges = css.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
