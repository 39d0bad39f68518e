/**
 * The first character of a formula, in both widths, at the start of a cell or after any separator. A reader may split
 * at another separator than ours, so a cell must not contain a second cell that starts a formula. Tab and carriage
 * return can start one themselves.
 */
const FORMULA = /(?<=^|[,;:|\t\r\n])([ \u00A0"'“”]*)(?=[=+\-@＝＋－＠])|(?<=^["']*)(?=[\t\r])/g;

/**
 * A line of CSV (RFC 4180), every cell in quotes. An apostrophe precedes each formula: a stranger's text must not run
 * on the computer of the person who opens the file.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(text: string): string {
  const harmless = text.replaceAll(FORMULA, "$1'");
  return `"${harmless.replaceAll('"', '""')}"`;
}
