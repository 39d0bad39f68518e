import type { WholeDraft } from '@stet/contract';
import type { Saved } from '../api/save-draft.ts';
import type { ServerSide, SourceRecord } from './source.ts';

export type DraftRecord = Extract<SourceRecord, { kind: 'draft' }>;

export const isOpen = (status: WholeDraft['status']): boolean => status === 'draft' || status === 'in_review';

/** A draft that was just saved and whose abilities couldn't be loaded. It only allows saving. */
export const draftOnlySaved = (saved: Saved, baseVersion: number | null): DraftRecord => ({
  kind: 'draft',
  ...saved,
  status: 'draft',
  baseVersion,
  updatedAt: new Date().toISOString(),
  abilities: NO_ABILITIES,
});

const NO_ABILITIES: WholeDraft['abilities'] = {
  edit: true,
  submit: false,
  withdraw: false,
  approve: false,
  withdrawApproval: false,
  requestChanges: false,
  merge: false,
  publish: false,
  discard: false,
  discardNeedsReason: false,
  setAside: false,
  emergency: false,
  comment: false,
};

/**
 * The draft that a save writes to. Null creates a draft, which is refused if `liveVersionId` is no longer live; with
 * `isNew`, the save also creates the workflow.
 */
export type WriteTarget = { draft: DraftRecord | null; isNew: boolean; liveVersionId?: string };

export const targetOf = (record: SourceRecord): WriteTarget =>
  record.kind === 'draft' && isOpen(record.status) ? { draft: record, isNew: false } : newDraftOn(record);

/** A new draft, based on the loaded content. */
export const newDraftOn = (record: SourceRecord): WriteTarget => ({
  draft: null,
  isNew: record.kind === 'unsaved',
  ...(record.kind === 'live' && record.versionId !== undefined && { liveVersionId: record.versionId }),
});

export const draftOf = (record: SourceRecord): string | null => (record.kind === 'draft' ? record.draftId : null);

/** Thrown if the document can't be saved as it is. */
export class InvalidDocument extends Error {}

/** Thrown if someone else saved, merged or discarded the draft, or another version went live. */
export class Conflict extends Error {
  readonly theirs: ServerSide;
  constructor(sentence: string, theirs: ServerSide) {
    super(sentence);
    this.theirs = theirs;
  }
}

/** Thrown if the save failed and its error has already been shown. */
export class NotSaved extends Error {}
