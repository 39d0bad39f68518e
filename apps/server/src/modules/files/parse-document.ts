import { setImmediate } from 'node:timers/promises';
import { type CST, Composer, type Document, Lexer, LineCounter, Parser, isNode } from 'yaml';
import { type OutlineProblem, watchOutline } from './outline.ts';
import { valueOfNode } from './value-of-node.ts';

/** `line` and `column` are counted from 1. */
export type Place = { line: number; column: number };
export type ParsedDocument =
  | { ok: true; value: unknown; placeOf: (path: readonly PropertyKey[]) => Place | null }
  | { ok: false; place: Place | null; sentence: string };

/** Time in milliseconds after which the parser lets other requests run. */
const TURN_MS = 10;

/** Parses YAML without aliases, anchors or tags. Lets other requests run between tokens. */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  const lines = new LineCounter();
  const refused = ({ offset, sentence }: OutlineProblem): ParsedDocument => ({
    ok: false,
    place: placeAt(text, offset),
    sentence,
  });
  const read = await tokensOf(text, lines);
  if (!read.ok) return refused(read.problem);

  // This is checked before the documents are composed, because a file may have as many documents as lines.
  const another = read.tokens.filter(({ type }) => type === 'document')[1];
  if (another) return refused({ offset: another.offset, sentence: 'A file must contain only one document' });
  const document = composed(read.tokens, text.length);
  if (!document) return { ok: false, place: null, sentence: 'Invalid workflow format' };
  const [broken] = document.errors;
  if (broken) return refused({ offset: broken.pos[0], sentence: broken.message.split('\n', 1)[0] ?? '' });
  const content = valueOfNode(document.contents);
  if (!content.ok) return refused(content.problem);
  return { ok: true, value: content.value, placeOf: (path) => placeOf(document, lines, path) };
}

function composed(tokens: CST.Token[], length: number): Document.Parsed | null {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    strict: true,
    // The library would compare each key of a map with every other one. The check in `valueOfNode` is faster.
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: [],
  });
  const { stackTraceLimit } = Error;
  // A file can have as many errors as tokens, and their stack traces would take seconds. Only the first error is
  // reported.
  Error.stackTraceLimit = 0;
  try {
    for (const document of composer.compose(tokens, true, length)) return document;
    return null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

type Tokens = { ok: true; tokens: CST.Token[] } | { ok: false; problem: OutlineProblem };

async function tokensOf(text: string, lines: LineCounter): Promise<Tokens> {
  const problemOf = watchOutline();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let turn = performance.now();
  let parts = 0;
  for (const part of new Lexer().lex(text)) {
    const problem = problemOf(part);
    if (problem) return { ok: false, problem };
    for (const token of parser.next(part)) tokens.push(token);
    if (++parts % 500 === 0 && performance.now() - turn > TURN_MS) {
      await setImmediate();
      turn = performance.now();
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return { ok: true, tokens };
}

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Returns the position of a path or, if the path isn't in the file, of its nearest ancestor; null for an empty file. */
function placeOf(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): Place | null {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0]);
      return { line, column: col };
    }
  }
  return null;
}
