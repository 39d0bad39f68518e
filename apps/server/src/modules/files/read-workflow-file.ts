import { workflowFile, problemWords } from '@stet/contract';
import type { LeftOut } from '@stet/domain/bpmn';
import { LIMITS, type WorkflowContent, type WorkflowMetadata, completeFile } from '@stet/domain/workflows';
import { newId } from '../../kernel/ids.ts';
import { type ParsedDocument, type Place, parseDocument, placeAt } from './parse-document.ts';
import { scanJson } from './scan-json.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

/** Maximum size of a file in bytes. */
export const FILE_LIMIT = 1024 * 1024;

export type FileFormat = 'yaml' | 'json';
/** The content of a file. The key and the metadata are null if they are missing. */
export type WorkflowFile = { key: string | null; metadata: WorkflowMetadata | null; steps: WorkflowContent['steps'] };
/** `line` and `column` are counted from 1. They are null if the position of the problem is unknown. */
export type FileProblem = { line: number | null; column: number | null; path: string; problem: string };
export type ReadFile =
  | {
      ok: true;
      file: WorkflowFile;
      leftOut: LeftOut[];
      /** The position of a value in the file, or null if it is unknown. */
      placeOf: (path: readonly PropertyKey[]) => Place | null;
    }
  | { ok: false; problems: FileProblem[] };

/**
 * Reads a workflow file. YAML can't contain aliases, anchors or tags, so that people see its whole content. Each
 * problem that doesn't concern the whole file has a position. JSON may come from other tools, so missing values get
 * defaults, and unknown fields are omitted. YAML is written by people, so unknown fields are refused as misspelled.
 */
export async function readWorkflowFile(text: string, format: FileFormat): Promise<ReadFile> {
  if (Buffer.byteLength(text) > FILE_LIMIT) return refused(null, 'The file is larger than 1 MiB');
  const document = format === 'json' ? parseJson(text) : await parseDocument(text);
  if (!document.ok) return refused(document.place, document.sentence);
  const { value, placeOf } = document;
  if (hasTooManySteps(value)) {
    const path = ['steps'];
    return { ok: false, problems: [problemAt(placeOf(path), path, `steps must have at most ${LIMITS.steps} entries`)] };
  }

  const { parsed, leftOut } =
    format === 'json'
      ? withoutUnknownFields(completeFile(value, newId))
      : { parsed: workflowFile.safeParse(value, { error: problemWords }), leftOut: [] };
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues
        .slice(0, 20)
        .map(({ path, message }) => problemAt(placeOf(path), path, inWords(message, path))),
    };
  }
  const { key = null, metadata = null, steps } = parsed.data;
  const path = unstorable({ metadata, steps });
  if (path)
    return {
      ok: false,
      problems: [problemAt(placeOf(path), path, 'The file contains a character that is not valid text')],
    };
  return { ok: true, file: { key, metadata, steps }, leftOut, placeOf };
}

const problemAt = (place: Place | null, path: readonly PropertyKey[], problem: string): FileProblem => ({
  line: place?.line ?? null,
  column: place?.column ?? null,
  path: path.join('.'),
  problem,
});

const refused = (place: Place | null, problem: string): ReadFile => ({
  ok: false,
  problems: [problemAt(place, [], problem)],
});

function parseJson(text: string): ParsedDocument {
  const scanned = scanJson(text);
  if (!scanned.ok) {
    const { offset, sentence } = scanned.problem;
    return { ok: false, place: placeAt(text, offset), sentence };
  }
  const value: unknown = JSON.parse(text);
  return { ok: true, value, placeOf: (path) => placeAt(text, scanned.offsetOf(path)) };
}

/** Checked before validation, because otherwise every step would be validated, however many there are. */
function hasTooManySteps(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'steps' in value &&
    Array.isArray(value.steps) &&
    value.steps.length > LIMITS.steps
  );
}

/**
 * The path of the first text that can't be stored and hashed unchanged, because it contains a lone surrogate or a NUL
 * character. Escape sequences can produce these. Null if there is none.
 */
function unstorable(value: unknown): string[] | null {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000') ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const path = unstorable(inner);
    if (path) return [key, ...path];
  }
  return null;
}

function inWords(message: string, path: readonly PropertyKey[]): string {
  const isWhole = path.length === 0 || (path.length === 1 && path[0] === 'steps');
  if (isWhole && /^(?:is required|must be (?:a list|an object))$/.test(message)) return 'Invalid workflow format';
  if (message === 'is required') return `${String(path.at(-1))} is missing`;
  return /^(?:is|must|has)\b/.test(message) && path.length > 0 ? `${path.join('.')} ${message}` : message;
}
