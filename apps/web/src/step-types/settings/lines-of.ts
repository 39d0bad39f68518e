/** The text's lines, trimmed and without empty ones. */
export const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
