import type { ControlLoss } from './findings/control-losses.ts';
import type { MergeConflict } from './merge.ts';

/** A reason why a draft can't go live yet, as data. */
export type Blocker =
  /** The draft's base is not the current live version; a rebase resolves this. */
  | { code: 'out_of_date'; baseVersionId: string | null; liveVersionId: string | null }
  | { code: 'not_submitted' }
  /** `reviewerIds`: people whose request for changes is open. */
  | { code: 'changes_requested'; reviewerIds: string[] }
  /** `available`: the number of people whose approval counts or would count. */
  | { code: 'needs_approvals'; needed: number; has: number; available: number }
  /** Steps that are simulated although the organization's policy refuses that. */
  | { code: 'simulated_steps'; stepIds: string[] }
  /** Unresolved comments, which block a merge under the organization's policy; `stepId` is null for the whole draft. */
  | { code: 'unresolved_comments'; comments: { stepId: string | null }[] }
  /**
   * Groups that have to approve the draft under the organization's routes and haven't. `canAnyone`: whether there is a
   * member whose approval would count.
   */
  | { code: 'needs_group_approval'; groups: { group: string; canAnyone: boolean }[] }
  /**
   * No reviewer of the workflow has approved the draft. `canAnyone`: whether there is one whose approval would count.
   */
  | { code: 'needs_reviewer_approval'; canAnyone: boolean }
  | IncompleteContent;

/** Errors in the content, for example those that make every run fail (see `contentErrors`). */
export type IncompleteContent = { code: 'content_incomplete'; problems: { stepId: string | null; problem: string }[] };

/** The reason why an earlier version needs another review before it goes live again. */
export type RollbackNeed =
  /** The live version has this control, and the target lacks it. */
  | { code: 'control_lost'; loss: ControlLoss }
  /** The comparison with the live version failed. */
  | { code: 'unclassified' }
  /** Groups that have to approve the effects of the rollback. `groups` are their names. */
  | { code: 'needs_group_approval'; groups: string[] }
  /**
   * The target has no approval by someone who has been a reviewer of the workflow since before the target was created.
   * Under strict review, approvals with marks don't count.
   */
  | { code: 'needs_reviewer_approval' }
  /**
   * The target went live with fewer approvals than the current policy requires; `strict`: only approvals without marks
   * count.
   */
  | { code: 'approvals_missing'; needed: number; has: number; strict: boolean }
  /** Someone's request for changes to this exact content is open. */
  | { code: 'changes_requested' }
  /** The organization refuses simulated steps in workflows that go live. */
  | { code: 'simulated_steps'; stepIds: string[]; titles: string[] }
  /** The target went live without a review in an emergency, and no other manager has ratified that. */
  | { code: 'emergency_not_ratified' };

/**
 * A refusal with its data; a refused merge contains all its blockers and the code of the first, except
 * `content_incomplete`, which contains only its own problems.
 */
export type DraftRefusal =
  | { code: 'forbidden' }
  | { code: 'already_merged'; version: number }
  | { code: 'already_in_review' }
  | { code: 'not_in_review' }
  /** The person has no approval of the current content that they could withdraw. */
  | { code: 'not_approved' }
  /** The draft was saved after the caller loaded it; both numbers are revisions. */
  | { code: 'stale_revision'; sent: number; current: number }
  | { code: 'comment_required' }
  /** `others`: ids of people who could approve instead. */
  | { code: 'contributor_cannot_approve'; others: string[] }
  /**
   * `missing`: why the approval doesn't count; `from`: when it will count without further action, in milliseconds since
   * 1970; null if it won't. `who`: ids of people whose approval counts now.
   */
  | { code: 'reviewer_not_counted_yet'; missing: string; from: number | null; who: string[] }
  | { code: 'not_your_draft'; contributors: string[] }
  /**
   * A draft has an approval or a request for changes, so discarding it, or deleting or archiving its workflow, needs a
   * reason.
   */
  | { code: 'reason_required' }
  | { code: Exclude<Blocker['code'], 'content_incomplete'>; blockers: Blocker[] }
  | IncompleteContent
  /** Conflicts that must be resolved before the rebase. */
  | { code: 'merge_conflicts'; conflicts: MergeConflict[] }
  /**
   * Another version went live after the content was loaded. For a rebase, `conflicts` are the conflicts with the new
   * version; otherwise the list is empty.
   */
  | { code: 'live_changed'; conflicts: MergeConflict[] }
  | { code: 'already_live'; version: number }
  | { code: 'never_merged' }
  /** `needs`: all reasons for the review, at least one. */
  | { code: 'rollback_needs_review'; needs: RollbackNeed[] };

export type Refused = { ok: false; refusal: DraftRefusal };

/** Wraps a refusal as a decision's result. */
export function refuse(refusal: DraftRefusal): Refused {
  return { ok: false, refusal };
}
