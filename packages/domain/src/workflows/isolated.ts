const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]|\uD802[\uDC00-\uDFFF]|\uD803[\uDC00-\uDFFF]|\uD83A[\uDC00-\uDFFF]/;

/**
 * Isolates a person's text within a line of product text, because right-to-left letters would change the order of
 * neighboring text (numbers, brackets, another name). Text with such letters is put between U+2068 and U+2069, which
 * isolate its direction. U+200E is put before it, so that browsers treat the line as left-to-right. Any other text is
 * returned unchanged.
 */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u200E\u2068${text}\u2069` : text);
