import { metadata, steps, workflowKey } from '@stet/contract';
import type { WorkflowContent, WorkflowMetadata } from '@stet/domain/workflows';
import { type Document, LineCounter, isAlias, isNode, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { outlineProblem } from './outline.ts';

/** Bytes of a file at most (rulings, section 4). */
export const FILE_LIMIT = 1024 * 1024;

export type FileFormat = 'yaml' | 'json';
/** What a file says; a key or metadata that it lacks are null. */
export type WorkflowFile = { key: string | null; metadata: WorkflowMetadata | null; steps: WorkflowContent['steps'] };
/** `line` and `column` from 1; null where the file as a whole is meant. */
export type FileProblem = { line: number | null; column: number | null; path: string; problem: string };
export type ReadFile = { ok: true; file: WorkflowFile } | { ok: false; problems: FileProblem[] };

const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  stet: z.literal(1).optional(),
  key: workflowKey.optional(),
  metadata: metadata.optional(),
  steps,
});

/**
 * Reads a workflow file. YAML is read without aliases, anchors or tags, so that nothing in it can be more than it shows.
 * A problem names its place (rulings, section 4).
 */
export function readWorkflowFile(text: string, format: FileFormat): ReadFile {
  if (Buffer.byteLength(text) > FILE_LIMIT) return refused(null, 'The file is larger than 1 MiB');
  const lines = new LineCounter();
  if (format === 'json') {
    const problem = jsonProblem(text);
    if (problem) return refused(at(lines, text, problem.offset), problem.sentence);
  }
  const outline = outlineProblem(text);
  if (outline) return refused(at(lines, text, outline.offset), outline.sentence);
  const document = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: format === 'json' ? 'json' : 'core',
    strict: true,
    uniqueKeys: true,
    logLevel: 'silent',
    customTags: [],
  });
  const [broken] = document.errors;
  if (broken) {
    const place = broken.linePos?.[0];
    return refused(place ? { line: place.line, column: place.col } : null, syntaxProblem(broken.message));
  }
  const foreign = firstForeign(document);
  if (foreign) return refused(at(lines, text, foreign.offset), foreign.sentence);

  const parsed = fileSchema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues.slice(0, 20).map(({ path, message }) => ({
        ...(placeOf(document, lines, text, path) ?? { line: null, column: null }),
        path: path.join('.'),
        problem: inWords(message, path),
      })),
    };
  }
  const { key = null, metadata: described = null, steps: read } = parsed.data;
  return { ok: true, file: { key, metadata: described, steps: read } };
}

type Place = { line: number; column: number };

const refused = (place: Place | null, problem: string): ReadFile => ({
  ok: false,
  problems: [{ line: place?.line ?? null, column: place?.column ?? null, path: '', problem }],
});

function at(lines: LineCounter, text: string, offset: number): Place {
  if (lines.lineStarts.length > 0) {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const syntaxProblem = (message: string): string => (message.split('\n', 1)[0] ?? '').replace(/ at line \d+.*$/, '');

function jsonProblem(text: string): { offset: number; sentence: string } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const offset = /position (\d+)/.exec(message)?.[1];
    return { offset: offset === undefined ? text.length : Number(offset), sentence: 'This is not JSON' };
  }
}

/** Aliases, anchors and tags make a file mean more than it shows. */
function firstForeign(document: Document): { offset: number; sentence: string } | null {
  let found: { offset: number; sentence: string } | null = null;
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
function placeOf(document: Document, lines: LineCounter, text: string, path: readonly PropertyKey[]): Place | null {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return at(lines, text, node.range[0]);
  }
  return null;
}

function inWords(message: string, path: readonly PropertyKey[]): string {
  if (path.length === 0 || path[0] === 'steps') {
    if (path.length <= 1 && /received undefined$/.test(message)) return 'Invalid workflow format';
  }
  const field = path.at(-1);
  if (/received undefined$/.test(message)) return `${String(field)} is missing`;
  return /^(?:Invalid|Too|Unrecognized)/.test(message) && path.length > 0 ? `${path.join('.')}: ${message}` : message;
}
