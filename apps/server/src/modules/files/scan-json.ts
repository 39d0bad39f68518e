import { MAX_DEPTH, MAX_PARTS, type OutlineProblem } from './outline.ts';

/** Where a value of a JSON text begins, and where those within it do. */
type JsonNode = { offset: number; within: ReadonlyMap<PropertyKey, JsonNode> | null };
type ScannedJson =
  | { ok: true; offsetOf: (path: readonly PropertyKey[]) => number }
  | { ok: false; problem: OutlineProblem };

const NOT_JSON = 'This is not JSON';
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
// oxlint-disable-next-line no-control-regex -- a control character ends it too, and is found there.
const PLAIN = /[^"\\\u0000-\u001F]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Goes through a JSON text once, for what `JSON.parse` doesn't tell: the place of the first mistake, names that an object
 * has twice, and where each value begins. Refuses what is nested too deeply or has too many parts.
 */
export function scanJson(text: string): ScannedJson {
  let at = 0;
  let parts = 0;

  const wrong = (sentence = NOT_JSON, offset = at): never => {
    throw new Mistake({ offset, sentence });
  };
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const taken = (mark: string): boolean => {
    skip(SPACE);
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const count = () => {
    if (++parts > MAX_PARTS) wrong('The file has too many parts');
  };

  const string = (): string => {
    const start = at;
    if (text[at] !== '"') wrong();
    at += 1;
    let isEscaped = false;
    for (skip(PLAIN); text[at] === '\\'; skip(PLAIN)) {
      isEscaped = true;
      if (!skip(ESCAPE)) wrong();
    }
    if (text[at] !== '"') wrong();
    at += 1;
    return isEscaped ? String(JSON.parse(text.slice(start, at))) : text.slice(start + 1, at - 1);
  };
  const object = (depth: number): ReadonlyMap<PropertyKey, JsonNode> => {
    const fields = new Map<PropertyKey, JsonNode>();
    if (taken('}')) return fields;
    do {
      skip(SPACE);
      const offset = at;
      const name = string();
      count();
      if (fields.has(name)) wrong(`"${name.slice(0, 60)}" is there twice in one object`, offset);
      if (!taken(':')) wrong();
      fields.set(name, value(depth));
    } while (taken(','));
    if (!taken('}')) wrong();
    return fields;
  };
  const array = (depth: number): ReadonlyMap<PropertyKey, JsonNode> => {
    const items = new Map<PropertyKey, JsonNode>();
    if (taken(']')) return items;
    do items.set(items.size, value(depth));
    while (taken(','));
    if (!taken(']')) wrong();
    return items;
  };
  function value(depth: number): JsonNode {
    skip(SPACE);
    count();
    const offset = at;
    if (taken('{') || taken('[')) {
      if (depth >= MAX_DEPTH) wrong('The file is nested too deeply', offset);
      return { offset, within: text[offset] === '{' ? object(depth + 1) : array(depth + 1) };
    }
    if (text[at] === '"') string();
    else if (!skip(WORD) && !skip(NUMBER)) wrong();
    return { offset, within: null };
  }

  try {
    const whole = value(0);
    skip(SPACE);
    if (at < text.length) wrong();
    return { ok: true, offsetOf: (path) => offsetIn(whole, path) };
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** Where a path begins, or the nearest part of it that is in the file. */
function offsetIn(whole: JsonNode, path: readonly PropertyKey[]): number {
  let node = whole;
  for (const part of path) {
    const inner = node.within?.get(part) ?? node.within?.get(Number(part));
    if (!inner) break;
    node = inner;
  }
  return node.offset;
}

/** Ends the scan from within. */
class Mistake extends Error {
  readonly problem: OutlineProblem;
  constructor(problem: OutlineProblem) {
    super(problem.sentence);
    this.problem = problem;
  }
}
