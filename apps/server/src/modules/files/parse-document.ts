import { setImmediate } from 'node:timers/promises';
import { type CST, Composer, type Document, Lexer, LineCounter, Parser, isAlias, isNode, visit } from 'yaml';
import { type OutlineProblem, watchOutline } from './outline.ts';

export type FileFormat = 'yaml' | 'json';
/** `line` and `column` from 1. */
export type Place = { line: number; column: number };
export type ParsedDocument =
  | { ok: true; value: unknown; placeOf: (path: readonly PropertyKey[]) => Place | null }
  | { ok: false; place: Place | null; sentence: string };

/** Milliseconds that other requests wait at most while a file's parts are read. */
const TURN_MS = 10;

/** Reads YAML without aliases, anchors or tags; JSON too, which is a part of it. Lets other work go on between the parts. */
export async function parseDocument(text: string, format: FileFormat): Promise<ParsedDocument> {
  const lines = new LineCounter();
  const refused = ({ offset, sentence }: OutlineProblem): ParsedDocument => ({
    ok: false,
    place: placeAt(text, offset),
    sentence,
  });
  const read = await tokensOf(text, lines);
  if (!read.ok) return refused(read.problem);

  const composer = new Composer({
    version: '1.2',
    schema: format === 'json' ? 'json' : 'core',
    strict: true,
    uniqueKeys: true,
    logLevel: 'silent',
    customTags: [],
  });
  const [document, another] = [...composer.compose(read.tokens, true, text.length)];
  if (!document) return { ok: false, place: null, sentence: 'Invalid workflow format' };
  if (another) return refused({ offset: another.range[0], sentence: 'A file has one document' });
  const [broken] = document.errors;
  if (broken) return refused({ offset: broken.pos[0], sentence: broken.message.split('\n', 1)[0] ?? '' });
  const foreign = firstForeign(document);
  if (foreign) return refused(foreign);
  return { ok: true, value: document.toJS({ maxAliasCount: 0 }), placeOf: (path) => placeOf(document, lines, path) };
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

/** Aliases, anchors and tags make a file mean more than it shows. */
function firstForeign(document: Document.Parsed): OutlineProblem | null {
  let found: OutlineProblem | null = null;
  visit(document, (_key, node) => {
    if (!isNode(node)) return undefined;
    const offset = node.range?.[0] ?? 0;
    if (isAlias(node)) found = { offset, sentence: 'Aliases are not allowed in workflow files' };
    else if (node.anchor) found = { offset, sentence: 'Anchors are not allowed in workflow files' };
    else if (node.tag) found = { offset, sentence: 'Tags are not allowed in workflow files' };
    return found ? visit.BREAK : undefined;
  });
  return found;
}

/** The place of a path, or of the nearest part of it that is in the file. */
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
