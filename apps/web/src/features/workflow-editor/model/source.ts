import type { WholeDraft, WorkflowDetail } from '@stet/contract';
import { duplicateContent, editorCopyKey, fromTemplate } from '@stet/domain/workflows';
import type { Template, WorkflowContent } from '@stet/domain/workflows';

/** The server's state of the open document. */
export type SourceRecord =
  | { kind: 'unsaved' }
  | { kind: 'live'; version: number; updatedAt: string; isArchived?: boolean }
  | {
      kind: 'draft';
      draftId: string;
      revision: number;
      status: WholeDraft['status'];
      baseVersion: number | null;
      /** The version that went live since the draft was created; null if the draft is based on the live one. */
      overtakenBy: number | null;
      updatedAt: string;
      abilities: WholeDraft['abilities'];
    };

/** The server's current version of the draft or, if that is gone, of its workflow; `record` says which. */
export type ServerSide = { content: WorkflowContent; record: SourceRecord };

/** A document as it was opened. `edited` differs from `saved` if it was opened with unsaved changes. */
export type EditorSource = {
  key: string;
  saved: WorkflowContent;
  edited: WorkflowContent;
  record: SourceRecord;
  opened: 'template' | 'duplicate' | 'draft' | 'live';
  /** The requested draft, which no longer exists; the current workflow was opened instead. */
  lostDraftId?: string;
};

export const contentOf = ({ metadata, steps }: WorkflowContent): WorkflowContent => ({ metadata, steps });

/** A new workflow from a template: nothing is unsaved until it is edited (specification, section 4). */
export function sourceFromTemplate(template: Template, at: { timestamp: number }): EditorSource {
  const { key, ...content } = fromTemplate(template, at);
  return { key, saved: content, edited: content, record: { kind: 'unsaved' }, opened: 'template' };
}

/** A copy of a workflow: a new key, '(Copy)' in the title, no draft, unsaved (specification, section 4). */
export function sourceFromDuplicate(source: WorkflowDetail, at: { timestamp: number }): EditorSource {
  const copy = duplicateContent(contentOf(source));
  return {
    key: editorCopyKey(source.key, at.timestamp),
    // Compared with its original, a copy is changed from the start: its title is.
    saved: { metadata: source.metadata, steps: copy.steps },
    edited: copy,
    record: { kind: 'unsaved' },
    opened: 'duplicate',
  };
}

export function sourceFromDraft(draft: WholeDraft): EditorSource {
  const content = contentOf(draft);
  return { key: draft.key, saved: content, edited: content, record: recordOfDraft(draft), opened: 'draft' };
}

export function recordOfDraft(draft: WholeDraft): Extract<SourceRecord, { kind: 'draft' }> {
  const { id: draftId, revision, status, baseVersion, updatedAt, abilities } = draft;
  const isOutOfDate = draft.blockers.some(({ code }) => code === 'out_of_date');
  const overtakenBy = isOutOfDate ? draft.liveVersion : null;
  return { kind: 'draft', draftId, revision, status, baseVersion, overtakenBy, updatedAt, abilities };
}

/** The live version; saving creates a draft of it. */
export function sourceFromLive(detail: WorkflowDetail, version: number): EditorSource {
  const content = contentOf(detail);
  const isArchived = detail.status === 'archived';
  const record: SourceRecord = {
    kind: 'live',
    version,
    updatedAt: detail.updatedAt,
    ...(isArchived && { isArchived }),
  };
  return { key: detail.key, saved: content, edited: content, record, opened: 'live' };
}

/** An archived workflow, or a draft of one: the server refuses changes. */
export function isClosed(record: SourceRecord): boolean {
  if (record.kind === 'live') return record.isArchived === true;
  const isOpen = record.kind === 'draft' && (record.status === 'draft' || record.status === 'in_review');
  return isOpen && !record.abilities.edit;
}

/** The status shown by the badge; an unsaved document is a draft. */
export const statusOf = (record: SourceRecord): string =>
  record.kind === 'live'
    ? record.isArchived
      ? 'archived'
      : 'live'
    : record.kind === 'draft'
      ? record.status
      : 'draft';
