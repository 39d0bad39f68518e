import { STEP_TYPES } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { sameContent } from './same-content.ts';
import { settleMerge } from './settle-merge.ts';
import type { MergeSides } from './settle-merge.ts';
import type { SourceRecord } from './source.ts';

/** Unsaved edits as this browser keeps them: what they began from, and what they made of it. */
export type UnsavedCopy = {
  base: WorkflowContent;
  edited: WorkflowContent;
  /** What the server had then: a draft's revision, a live version's number; null for what it never had. */
  revision: number | null;
};

/** What unsaved edits belong to. Of documents that were never saved the key begins alike where they were begun alike; its number is new each time. */
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

/** Reads a copy; null for anything that isn't one. Storage may hold what another release wrote. */
export function readUnsavedCopy(value: unknown): UnsavedCopy | null {
  if (!isRecord(value) || !isContent(value['base']) || !isContent(value['edited'])) return null;
  const revision = value['revision'];
  if (revision !== null && typeof revision !== 'number') return null;
  return { base: value['base'], edited: value['edited'], revision };
}

/** How a copy comes back: as it is, where the server still has what it began from; else together with what was saved since. */
type Restoration = { how: 'replace'; content: WorkflowContent } | { how: 'merge'; sides: MergeSides };

export function restorationOf(copy: UnsavedCopy, record: SourceRecord, saved: WorkflowContent): Restoration {
  if (copy.revision === revisionOf(record) || sameContent(copy.base, saved))
    return { how: 'replace', content: copy.edited };
  const sides = { base: copy.base, theirs: saved, mine: copy.edited };
  const { content, questions } = settleMerge(sides, new Map());
  return questions.length === 0 ? { how: 'replace', content } : { how: 'merge', sides };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const areTexts = (record: Record<string, unknown>, ...fields: string[]): boolean =>
  fields.every((field) => typeof record[field] === 'string');

function isContent(value: unknown): value is WorkflowContent {
  if (!isRecord(value) || !isRecord(value['metadata']) || !Array.isArray(value['steps'])) return false;
  return (
    areTexts(value['metadata'], 'title', 'description') &&
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
