import type { Comment, VersionRecord, WholeDraft } from '@stet/contract';
import { isOpenStatus } from './source.ts';

export type Author = { id: string; name: string };

/** The review of the open document, its authors, and the workflow's other open drafts. */
export type ReviewState = {
  /** The draft's contributors, its creator first. */
  authors: readonly Author[];
  /** Open requests for changes. */
  objections: WholeDraft['objections'];
  /** Open comments by step id. Comments on the whole draft have the id ''. */
  comments: ReadonlyMap<string, readonly Comment[]>;
  /** The other open drafts of the workflow. */
  otherDrafts: readonly VersionRecord[];
  /** The live version, if the draft isn't based on it or if it isn't the one that was opened. Otherwise null. */
  overtakenBy: number | null;
};

/** The state of a document without a draft. */
export const NO_REVIEW: ReviewState = {
  authors: [],
  objections: [],
  comments: new Map(),
  otherDrafts: [],
  overtakenBy: null,
};

/** The review of a draft. `overtakenBy` is null for a draft that isn't open any more. */
export function reviewOfDraft(draft: WholeDraft): Omit<ReviewState, 'otherDrafts'> {
  const { createdBy, contributors, objections, blockers, liveVersion } = draft;
  const others = contributors.filter(({ id }) => id !== createdBy.id);
  const comments = new Map<string, Comment[]>();
  for (const comment of draft.comments) {
    if (comment.resolvedAt !== null) continue;
    const stepId = comment.stepId ?? '';
    comments.set(stepId, [...(comments.get(stepId) ?? []), comment]);
  }
  const isOutOfDate = isOpenStatus(draft.status) && blockers.some(({ code }) => code === 'out_of_date');
  return { authors: [createdBy, ...others], objections, comments, overtakenBy: isOutOfDate ? liveVersion : null };
}

/** The open drafts of a workflow except the opened one, newest first. */
export const otherDraftsOf = (versions: readonly VersionRecord[], draftId: string | null): readonly VersionRecord[] =>
  versions.filter(({ id, status }) => isOpenStatus(status) && id !== draftId);

/** The live version, if it replaced the opened one. Otherwise null. */
export function liveInsteadOf(versionId: string, versions: readonly VersionRecord[]): number | null {
  // The list may have been loaded before the opened version went live. The list then still contains it as a draft.
  const isOver = versions.some(({ id, status }) => id === versionId && status === 'superseded');
  return isOver ? (versions.find(({ status }) => status === 'live')?.version ?? null) : null;
}

/** Whose draft it is and who else has changed it, for example 'Your draft, also changed by Sam'. */
export function authorsSentence([first, ...others]: readonly Author[], userId: string): string {
  if (!first) return '';
  const nameOf = ({ id, name }: Author) => (id === userId ? 'you' : name);
  const [second, ...more] = others.map(nameOf);
  const own = first.id === userId ? 'Your draft' : `Draft by ${first.name}`;
  if (second === undefined) return own;
  if (more.length === 0) return `${own}, also changed by ${second}`;
  return `${own}, also changed by ${more.length + 1} others`;
}
