import { isolated } from '../workflows/isolated.ts';
import { lossesAmong } from './findings/control-losses.ts';
import { type ChangeFinding, UNCLASSIFIED } from './findings/finding.ts';
import { findingSentence } from './findings/finding-words.ts';
import type { ReviewPolicy } from './policy.ts';
import { refuse, type Refused, type RollbackNeed } from './refusals.ts';
import type { Live, VersionState } from './state.ts';
import type { ApprovalMark } from './approval-marks.ts';

/** The input of a rollback decision, all read in one transaction. */
export type RollbackQuestion = {
  policy: ReviewPolicy;
  /** The approvals that the target went live with. */
  approvals: readonly { marks: readonly ApprovalMark[] }[];
  /** The effects of the rollback, compared with the live version. */
  findings: readonly ChangeFinding[];
  /** The simulated steps of the target, if the organization refuses them. */
  simulated: readonly { id: string; title: string }[];
  /** The names of the groups that have to approve it under the organization's routes. */
  groups: readonly string[];
  /** True if the workflow requires an approval by one of its reviewers, and none of them approved the target. */
  lacksReviewer: boolean;
  hasObjection: boolean;
  isUnratified: boolean;
};

/**
 * Returns the reasons for a review of the target; empty if it may go live again immediately. A failed comparison and
 * lost controls come first.
 */
export function rollbackNeeds({
  policy,
  approvals,
  findings,
  simulated,
  groups,
  lacksReviewer,
  hasObjection,
  isUnratified,
}: RollbackQuestion): RollbackNeed[] {
  const { requiredApprovals: needed, strict } = policy;
  const has = approvals.filter(({ marks }) => !strict || marks.length === 0).length;
  return [
    ...findings.flatMap((finding): RollbackNeed[] => (finding.code === 'unclassified' ? [{ code: finding.code }] : [])),
    ...lossesAmong(findings).map((loss): RollbackNeed => ({ code: 'control_lost', loss })),
    ...(groups.length > 0 ? [{ code: 'needs_group_approval' as const, groups: [...groups] }] : []),
    ...(lacksReviewer ? [{ code: 'needs_reviewer_approval' as const }] : []),
    ...(has < needed ? [{ code: 'approvals_missing' as const, needed, has, strict }] : []),
    ...(simulated.length > 0
      ? [
          {
            code: 'simulated_steps' as const,
            stepIds: simulated.map(({ id }) => id),
            titles: simulated.map(({ title }) => title),
          },
        ]
      : []),
    ...(hasObjection ? [{ code: 'changes_requested' as const }] : []),
    ...(isUnratified ? [{ code: 'emergency_not_ratified' as const }] : []),
  ];
}

/** Returns the reason why a version needs a review, as a sentence without a full stop. */
export function rollbackNeedSentence(need: RollbackNeed): string {
  switch (need.code) {
    case 'unclassified':
      return findingSentence(UNCLASSIFIED);
    case 'control_lost':
      return findingSentence(need.loss);
    case 'needs_group_approval':
      return `It needs an approval from ${need.groups.map((name) => isolated(name)).join(', ')}`;
    case 'needs_reviewer_approval':
      return 'None of the workflow’s reviewers approved it';
    case 'approvals_missing': {
      const kind = need.strict ? 'unmarked ' : '';
      return `It went live with ${need.has} ${kind}${need.has === 1 ? 'approval' : 'approvals'}, and ${need.needed} ${need.needed === 1 ? 'is' : 'are'} required now`;
    }
    case 'simulated_steps':
      return `Simulated steps can’t go live in this organization: ${need.titles.map((title) => isolated(title)).join(', ')}`;
    case 'changes_requested':
      return 'This content has an open request for changes';
    case 'emergency_not_ratified':
      return 'It went live in an emergency that was never ratified';
  }
}

/**
 * Makes an earlier version live again with its old number (decision 65). Refused: `already_live`, `never_merged`, and
 * `rollback_needs_review` if there are `needs`.
 */
export function rollBackTo(target: VersionState, needs: readonly RollbackNeed[]): { ok: true; state: Live } | Refused {
  switch (target.state) {
    case 'superseded':
      if (needs.length > 0) return refuse({ code: 'rollback_needs_review', needs: [...needs] });
      return { ok: true, state: { state: 'live', version: target.version } };
    case 'live':
      return refuse({ code: 'already_live', version: target.version });
    case 'draft':
    case 'in_review':
      return refuse({ code: 'never_merged' });
  }
}
