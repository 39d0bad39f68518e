/** Where a comment form is open: `undefined` nowhere, null for the whole draft, a text for the step with that id. */
export type WritingOn = string | null | undefined;

/** State and actions shared by all comments. */
export type Commenting = {
  /** Whether this person may comment on this draft now. */
  may: boolean;
  writingOn: WritingOn;
  onWrite: (stepId: WritingOn) => void;
  /** Resolves once the comment is sent; rejects with a message. */
  onSend: (body: string, stepId: string | null) => Promise<void>;
  onResolve: (commentId: string, to: 'resolve' | 'reopen') => void;
  /** The comment that is being resolved. */
  resolvingId: string | null;
  /** Why the comment wasn't resolved or reopened. */
  problemOn: (commentId: string) => string | null;
  now: number;
};
