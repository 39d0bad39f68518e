import type { ControlLoss } from './control-loss.ts';
import type { MergeConflict } from './merge.ts';

/** What still stands between a draft and the live version, as data (rulings, section 5). */
export type Blocker =
  /** The draft's base is not the version that is live now; a rebase mends it. */
  | { code: 'out_of_date'; baseVersionId: string | null; liveVersionId: string | null }
  | { code: 'not_submitted' }
  /** `reviewerIds`: those whose latest word is a request for changes. */
  | { code: 'changes_requested'; reviewerIds: string[] }
  /** `available`: how many people could give an approval that counts, those who have done so included. */
  | { code: 'needs_approvals'; needed: number; has: number; available: number }
  /** The organization's policy refuses simulated steps; these are some. */
  | { code: 'simulated_steps'; stepIds: string[] };

/** Why a version doesn't go live again without a review of its own. */
export type RollbackNeed =
  /** The version that is live has this control, and the target lacks it. */
  | { code: 'control_lost'; loss: ControlLoss }
  /** The target went live with fewer approvals than the policy of today asks for; `strict`: only those without a mark count. */
  | { code: 'approvals_missing'; needed: number; has: number; strict: boolean }
  /** Someone's request for changes stands on this very content. */
  | { code: 'changes_requested' }
  /** The target went live past the review, and nobody has ratified that. */
  | { code: 'emergency_not_ratified' };

/** A refusal with its data; a refused merge carries all its blockers and the code of the first. */
export type DraftRefusal =
  | { code: 'forbidden' }
  | { code: 'already_merged'; version: number }
  | { code: 'already_in_review' }
  | { code: 'not_in_review' }
  /** Somebody saved since; both are revisions. */
  | { code: 'stale_revision'; sent: number; current: number }
  | { code: 'comment_required' }
  /** `others`: the ids of those who could approve instead. */
  | { code: 'contributor_cannot_approve'; others: string[] }
  /** `missing`: what keeps an approval from counting; `from`: when it counts by itself; `who`: the ids of those who count now. */
  | { code: 'reviewer_not_counted_yet'; missing: string; from: number | null; who: string[] }
  | { code: 'not_your_draft'; contributors: string[] }
  /** Someone's word stands on it, so that it goes only with a reason. */
  | { code: 'reason_required' }
  | { code: Blocker['code']; blockers: Blocker[] }
  /** A rebase that has to be answered first: what both sides changed differently and nothing settles. */
  | { code: 'merge_conflicts'; conflicts: MergeConflict[] }
  /** Another version went live than the one that the conflicts were settled against; `conflicts` are those with it. */
  | { code: 'live_changed'; conflicts: MergeConflict[] }
  | { code: 'already_live'; version: number }
  | { code: 'never_merged' }
  /** An earlier version that goes live again only through a review, and why. */
  | { code: 'rollback_needs_review'; needs: RollbackNeed[] };

export type Refused = { ok: false; refusal: DraftRefusal };

/** A refusal as the answer of a decision. */
export function refuse(refusal: DraftRefusal): Refused {
  return { ok: false, refusal };
}
