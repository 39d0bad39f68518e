import { targetMs } from '../sla/run-sla.ts';
import { sameJson } from '../workflows/canonical-json.ts';
import { INTEGRATIONS, type Integration, kindOf, type Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { assignedOrgRole, assigneeNames } from '../access/assignee.ts';
import { classify } from './findings/classify.ts';
import { controlLosses, inSentences, type LossInWords } from './findings/control-losses.ts';
import type { ChangeFinding } from './findings/finding.ts';
import { diffContent, isUnchanged } from './diff.ts';

/**
 * An integration that a change affects, and the affected steps: those of the new content in its order, then the removed
 * ones.
 */
type IntegrationTouch = { integration: Integration; change: 'added' | 'removed' | 'changed'; stepIds: string[] };

/** A role that no longer appears in the workflow, with the steps that named it. */
type RoleLoss = { role: string; stepIds: string[] };

/** A step that requires less agreement than before; `title` is its current title, or its last. */
type ApprovalLoss = { stepId: string; title: string } & (
  | { kind: 'approval_removed'; approvers: number }
  | { kind: 'fewer_approvers'; before: number; after: number }
  /** The people who did the previous work may now approve too. */
  | { kind: 'separation_dropped' }
  /** The input of a manual step no longer needs another person's approval. */
  | { kind: 'sign_off_dropped' }
);

/** A step with a longer SLA than before, or none. `text` is as typed; `ms` is null if it isn't an SLA. */
type LoosenedSla = {
  stepId: string;
  title: string;
  before: { text: string; ms: number };
  after: { text: string; ms: number | null };
};

/** The effect of a draft on the people who run the workflow (specification, section 2, review screen). */
export type Impact = {
  /** Lost controls, most severe first. */
  controlLosses: LossInWords[];
  /** 0 if the draft changes nothing, else 1. */
  workflows: number;
  steps: { added: number; removed: number; modified: number; before: number; after: number };
  integrations: IntegrationTouch[];
  /** The longest path through the steps' SLAs, in milliseconds; null if no step has an SLA. */
  sla: { beforeMs: number | null; afterMs: number | null; loosened: LoosenedSla[] };
  rolesRemoved: RoleLoss[];
  approvalsRemoved: ApprovalLoss[];
};

/**
 * Compares two contents by their effect on runs: the lost controls, the number of changed steps, the integrations, the
 * time that a run may take, and the lost roles and approvals. O(n log n) in steps.
 * @param before the content that the draft would replace; null if nothing was merged yet
 * @param reviewed the last reviewed content if it isn't `before`, else null; lost controls are those that either of the
 * two has
 */
export function impactOf(
  before: WorkflowContent | null,
  after: WorkflowContent,
  reviewed: WorkflowContent | null = null,
): Impact {
  const diff = diffContent(before, after);
  const old = before?.steps ?? [];
  const findings = classify([], before, after, { restoredVersion: null });
  return {
    controlLosses: inSentences(controlLosses([reviewed, before], after)),
    workflows: isUnchanged(diff) ? 0 : 1,
    steps: {
      added: diff.summary.added.length,
      removed: diff.summary.removed.length,
      modified: diff.summary.modified.length,
      before: old.length,
      after: after.steps.length,
    },
    integrations: touchedIntegrations(old, after.steps),
    sla: { beforeMs: targetMs(old), afterMs: targetMs(after.steps), loosened: loosenedSlas(findings, after.steps) },
    rolesRemoved: lostRoles(old, after.steps),
    approvalsRemoved: lostApprovals(findings, old, after.steps),
  };
}

function touchedIntegrations(before: readonly Step[], after: readonly Step[]): IntegrationTouch[] {
  const old = new Map(before.map((step) => [step.id, step]));
  const now = new Map(after.map((step) => [step.id, step]));
  const ids = [...new Set([...now.keys(), ...old.keys()])];
  return INTEGRATIONS.flatMap((integration) => {
    const stepIds = ids.filter((id) => isTouched(integration, old.get(id), now.get(id)));
    if (stepIds.length === 0) return [];
    const had = before.some((step) => reaches(step, integration));
    const has = after.some((step) => reaches(step, integration));
    return [{ integration, change: had && has ? 'changed' : has ? 'added' : 'removed', stepIds }];
  });
}

function isTouched(integration: Integration, before: Step | undefined, after: Step | undefined): boolean {
  const had = before !== undefined && reaches(before, integration);
  const has = after !== undefined && reaches(after, integration);
  if (had !== has) return true;
  return had && !sameJson(before.config, after?.config);
}

const reaches = ({ type, config }: Step, integration: Integration): boolean =>
  kindOf(type).integrations(config).includes(integration);

function loosenedSlas(findings: readonly ChangeFinding[], steps: readonly Step[]): LoosenedSla[] {
  const loosened = new Map(
    findings.flatMap((finding) =>
      finding.code === 'clock_removed' || finding.code === 'clock_loosened' ? [[finding.stepId, finding]] : [],
    ),
  );
  return steps.flatMap(({ id, title }) => {
    const finding = loosened.get(id);
    return finding ? [{ stepId: id, title, before: finding.before, after: finding.after }] : [];
  });
}

/** Returns the steps that require less agreement, in their former order. A new step can't lose agreement. */
function lostApprovals(
  findings: readonly ChangeFinding[],
  before: readonly Step[],
  after: readonly Step[],
): ApprovalLoss[] {
  const titles = new Map([...before, ...after].map(({ id, title }) => [id, title]));
  const rows = new Map(before.map(({ id }, row) => [id, row]));
  const rowOf = ({ stepId }: ApprovalLoss): number => rows.get(stepId) ?? -1;
  return findings
    .flatMap((finding) => approvalLoss(finding, titles.get(finding.stepId ?? '') ?? ''))
    .toSorted((one, other) => rowOf(one) - rowOf(other));
}

function approvalLoss(finding: ChangeFinding, title: string): ApprovalLoss[] {
  const { stepId } = finding;
  if (stepId === null) return [];
  const at = { stepId, title };
  switch (finding.code) {
    case 'approval_removed':
      return [{ ...at, kind: finding.code, approvers: finding.before }];
    case 'fewer_approvers':
      return [{ ...at, kind: finding.code, before: finding.before, after: finding.after }];
    case 'separation_dropped':
      return finding.how === 'setting' ? [{ ...at, kind: finding.code }] : [];
    case 'sign_off_dropped':
      return [{ ...at, kind: finding.code }];
    default:
      return [];
  }
}

/** Roles that steps named before, as assignee or in their settings, but no step names after; sorted by name. */
function lostRoles(before: readonly Step[], after: readonly Step[]): RoleLoss[] {
  const now = new Set(after.flatMap(rolesOf));
  const lost = new Map<string, string[]>();
  for (const step of before) {
    for (const role of rolesOf(step)) if (!now.has(role)) lost.set(role, [...(lost.get(role) ?? []), step.id]);
  }
  return [...lost].map(([role, stepIds]) => ({ role, stepIds })).toSorted((a, b) => (a.role < b.role ? -1 : 1));
}

function rolesOf(step: Step): string[] {
  const inConfig = 'assignedRole' in step.config ? (step.config.assignedRole ?? '').trim().toLowerCase() : '';
  const assigned = assigneeNames(step.assignee).flatMap((name) => assignedOrgRole(name) ?? []);
  return [...new Set([...assigned, ...(inConfig === '' ? [] : [inConfig])])];
}
