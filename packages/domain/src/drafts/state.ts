import { type Blocker, refuse, type Refused } from './refusals.ts';

/** Who did it and when, in epoch milliseconds. */
export type Stamp = { by: string; at: number };

export type Draft = { state: 'draft' };
export type InReview = { state: 'in_review'; submitted: Stamp };
export type Live = { state: 'live'; version: number; merged: Stamp };
export type Superseded = { state: 'superseded'; version: number; merged: Stamp; supersededAt: number };

/** The life of one version record. A discarded draft has no state: it is gone. */
export type VersionState = Draft | InReview | Live | Superseded;
export type OpenState = Draft | InReview;

type Transition<To extends VersionState> = { ok: true; state: To } | Refused;

/** True while content can be saved. */
export function isOpen(from: VersionState): from is OpenState {
  return from.state === 'draft' || from.state === 'in_review';
}

/**
 * Saves content: possible until merged, without leaving the state; approvals are dismissed with it.
 * Refused: `stale_revision` where the revision that was loaded is not the current one, `already_merged`.
 * @param revision.sent null when the caller sent none
 */
export function save(from: VersionState, revision: { sent: number | null; current: number }): Transition<OpenState> {
  if (!isOpen(from)) return alreadyMerged(from);
  const { sent, current } = revision;
  return sent === null || sent === current
    ? { ok: true, state: from }
    : refuse({ code: 'stale_revision', sent, current });
}

/** Submits a draft for review. Refused: `already_in_review`, `already_merged`. */
export function submit(from: VersionState, by: Stamp): Transition<InReview> {
  if (!isOpen(from)) return alreadyMerged(from);
  if (from.state === 'in_review') return refuse({ code: 'already_in_review' });
  return { ok: true, state: { state: 'in_review', submitted: by } };
}

/** Takes a submitted draft back. Refused: `not_in_review`, `already_merged`. */
export function withdraw(from: VersionState): Transition<Draft> {
  if (!isOpen(from)) return alreadyMerged(from);
  return from.state === 'in_review' ? { ok: true, state: { state: 'draft' } } : refuse({ code: 'not_in_review' });
}

/**
 * Approves: a draft that was not submitted is submitted by it (rulings, section 5). Whether this person may is for
 * `mayApprove`. Refused: `already_merged`.
 */
export function approve(from: VersionState, by: Stamp): Transition<InReview> {
  if (!isOpen(from)) return alreadyMerged(from);
  return { ok: true, state: from.state === 'in_review' ? from : { state: 'in_review', submitted: by } };
}

/**
 * Requests changes, which leads back to `draft`. Also possible before it was submitted: the review screen opens on any
 * open draft. Refused: `comment_required` for a blank comment (specification, section 5), `already_merged`.
 */
export function requestChanges(from: VersionState, comment: string): Transition<Draft> {
  if (!isOpen(from)) return alreadyMerged(from);
  return comment.trim() === '' ? refuse({ code: 'comment_required' }) : { ok: true, state: { state: 'draft' } };
}

/**
 * Makes the draft the live version under the next unused number. Refused: `already_merged`, or the code of the first
 * blocker with all of them.
 * @param blockers what `whatBlocksMerge` answered in this transaction
 */
export function merge(
  from: VersionState,
  as: { version: number; merged: Stamp },
  blockers: readonly Blocker[],
): Transition<Live> {
  if (!isOpen(from)) return alreadyMerged(from);
  const [first] = blockers;
  if (first !== undefined) return refuse({ code: first.code, blockers: [...blockers] });
  return { ok: true, state: { state: 'live', ...as } };
}

/**
 * Whether a draft can be discarded: by someone who has contributed to it, until it is merged (rulings, section 3). While an
 * approval or a request for changes stands, its author or a manager discards it, and says why.
 * Refused: `not_your_draft`, `reason_required`, `already_merged`.
 */
export function discard(
  from: VersionState,
  { actorId, isManager, authorId, contributors, hasStandingWord, reason }: DiscardQuestion,
): { ok: true } | Refused {
  if (!isOpen(from)) return alreadyMerged(from);
  const may = hasStandingWord ? [authorId] : contributors;
  if (!may.includes(actorId) && !(hasStandingWord && isManager)) {
    return refuse({ code: 'not_your_draft', contributors: [...may] });
  }
  return hasStandingWord && !reason ? refuse({ code: 'reason_required' }) : { ok: true };
}

/**
 * Whether a workflow can be deleted or archived over what people have said of its open drafts: by the author of each such
 * draft, or a manager, with a reason. Refused: `not_your_draft`, `reason_required`.
 * @param authorIds who created the drafts on which an approval or a request for changes stands
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

/** `authorId`: who created the draft. `hasStandingWord`: an approval that counts, or an objection, stands on it. */
type DiscardQuestion = {
  actorId: string;
  isManager: boolean;
  authorId: string;
  contributors: readonly string[];
  hasStandingWord: boolean;
  reason: string | undefined;
};

function alreadyMerged(from: Live | Superseded): Refused {
  return refuse({ code: 'already_merged', version: from.version });
}
