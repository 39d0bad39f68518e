/**
 * Makes text safe to show in a terminal. Replaces control characters, and characters that change the reading direction,
 * with their code points. Line breaks and tabs stay.
 */
export const shown = (text: string): string =>
  text.replace(
    /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Aligns rows in columns, each as wide as its longest cell. The last column isn't padded. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, n) => (widths[n] = Math.max(widths[n] ?? 0, cell.length)));
  return rows
    .map((row) => `${row.map((cell, n) => (n === row.length - 1 ? cell : cell.padEnd(widths[n] ?? 0))).join('  ')}\n`)
    .join('');
}

/** Returns JSON output for programs. */
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
