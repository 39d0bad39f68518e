import { type Node, findNodeAtLocation, parseTree, visit } from 'jsonc-parser';
import { MAX_DEPTH, MAX_PARTS, type OutlineProblem } from './outline.ts';

type ScannedJson =
  | { ok: true; offsetOf: (path: readonly PropertyKey[]) => number }
  | { ok: false; problem: OutlineProblem };

const STRICT = { disallowComments: true, allowTrailingComma: false };

/**
 * Checks JSON before it is parsed. Refuses invalid JSON with the offset of the first mistake, which `JSON.parse`
 * doesn't report, and also duplicate names in an object, too much nesting and too many tokens. Returns a function that
 * finds the offset of a value.
 */
export function scanJson(text: string): ScannedJson {
  const problem = firstProblem(text);
  if (problem) return { ok: false, problem };
  const root = parseTree(text, [], STRICT);
  return { ok: true, offsetOf: (path) => offsetIn(root, path) };
}

function firstProblem(text: string): OutlineProblem | null {
  const namesInside: Set<string>[] = [];
  let depth = 0;
  let parts = 0;
  const refuse = (sentence: string, offset: number): never => {
    throw new Mistake({ offset, sentence });
  };
  const count = (offset: number): void => {
    if (++parts > MAX_PARTS) refuse('The file has too many elements', offset);
  };
  const enter = (offset: number): void => {
    count(offset);
    if (++depth > MAX_DEPTH) refuse('The file is nested too deeply', offset);
  };
  try {
    visit(
      text,
      {
        onObjectBegin: (offset) => {
          enter(offset);
          namesInside.push(new Set());
        },
        onObjectProperty: (name, offset) => {
          count(offset);
          const names = namesInside.at(-1);
          if (names?.has(name)) refuse(`"${name.slice(0, 60)}" appears twice in one object`, offset);
          names?.add(name);
        },
        onObjectEnd: () => {
          depth -= 1;
          namesInside.pop();
        },
        onArrayBegin: enter,
        onArrayEnd: () => {
          depth -= 1;
        },
        onLiteralValue: (_, offset) => count(offset),
        onError: (_, offset) => refuse('This is not valid JSON', offset),
      },
      STRICT,
    );
    return null;
  } catch (error) {
    if (error instanceof Mistake) return error.problem;
    throw error;
  }
}

/** Returns the offset of the value at a path or, if the path isn't in the file, of its nearest ancestor. */
function offsetIn(root: Node | undefined, path: readonly PropertyKey[]): number {
  let node = root;
  for (const part of path) {
    const inner = node && findNodeAtLocation(node, [node.type === 'array' ? Number(part) : String(part)]);
    if (!inner) break;
    node = inner;
  }
  return node?.offset ?? 0;
}

/** Thrown to stop the JSON visitor. */
class Mistake extends Error {
  constructor(readonly problem: OutlineProblem) {
    super(problem.sentence);
  }
}
