import type { WholeDraft } from '@stet/contract';
import type { Saved } from '../api/save-draft.ts';
import type { ServerSide, SourceRecord } from './source.ts';

export type DraftRecord = Extract<SourceRecord, { kind: 'draft' }>;

export const isOpen = (status: WholeDraft['status']): boolean => status === 'draft' || status === 'in_review';

/** A draft of which the server has said no more than that it is saved: only saving is offered. */
export const draftOnlySaved = (saved: Saved, baseVersion: number | null): DraftRecord => ({
  kind: 'draft',
  ...saved,
  status: 'draft',
  baseVersion,
  overtakenBy: null,
  updatedAt: new Date().toISOString(),
  abilities: NO_ABILITIES,
});

const NO_ABILITIES: WholeDraft['abilities'] = {
  edit: true,
  submit: false,
  withdraw: false,
  approve: false,
  requestChanges: false,
  merge: false,
  publish: false,
  discard: false,
  discardNeedsReason: false,
  setAside: false,
  comment: false,
};

/** The draft that a save writes to, null where it makes one; `isNew`: together with its workflow. */
export type WriteTarget = { draft: DraftRecord | null; isNew: boolean };

export const targetOf = (record: SourceRecord): WriteTarget => ({
  draft: record.kind === 'draft' && isOpen(record.status) ? record : null,
  isNew: record.kind === 'unsaved',
});

export const draftOf = (record: SourceRecord): string | null => (record.kind === 'draft' ? record.draftId : null);

/** The document can't be saved as it is. */
export class Unfit extends Error {}

/** Somebody saved, merged or discarded the draft. */
export class Conflict extends Error {
  readonly theirs: ServerSide;
  constructor(sentence: string, theirs: ServerSide) {
    super(sentence);
    this.theirs = theirs;
  }
}

/** Saving went wrong, and has said so itself. */
export class NotSaved extends Error {}
