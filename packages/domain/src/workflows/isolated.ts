const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]|\uD802[\uDC00-\uDFFF]|\uD803[\uDC00-\uDFFF]|\uD83A[\uDC00-\uDFFF]/;

/**
 * A text that people wrote, to stand in a line of ours. Letters that run from right to left would draw what stands beside
 * them (numbers, brackets, another name) to their side: such a text is put between U+2068 and U+2069, which keep its
 * direction its own, after U+200E, by which browsers see that the line itself runs from left to right. Every other text is
 * answered as it is.
 */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u200E\u2068${text}\u2069` : text);
