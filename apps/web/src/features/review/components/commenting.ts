/** The id of the step being commented on, null for the whole draft, and `undefined` if no comment form is open. */
export type WritingOn = string | null | undefined;

/** The state and actions that all comments share. */
export type Commenting = {
  /** Whether this person may comment on this draft at the moment. */
  may: boolean;
  writingOn: WritingOn;
  onWrite: (stepId: WritingOn) => void;
  /** Resolves once the comment is sent, or rejects with an error. */
  onSend: (body: string, stepId: string | null) => Promise<void>;
  onResolve: (commentId: string, to: 'resolve' | 'reopen') => void;
  /** The id of the comment that is being resolved or reopened. */
  resolvingId: string | null;
  /** The reason why a comment wasn't resolved or reopened. Null unless that failed. */
  problemOn: (commentId: string) => string | null;
  now: number;
};
