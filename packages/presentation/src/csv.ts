/**
 * Matches the possible start of a formula in a cell: at the cell's start or after any separator, with the formula
 * characters in both widths. A reader may split at a different separator, so a cell must not contain a second cell that
 * starts a formula. Tab and carriage return can also start one.
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
