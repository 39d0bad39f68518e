import { type Blocker, refuse, type Refused } from './refusals.ts';

export type Draft = { state: 'draft' };
export type InReview = { state: 'in_review' };
export type Live = { state: 'live'; version: number };
export type Superseded = { state: 'superseded'; version: number };

/** A version's state. A discarded draft is deleted, so it has no state. */
export type VersionState = Draft | InReview | Live | Superseded;
export type OpenState = Draft | InReview;

type Transition<To extends VersionState> = { ok: true; state: To } | Refused;

/**
 * Returns a stored version's state; `version` is its number, null until the merge. Throws on a merged version without a
 * number.
 */
export function versionStateOf({
  status,
  version,
}: {
  status: VersionState['state'];
  version: number | null;
}): VersionState {
  if (status === 'draft' || status === 'in_review') return { state: status };
  if (version === null) throw new Error(`A ${status} version must have a number`);
  return { state: status, version };
}

/** True while content can be saved. */
export function isOpen(from: VersionState): from is OpenState {
  return from.state === 'draft' || from.state === 'in_review';
}

/**
 * Saves content, which is possible until the merge. The state stays the same. Refused: `stale_revision` if the sent
 * revision is not the current one, `already_merged`.
 * @param revision.sent null if the caller sent none
 */
export function save(from: VersionState, revision: { sent: number | null; current: number }): Transition<OpenState> {
  if (!isOpen(from)) return alreadyMerged(from);
  const { sent, current } = revision;
  return sent === null || sent === current
    ? { ok: true, state: from }
    : refuse({ code: 'stale_revision', sent, current });
}

/** Submits a draft for review. Refused: `already_in_review`, `already_merged`. */
export function submit(from: VersionState): Transition<InReview> {
  if (!isOpen(from)) return alreadyMerged(from);
  if (from.state === 'in_review') return refuse({ code: 'already_in_review' });
  return { ok: true, state: { state: 'in_review' } };
}

/** Withdraws a submitted draft. Refused: `not_in_review`, `already_merged`. */
export function withdraw(from: VersionState): Transition<Draft> {
  if (!isOpen(from)) return alreadyMerged(from);
  return from.state === 'in_review' ? { ok: true, state: { state: 'draft' } } : refuse({ code: 'not_in_review' });
}

/**
 * Approves a draft, and submits it if it isn't submitted yet. `canApprove` decides whether the person may. Refused:
 * `already_merged`.
 */
export function approve(from: VersionState): Transition<InReview> {
  if (!isOpen(from)) return alreadyMerged(from);
  return { ok: true, state: { state: 'in_review' } };
}

/**
 * Withdraws a person's own approval while the draft is in review. Refused: `not_in_review`, `already_merged`,
 * `not_approved` if they have none.
 */
export function withdrawApproval(from: VersionState, hasApproved: boolean): Transition<InReview> {
  if (!isOpen(from)) return alreadyMerged(from);
  if (from.state === 'draft') return refuse({ code: 'not_in_review' });
  return hasApproved ? { ok: true, state: from } : refuse({ code: 'not_approved' });
}

/**
 * Requests changes, which returns the draft to `draft`. This is possible before submission too, because the review
 * screen can show any open draft. Refused: `comment_required` for a blank comment (specification, section 5),
 * `already_merged`.
 */
export function requestChanges(from: VersionState, comment: string): Transition<Draft> {
  if (!isOpen(from)) return alreadyMerged(from);
  return comment.trim() === '' ? refuse({ code: 'comment_required' }) : { ok: true, state: { state: 'draft' } };
}

/**
 * Makes the draft the live version under `version`, the next unused number. Refused: `already_merged`, or the code of
 * the first blocker with all blockers. If the first one is `content_incomplete`, the refusal contains only this one.
 * @param blockers the result of `whatBlocksMerge` in this transaction
 */
export function merge(from: VersionState, version: number, blockers: readonly Blocker[]): Transition<Live> {
  if (!isOpen(from)) return alreadyMerged(from);
  const [first] = blockers;
  if (first !== undefined)
    return refuse(first.code === 'content_incomplete' ? first : { code: first.code, blockers: [...blockers] });
  return { ok: true, state: { state: 'live', version } };
}

/**
 * Returns whether a person may discard a draft: any contributor may until it is merged. If it has a current approval or
 * a request for changes, only its author or a manager may, with a reason. Refused: `not_your_draft`, `reason_required`,
 * `already_merged`.
 */
export function discard(
  from: VersionState,
  { actorId, isManager, authorId, contributors, hasCurrentReview, reason }: DiscardQuestion,
): { ok: true } | Refused {
  if (!isOpen(from)) return alreadyMerged(from);
  const may = hasCurrentReview ? [authorId] : contributors;
  if (!may.includes(actorId) && !(hasCurrentReview && isManager)) {
    return refuse({ code: 'not_your_draft', contributors: [...may] });
  }
  return hasCurrentReview && !reason ? refuse({ code: 'reason_required' }) : { ok: true };
}

/**
 * Returns whether a person may delete or archive a workflow whose open drafts have reviews. A manager or the author of
 * all these drafts may, with a reason. Refused: `not_your_draft`, `reason_required`.
 * @param authorIds the authors of drafts with a current approval or a request for changes
 */
export function removeOverWords(
  authorIds: readonly string[],
  { actorId, isManager, reason }: Pick<DiscardQuestion, 'actorId' | 'isManager' | 'reason'>,
): { ok: true } | Refused {
  if (authorIds.length === 0) return { ok: true };
  if (!isManager && authorIds.some((id) => id !== actorId)) {
    return refuse({ code: 'not_your_draft', contributors: [...authorIds] });
  }
  return reason ? { ok: true } : refuse({ code: 'reason_required' });
}

/**
 * `authorId`: the person who created the draft. `hasCurrentReview`: the draft has an approval of its current content,
 * or an open request for changes.
 */
type DiscardQuestion = {
  actorId: string;
  isManager: boolean;
  authorId: string;
  contributors: readonly string[];
  hasCurrentReview: boolean;
  reason: string | undefined;
};

function alreadyMerged(from: Live | Superseded): Refused {
  return refuse({ code: 'already_merged', version: from.version });
}
