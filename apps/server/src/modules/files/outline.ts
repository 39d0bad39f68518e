/** Maximum nesting depth. A workflow has at most seven levels. */
export const MAX_DEPTH = 32;
/**
 * Maximum number of tokens in a file: words, punctuation and line breaks. A thousand steps with their settings have up
 * to about 170 000 tokens.
 */
export const MAX_PARTS = 180_000;
/** The token that the lexer emits before a scalar, so that the scalar's text isn't mistaken for punctuation. */
const SCALAR = '\u001F';
/** Tokens that the lexer adds: the start of a document, and the premature end of a list or map in brackets. */
const CONTROL_MARKS = new Set(['\u0002', '\u0018']);
/** YAML syntax that could hide content of a file, by the first character of the token. */
const FOREIGN_MARKS: Readonly<Record<string, string>> = {
  '*': 'Aliases are not allowed in workflow files',
  '&': 'Anchors are not allowed in workflow files',
  '!': 'Tags are not allowed in workflow files',
};

/** The position and the reason for the refusal of a file. */
export type OutlineProblem = { offset: number; sentence: string };

/**
 * Checks a file's tokens before they reach the parser, because deep nesting would overflow the parser's stack and end
 * the process. The returned function takes one token at a time, and returns a problem or null.
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
    if (++parts > MAX_PARTS) return { offset, sentence: 'The file has too many elements' };
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
      // Inside brackets, a colon adds no nesting.
      else if (flow === 0 && (part === '-' || part === '?' || part === ':')) inLine += 1;
      if (flow + inLine > MAX_DEPTH || indents.length > MAX_DEPTH) {
        return { offset, sentence: 'The file is nested too deeply' };
      }
    }
    // The tokens that the lexer adds aren't part of the file's text.
    if (!CONTROL_MARKS.has(part[0] ?? '')) offset += part.length;
    return null;
  };
}
