/** Levels of nesting; a workflow has five. */
export const MAX_DEPTH = 32;
/** Parts of a file: words, marks, line breaks. A thousand steps with their settings have up to some hundred and seventy thousand. */
export const MAX_PARTS = 180_000;
/** What the lexer puts before a scalar, so that its text is not taken for a mark. */
const SCALAR = '\u001F';
/** Marks of the lexer's own: the beginning of a document, and the end of a flow. */
const CONTROL_MARKS = new Set(['\u0002', '\u0018']);
/** They make a file mean more than it shows. By the character that they begin with. */
const FOREIGN_MARKS: Readonly<Record<string, string>> = {
  '*': 'Aliases are not allowed in workflow files',
  '&': 'Anchors are not allowed in workflow files',
  '!': 'Tags are not allowed in workflow files',
};

/** Where and why a file is not worth parsing further. */
export type OutlineProblem = { offset: number; sentence: string };

/**
 * Watches the parts of a file go by on their way to the parser, which would follow nesting down until its stack ends,
 * and with it the process. The answer takes one part after the other and says what is wrong so far; null where nothing is.
 */
export function watchOutline(): (part: string) => OutlineProblem | null {
  const indents = [0];
  let flow = 0;
  let inLine = 0;
  let offset = 0;
  let parts = 0;
  let isLineStart = true;
  let isScalar = false;
  return (part) => {
    if (++parts > MAX_PARTS) return { offset, sentence: 'The file has too many parts' };
    if (isScalar) isScalar = false;
    else if (part === SCALAR) {
      isScalar = true;
      isLineStart = false;
      return null;
    } else if (part === '\n' || part === '\r\n') {
      isLineStart = true;
      inLine = 0;
    } else {
      const foreign = FOREIGN_MARKS[part[0] ?? ''];
      if (foreign !== undefined) return { offset, sentence: foreign };
      const indent = part.startsWith(' ') ? part.length : 0;
      if (isLineStart && flow === 0) {
        while ((indents.at(-1) ?? 0) > indent) indents.pop();
        if (indent > (indents.at(-1) ?? 0)) indents.push(indent);
      }
      isLineStart = false;
      if (part === '[' || part === '{') flow += 1;
      else if ((part === ']' || part === '}') && flow > 0) flow -= 1;
      // Within brackets a colon nests nothing.
      else if (flow === 0 && (part === '-' || part === '?' || part === ':')) inLine += 1;
      if (flow + inLine > MAX_DEPTH || indents.length > MAX_DEPTH) {
        return { offset, sentence: 'The file is nested too deeply' };
      }
    }
    // Control marks stand for no text of the file.
    if (!CONTROL_MARKS.has(part[0] ?? '')) offset += part.length;
    return null;
  };
}
