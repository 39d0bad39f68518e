import type { OkOf } from '@stet/contract';
import type { WorkflowContent } from '@stet/domain/workflows';
import { sameStep } from './same-content.ts';
import type { SourceRecord } from './source.ts';

export type FileFormat = 'yaml' | 'json' | 'bpmn';
/** A file's content, as parsed by the server. */
export type ReadFile = OkOf<'POST /api/workflow-files/read'>;
/** The parts of a file that a workflow can't represent, or only incompletely. */
export type LeftOut = ReadFile['leftOut'];

/** The maximum size of a file in bytes. */
export const FILE_LIMIT = 1024 * 1024;
/** The file extensions that can be chosen: those in the specification (section 5), and those of diagrams. */
export const FILE_ENDINGS = '.json,.yaml,.yml,.bpmn,.xml';

const FORMATS: Readonly<Record<string, FileFormat>> = {
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  bpmn: 'bpmn',
  xml: 'bpmn',
};

/** The format for a file extension, or null for an unknown one. */
export const formatOf = (fileName: string): FileFormat | null =>
  FORMATS[/\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? null;

/** The reason why a file can't be imported (specification, section 5). Null if it can be read. */
export function fileRefusal(file: { name: string; size: number }, record: SourceRecord): string | null {
  const format = formatOf(file.name);
  if (format === null) return 'Unsupported file format';
  if (format === 'yaml' && record.kind === 'unsaved') return 'YAML import requires an existing workflow';
  return file.size > FILE_LIMIT ? 'The file is larger than 1 MiB' : null;
}

/**
 * The reason why the text can't be a workflow, checked before the server parses it. JSON must contain steps
 * (specification, section 5).
 */
export function textRefusal(text: string, format: FileFormat): string | null {
  if (format !== 'json') return null;
  try {
    const value: unknown = JSON.parse(text);
    const hasSteps = typeof value === 'object' && value !== null && 'steps' in value && Array.isArray(value.steps);
    return hasSteps ? null : 'Invalid workflow format';
  } catch {
    // The server reports the position of the error in invalid JSON.
    return null;
  }
}

/**
 * Applies a file's content to the document. Without metadata in the file, the metadata stays unchanged. Unchanged steps
 * stay the same objects.
 */
export function importedContent(file: ReadFile, current: WorkflowContent): WorkflowContent {
  const known = new Map(current.steps.map((step) => [step.id, step]));
  const steps = file.steps.map((step) => {
    const own = known.get(step.id);
    return own && sameStep(own, step) ? own : step;
  });
  return { metadata: file.metadata ?? current.metadata, steps };
}

/** The document as a JSON file, for content that the server doesn't have yet. */
export function jsonFile(key: string, content: WorkflowContent): string {
  return `${JSON.stringify({ stet: 1, key, metadata: content.metadata, steps: content.steps }, null, 2)}\n`;
}
