import type { OkOf } from '@stet/contract';
import type { WorkflowContent } from '@stet/domain/workflows';
import { sameStep } from './same-content.ts';
import type { SourceRecord } from './source.ts';

export type FileFormat = 'yaml' | 'json' | 'bpmn';
/** What the server read in a file. */
export type ReadFile = OkOf<'POST /api/workflow-files/read'>;
/** What of a diagram a workflow doesn't have. */
export type LeftOut = ReadFile['leftOut'];

/** Bytes of a file at most (rulings, section 4). */
export const FILE_LIMIT = 1024 * 1024;
/** What a file chooser offers (specification, section 5), and diagrams besides. */
export const FILE_ENDINGS = '.json,.yaml,.yml,.bpmn,.xml';

const FORMATS: Readonly<Record<string, FileFormat>> = {
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  bpmn: 'bpmn',
  xml: 'bpmn',
};

/** By the ending of the file's name; null for any other. */
export const formatOf = (fileName: string): FileFormat | null =>
  FORMATS[/\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? null;

/** Why a file isn't read at all, in the words of the specification (section 5); null where it may be. */
export function fileRefusal(file: { name: string; size: number }, record: SourceRecord): string | null {
  const format = formatOf(file.name);
  if (format === null) return 'Unsupported file format';
  if (format === 'yaml' && record.kind === 'unsaved') return 'YAML import requires an existing workflow';
  return file.size > FILE_LIMIT ? 'The file is larger than 1 MiB' : null;
}

/** Why a text can't be a workflow, before the server is asked; JSON has to contain steps (specification, section 5). */
export function textRefusal(text: string, format: FileFormat): string | null {
  if (format !== 'json') return null;
  try {
    const value: unknown = JSON.parse(text);
    const hasSteps = typeof value === 'object' && value !== null && 'steps' in value && Array.isArray(value.steps);
    return hasSteps ? null : 'Invalid workflow format';
  } catch {
    // The server says where it isn't JSON.
    return null;
  }
}

/** The document with what the file says. Without metadata its own stay; a step that says the same stays the same object. */
export function importedContent(file: ReadFile, current: WorkflowContent): WorkflowContent {
  const known = new Map(current.steps.map((step) => [step.id, step]));
  const steps = file.steps.map((step) => {
    const own = known.get(step.id);
    return own && sameStep(own, step) ? own : step;
  });
  return { metadata: file.metadata ?? current.metadata, steps };
}

/** The document as a JSON file, for what the server doesn't have yet. Reading it again gives the same content. */
export function jsonFile(key: string, content: WorkflowContent): string {
  return `${JSON.stringify({ stet: 1, key, metadata: content.metadata, steps: content.steps }, null, 2)}\n`;
}
