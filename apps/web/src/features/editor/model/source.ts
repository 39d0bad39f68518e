import type { WholeDraft, WorkflowDetail } from '@stet/contract';
import { duplicateContent, editorCopyKey, fromTemplate } from '@stet/domain/workflows';
import type { Template, WorkflowContent } from '@stet/domain/workflows';

/** What the server knows of the document that is open. */
export type SourceRecord =
  | { kind: 'unsaved' }
  | { kind: 'live'; version: number; updatedAt: string; isArchived?: boolean }
  | {
      kind: 'draft';
      draftId: string;
      revision: number;
      status: WholeDraft['status'];
      baseVersion: number | null;
      /** The version that went live since the draft was begun; null where the draft stands on the live one. */
      overtakenBy: number | null;
      updatedAt: string;
      abilities: WholeDraft['abilities'];
    };

/** What the server has by now, of the draft or, where that is gone, of its workflow; `record` says which. */
export type ServerSide = { content: WorkflowContent; record: SourceRecord };

/** A document as it is opened. `edited` differs from `saved` where it is opened with unsaved changes. */
export type EditorSource = {
  key: string;
  saved: WorkflowContent;
  edited: WorkflowContent;
  record: SourceRecord;
  opened: 'template' | 'duplicate' | 'draft' | 'live';
  /** The draft that was asked for and is no longer there; the workflow as it is now stands in its place. */
  lostDraftId?: string;
};

export const contentOf = ({ metadata, steps }: WorkflowContent): WorkflowContent => ({ metadata, steps });

/** A new workflow from a template: nothing is unsaved until something is edited (specification, section 4). */
export function sourceFromTemplate(template: Template, at: { timestamp: number }): EditorSource {
  const { key, ...content } = fromTemplate(template, at);
  return { key, saved: content, edited: content, record: { kind: 'unsaved' }, opened: 'template' };
}

/** A copy of a workflow: a new key, '(Copy)' in the title, no draft, unsaved (specification, section 4). */
export function sourceFromDuplicate(source: WorkflowDetail, at: { timestamp: number }): EditorSource {
  const copy = duplicateContent(contentOf(source));
  return {
    key: editorCopyKey(source.key, at.timestamp),
    // Compared with what it was copied from, a copy is changed from its first moment: its title is.
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

/** The live version; saving makes a draft of it. */
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

/** The status that the badge shows; a document that was never saved is a draft. */
export const statusOf = (record: SourceRecord): string =>
  record.kind === 'live'
    ? record.isArchived
      ? 'archived'
      : 'live'
    : record.kind === 'draft'
      ? record.status
      : 'draft';
