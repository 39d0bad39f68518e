import { assignedOrgRole } from '../workflows/assignee.ts';
import { STEP_DEFAULTS } from '../workflows/step-defaults.ts';
import type { ApprovalStep, Step } from '../workflows/step.ts';

/** A role that had a part in the workflow and has none any more, with the steps where it had. */
export type RoleLoss = { role: string; stepIds: string[] };

/** How a step asks for less agreement than before; `title` is the one that it has, or had. */
export type ApprovalLoss = { stepId: string; title: string } & (
  | { kind: 'approval_removed'; approvers: number }
  | { kind: 'fewer_approvers'; before: number; after: number }
  /** Who completed the step before may now approve as well. */
  | { kind: 'separation_dropped' }
  /** The input of a manual step no longer needs another person's approval. */
  | { kind: 'sign_off_dropped' }
);

/** The roles that steps named before, as assignee or in their settings, and that no step names after; by name. */
export function lostRoles(before: readonly Step[], after: readonly Step[]): RoleLoss[] {
  const now = new Set(after.flatMap(rolesOf));
  const lost = new Map<string, string[]>();
  for (const step of before) {
    for (const role of rolesOf(step)) if (!now.has(role)) lost.set(role, [...(lost.get(role) ?? []), step.id]);
  }
  return [...lost].map(([role, stepIds]) => ({ role, stepIds })).toSorted((a, b) => (a.role < b.role ? -1 : 1));
}

/** The steps that ask for less agreement after than before, in the order they had. A new step takes nothing away. */
export function lostApprovals(before: readonly Step[], after: readonly Step[]): ApprovalLoss[] {
  const now = new Map(after.map((step) => [step.id, step]));
  return before.flatMap((was) => {
    const is = now.get(was.id);
    const at = { stepId: was.id, title: is?.title ?? was.title };
    if (was.type === 'approval') return lossOfApproval(at, was, is);
    const signedOff = (step: Step | undefined) => step?.type === 'manual' && step.config.requiresApproval === true;
    return signedOff(was) && !signedOff(is) && is?.type !== 'approval' ? [{ ...at, kind: 'sign_off_dropped' }] : [];
  });
}

function lossOfApproval(
  at: { stepId: string; title: string },
  was: ApprovalStep,
  is: Step | undefined,
): ApprovalLoss[] {
  const before = approversOf(was);
  if (is?.type !== 'approval') return [{ ...at, kind: 'approval_removed', approvers: before }];
  const after = approversOf(is);
  return [
    ...(after < before ? [{ ...at, kind: 'fewer_approvers' as const, before, after }] : []),
    ...(was.config.separateFrom && !is.config.separateFrom ? [{ ...at, kind: 'separation_dropped' as const }] : []),
  ];
}

const approversOf = ({ config }: ApprovalStep): number =>
  config.minimumApprovers ?? STEP_DEFAULTS.approval.config.minimumApprovers;

function rolesOf(step: Step): string[] {
  const inConfig = 'assignedRole' in step.config ? (step.config.assignedRole ?? '').trim().toLowerCase() : '';
  const assigned = assignedOrgRole(step.assignee);
  return [...new Set([...(assigned === null ? [] : [assigned]), ...(inConfig === '' ? [] : [inConfig])])];
}
