import { type ControlLoss, controlLossSentence } from './control-loss.ts';
import type { ReviewPolicy } from './policy.ts';
import { refuse, type Refused, type RollbackNeed } from './refusals.ts';
import type { Live, VersionState } from './state.ts';
import type { ApprovalMark } from './who-counts.ts';

/** What decides whether an earlier version may go live again, all read in one transaction. */
export type RollbackQuestion = {
  policy: ReviewPolicy;
  /** The approvals that the target went live with. */
  approvals: readonly { marks: readonly ApprovalMark[] }[];
  /** What the target lacks of the controls that are live. */
  losses: readonly ControlLoss[];
  hasObjection: boolean;
  isUnratified: boolean;
};

/** What a review of the target would have to see first; empty if it may go live again at once. The lost controls come first. */
export function rollbackNeeds({
  policy,
  approvals,
  losses,
  hasObjection,
  isUnratified,
}: RollbackQuestion): RollbackNeed[] {
  const { requiredApprovals: needed, strict } = policy;
  const has = approvals.filter(({ marks }) => !strict || marks.length === 0).length;
  return [
    ...losses.map((loss): RollbackNeed => ({ code: 'control_lost', loss })),
    ...(has < needed ? [{ code: 'approvals_missing' as const, needed, has, strict }] : []),
    ...(hasObjection ? [{ code: 'changes_requested' as const }] : []),
    ...(isUnratified ? [{ code: 'emergency_not_ratified' as const }] : []),
  ];
}

/** Why a version needs a review, as a sentence without a full stop. */
export function rollbackNeedSentence(need: RollbackNeed): string {
  switch (need.code) {
    case 'control_lost':
      return controlLossSentence(need.loss);
    case 'approvals_missing': {
      const kind = need.strict ? 'unmarked ' : '';
      return `It went live with ${need.has} ${kind}${need.has === 1 ? 'approval' : 'approvals'}, and ${need.needed} ${need.needed === 1 ? 'is' : 'are'} required today`;
    }
    case 'changes_requested':
      return 'Someone’s request for changes stands on this content';
    case 'emergency_not_ratified':
      return 'It went live in an emergency that nobody has ratified';
  }
}

/**
 * Makes an earlier version live again; its number stays (rulings, sections 4 and 12). Refused: `already_live`,
 * `never_merged`, and `rollback_needs_review` while anything is needed.
 */
export function rollBackTo(target: VersionState, needs: readonly RollbackNeed[]): { ok: true; state: Live } | Refused {
  switch (target.state) {
    case 'superseded':
      if (needs.length > 0) return refuse({ code: 'rollback_needs_review', needs: [...needs] });
      return { ok: true, state: { state: 'live', version: target.version, merged: target.merged } };
    case 'live':
      return refuse({ code: 'already_live', version: target.version });
    case 'draft':
    case 'in_review':
      return refuse({ code: 'never_merged' });
  }
}
