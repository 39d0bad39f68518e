/** Where a form for a comment is open; `undefined` is nowhere, null the draft as a whole, a text the id of a step. */
export type WritingOn = string | null | undefined;

/** What comments need to know and can do, the same for all of them. */
export type Commenting = {
  /** Whether this person may comment on this draft now. */
  may: boolean;
  writingOn: WritingOn;
  onWrite: (stepId: WritingOn) => void;
  /** The comment was sent when this settles; rejects with a sentence. */
  onSend: (body: string, stepId: string | null) => Promise<void>;
  onSettle: (commentId: string, to: 'resolve' | 'reopen') => void;
  /** The comment that is being settled. */
  settling: string | null;
  now: number;
};
