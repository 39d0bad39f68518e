/**
 * Matches the possible start of a formula in a cell: one of the formula characters, in ASCII or full width, at the
 * cell's start or after any separator. A program may split the line at a different separator, so text after one must
 * not start a formula either. Tab and carriage return can also start one.
 */
const FORMULA = /(?<=^|[,;:|\t\r\n])([ \u00A0"'“”]*)(?=[=+\-@＝＋－＠])|(?<=^["']*)(?=[\t\r])/g;

/**
 * Returns a line of CSV (RFC 4180) with every cell in quotes. An apostrophe is added before each possible formula, so
 * that text from strangers isn't executed on the reader's computer.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(text: string): string {
  const harmless = text.replaceAll(FORMULA, "$1'");
  return `"${harmless.replaceAll('"', '""')}"`;
}
