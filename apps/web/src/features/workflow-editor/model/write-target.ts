import type { WholeDraft } from '@stet/contract';
import type { Saved } from '../api/save-draft.ts';
import type { ServerSide, SourceRecord } from './source.ts';

export type DraftRecord = Extract<SourceRecord, { kind: 'draft' }>;

export const isOpen = (status: WholeDraft['status']): boolean => status === 'draft' || status === 'in_review';

/** A draft of which only the save is known: only saving is offered. */
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
  emergency: false,
  comment: false,
};

/** The draft to which a save writes; null if it creates one. `isNew`: the save also creates the workflow. */
export type WriteTarget = { draft: DraftRecord | null; isNew: boolean };

export const targetOf = (record: SourceRecord): WriteTarget => ({
  draft: record.kind === 'draft' && isOpen(record.status) ? record : null,
  isNew: record.kind === 'unsaved',
});

export const draftOf = (record: SourceRecord): string | null => (record.kind === 'draft' ? record.draftId : null);

/** The document can't be saved as it is. */
export class InvalidDocument extends Error {}

/** Someone saved, merged or discarded the draft. */
export class Conflict extends Error {
  readonly theirs: ServerSide;
  constructor(sentence: string, theirs: ServerSide) {
    super(sentence);
    this.theirs = theirs;
  }
}

/** The save failed and has already shown its error. */
export class NotSaved extends Error {}
