/** What a spreadsheet would take for the beginning of a formula; some read the full-width forms as the plain ones. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula is led by an apostrophe: what strangers typed
 * into a form must not act on the computer of whoever opens the list.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
