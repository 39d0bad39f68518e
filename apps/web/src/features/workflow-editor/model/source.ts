import type { WholeDraft, WorkflowDetail } from '@stet/contract';
import { EMPTY_CONTENT, duplicateContent, fromTemplate } from '@stet/domain/workflows';
import type { Template, WorkflowContent } from '@stet/domain/workflows';

/** The open document's state on the server. */
export type SourceRecord =
  | { kind: 'unsaved' }
  | { kind: 'live'; version: number; versionId?: string; updatedAt: string; isArchived?: boolean }
  | {
      kind: 'draft';
      draftId: string;
      revision: number;
      status: WholeDraft['status'];
      baseVersion: number | null;
      updatedAt: string;
      abilities: WholeDraft['abilities'];
    };

/**
 * The server's version of the open document. If its draft was merged or discarded: the live version of the workflow, or
 * its newest draft. If the workflow was deleted too: the content as it was last saved, `unsaved`.
 */
export type ServerSide = { content: WorkflowContent; record: SourceRecord };

/** A document as it was opened. `edited` differs from `saved` if it has unsaved changes from the start. */
export type EditorSource = {
  key: string;
  saved: WorkflowContent;
  edited: WorkflowContent;
  record: SourceRecord;
  opened: 'template' | 'duplicate' | 'draft' | 'live';
  /** The requested draft's id if it no longer exists. The current workflow was opened instead. */
  lostDraftId?: string;
  /** The draft, if one was loaded. */
  draft?: WholeDraft;
};

export const contentOf = ({ metadata, steps }: WorkflowContent): WorkflowContent => ({ metadata, steps });

/** A new workflow from a template. It has no unsaved changes until it is edited (specification, section 4). */
export function sourceFromTemplate(template: Template, at: { timestamp: number }): EditorSource {
  const { key, ...content } = fromTemplate(template, at);
  return { key, saved: content, edited: content, record: { kind: 'unsaved' }, opened: 'template' };
}

/** A new workflow without steps. Its key follows its title. */
export const EMPTY_SOURCE: EditorSource = {
  key: '',
  saved: EMPTY_CONTENT,
  edited: EMPTY_CONTENT,
  record: { kind: 'unsaved' },
  opened: 'template',
};

/** A copy of a workflow with '(Copy)' in the title. It has no draft and is unsaved (specification, section 4). */
export function sourceFromDuplicate(source: WorkflowDetail, key: string): EditorSource {
  const copy = duplicateContent(contentOf(source));
  return {
    key,
    // A copy differs from its original from the start, because it has a different title.
    saved: { metadata: source.metadata, steps: copy.steps },
    edited: copy,
    record: { kind: 'unsaved' },
    opened: 'duplicate',
  };
}

export function sourceFromDraft(draft: WholeDraft): EditorSource {
  const content = contentOf(draft);
  return { key: draft.key, saved: content, edited: content, record: recordOfDraft(draft), opened: 'draft', draft };
}

/** Whether the document is a version that was merged, or a draft that is based on one. */
export const wasLive = (record: SourceRecord): boolean =>
  record.kind === 'live' || (record.kind === 'draft' && record.baseVersion !== null);

export function recordOfDraft(draft: WholeDraft): Extract<SourceRecord, { kind: 'draft' }> {
  const { id: draftId, revision, status, baseVersion, updatedAt, abilities } = draft;
  return { kind: 'draft', draftId, revision, status, baseVersion, updatedAt, abilities };
}

/** The live version. Saving creates a draft that is based on it. */
export function sourceFromLive(detail: WorkflowDetail, version: number): EditorSource {
  const content = contentOf(detail);
  const isArchived = detail.status === 'archived';
  const record: SourceRecord = {
    kind: 'live',
    version,
    ...(detail.version && { versionId: detail.version.id }),
    updatedAt: detail.updatedAt,
    ...(isArchived && { isArchived }),
  };
  return { key: detail.key, saved: content, edited: content, record, opened: 'live' };
}

/** For people who can edit drafts: whether the server refuses changes because the workflow is archived. */
export function isClosed(record: SourceRecord): boolean {
  if (record.kind === 'live') return record.isArchived === true;
  return record.kind === 'draft' && isOpenStatus(record.status) && !record.abilities.edit;
}

/** Whether a version with this status is an open draft. */
export const isOpenStatus = (status: string): boolean => status === 'draft' || status === 'in_review';

/** The status of the document on the server. An unsaved document counts as a draft. */
export const statusOf = (record: SourceRecord): string =>
  record.kind === 'live'
    ? record.isArchived
      ? 'archived'
      : 'live'
    : record.kind === 'draft'
      ? record.status
      : 'draft';
