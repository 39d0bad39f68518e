import { Lexer } from 'yaml';

/** Levels of nesting; a workflow has five. */
const MAX_DEPTH = 32;
/** Parts of a file: words, marks, line breaks. A thousand steps have some sixty thousand. */
const MAX_PARTS = 300_000;
/** What the lexer puts before a scalar, so that its text is not taken for a mark. */
const SCALAR = '\u001F';

/**
 * Looks at a file's outline before the parser does, which follows nesting down until its stack ends, and with it the
 * process. Answers where and why it is not worth parsing; null where it is.
 */
export function outlineProblem(text: string): { offset: number; sentence: string } | null {
  const indents = [0];
  let flow = 0;
  let inLine = 0;
  let offset = 0;
  let parts = 0;
  let isLineStart = true;
  let isScalar = false;
  for (const part of new Lexer().lex(text)) {
    if (++parts > MAX_PARTS) return { offset, sentence: 'The file has too many parts' };
    if (isScalar) isScalar = false;
    else if (part === SCALAR) {
      isScalar = true;
      isLineStart = false;
      continue;
    } else if (part === '\n' || part === '\r\n') {
      isLineStart = true;
      inLine = 0;
    } else {
      const indent = /^ /.test(part) ? part.length : 0;
      if (isLineStart && flow === 0) {
        while ((indents.at(-1) ?? 0) > indent) indents.pop();
        if (indent > (indents.at(-1) ?? 0)) indents.push(indent);
      }
      isLineStart = false;
      if (part === '[' || part === '{') flow += 1;
      else if ((part === ']' || part === '}') && flow > 0) flow -= 1;
      else if (part === '-' || part === '?' || part === ':') inLine += 1;
      if (flow + (flow === 0 ? inLine : 0) > MAX_DEPTH || indents.length > MAX_DEPTH) {
        return { offset, sentence: 'The file is nested too deeply' };
      }
    }
    // Control marks stand for no text of the file.
    if (!/^[\u0002\u0018]/.test(part)) offset += part.length;
  }
  return null;
}
