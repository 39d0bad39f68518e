import type { ReviewRoute, RouteTrigger } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';

/** The effect of a draft as the end of 'If a draft …', in a route. */
export const TRIGGER_WORDS: Record<RouteTrigger, string> = {
  loss: 'removes or weakens any control',
  unknown: 'has a change that only a person can judge',
  approval_removed: 'removes an approval',
  approval_bypassed: 'lets a run bypass an approval',
  fewer_approvers: 'needs fewer approvers',
  approver_widened: 'lets more people approve',
  separation_dropped: 'lets the same person work and approve',
  sign_off_dropped: 'drops a second person’s sign-off',
  rejection_softened: 'softens a rejection',
  skip_allowed: 'allows a step to be skipped',
  clock_removed: 'removes an SLA',
  clock_loosened: 'gives a step more time',
  evidence_dropped: 'asks for less evidence',
  field_loosened: 'asks for less in a form',
  recipient_lost: 'notifies fewer people',
  type_changed: 'changes the type of a step',
  condition_changed: 'changes a condition',
  script_changed: 'changes a script',
  step_removed: 'removes a step',
  people_changed: 'changes who is responsible',
  reordered: 'lets steps start earlier',
};

/** Returns a route as a sentence without a full stop. */
export function routeSentence({ if: trigger, tag }: ReviewRoute, groupName: string): string {
  const where = tag === null ? 'a draft' : `a draft of a workflow tagged ${isolated(tag)}`;
  return `If ${where} ${TRIGGER_WORDS[trigger]}, someone in ${isolated(groupName)} has to approve it`;
}
