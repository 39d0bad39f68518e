import { STEP_TYPES } from '@stet/domain/steps';
import { METADATA_FIELDS, type WorkflowContent } from '@stet/domain/workflows';
import { sameContent } from './same-content.ts';
import { resolveMerge } from './resolve-merge.ts';
import type { MergeSides } from './resolve-merge.ts';
import type { SourceRecord } from './source.ts';

/** Unsaved changes stored in this browser: the content that they are based on, and the edited content. */
export type UnsavedCopy = {
  base: WorkflowContent;
  edited: WorkflowContent;
  /** The draft's revision or the live version's number at that time. Null if the document was never saved. */
  revision: number | null;
};

/**
 * Identifies the document that unsaved changes belong to. The key of a template or copy can end with a number that is
 * different each time, so for unsaved documents only the part before it is used.
 */
export function subjectOf(record: SourceRecord, key: string): string {
  switch (record.kind) {
    case 'draft':
      return `draft/${record.draftId}`;
    case 'live':
      return `live/${key}`;
    case 'unsaved':
      return `new/${key.replace(/\d+$/, '')}`;
  }
}

export const revisionOf = (record: SourceRecord): number | null =>
  record.kind === 'draft' ? record.revision : record.kind === 'live' ? record.version : null;

/** Parses a stored copy. Returns null for anything else, because storage may contain data from a different release. */
export function readUnsavedCopy(value: unknown): UnsavedCopy | null {
  if (!isRecord(value) || !isContent(value['base']) || !isContent(value['edited'])) return null;
  const revision = value['revision'];
  if (revision !== null && typeof revision !== 'number') return null;
  return { base: value['base'], edited: value['edited'], revision };
}

/**
 * How to restore a copy. `replace`: the copy, or the copy merged with a newer save, replaces the content. `merge`: the
 * person has to resolve conflicts with the newer save first.
 */
type Restoration = { how: 'replace'; content: WorkflowContent } | { how: 'merge'; sides: MergeSides };

export function restorationOf(copy: UnsavedCopy, record: SourceRecord, saved: WorkflowContent): Restoration {
  if (copy.revision === revisionOf(record) || sameContent(copy.base, saved))
    return { how: 'replace', content: copy.edited };
  const sides = { base: copy.base, theirs: saved, mine: copy.edited };
  const { content, questions } = resolveMerge(sides, new Map());
  return questions.length === 0 ? { how: 'replace', content } : { how: 'merge', sides };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const areTexts = (record: Record<string, unknown>, ...fields: string[]): boolean =>
  fields.every((field) => typeof record[field] === 'string');

function isContent(value: unknown): value is WorkflowContent {
  if (!isRecord(value) || !isRecord(value['metadata']) || !Array.isArray(value['steps'])) return false;
  return (
    areTexts(value['metadata'], ...METADATA_FIELDS) &&
    value['steps'].every(
      (step) =>
        isRecord(step) &&
        areTexts(step, 'id', 'title', 'description', 'assignee', 'sla') &&
        STEP_TYPES.some((type) => type === step['type']) &&
        isRecord(step['config']) &&
        Array.isArray(step['next']),
    )
  );
}
