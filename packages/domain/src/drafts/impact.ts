import { slaMsOf } from '../sla/duration.ts';
import { targetMs } from '../sla/run-sla.ts';
import { sameJson } from '../workflows/canonical-json.ts';
import { INTEGRATIONS, type Integration, kindOf, type Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import {
  type ApprovalLoss,
  controlLossesOf,
  inSentences,
  lostApprovals,
  lostRoles,
  type RoleLoss,
  type LossInWords,
} from './control-loss.ts';
import { diffContent, isUnchanged } from './diff.ts';

/** An integration that a change affects, and the affected steps in document order of the new content. */
type IntegrationTouch = { integration: Integration; change: 'added' | 'removed' | 'changed'; stepIds: string[] };

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
 * Compares two contents by their effect on runs: how many steps change, which integrations, how long a run may take,
 * and which roles and approvals are lost. O(n log n) in steps.
 * @param before the content that the draft would replace; null if nothing was merged yet
 */
export function impactOf(
  before: WorkflowContent | null,
  after: WorkflowContent,
  reviewed: WorkflowContent | null = null,
): Impact {
  const diff = diffContent(before, after);
  const old = before?.steps ?? [];
  return {
    controlLosses: inSentences(controlLossesOf([before, reviewed], after)),
    workflows: isUnchanged(diff) ? 0 : 1,
    steps: {
      added: diff.summary.added.length,
      removed: diff.summary.removed.length,
      modified: diff.summary.modified.length,
      before: old.length,
      after: after.steps.length,
    },
    integrations: touchedIntegrations(old, after.steps),
    sla: { beforeMs: targetMs(old), afterMs: targetMs(after.steps), loosened: loosenedSlas(old, after.steps) },
    rolesRemoved: lostRoles(old, after.steps),
    approvalsRemoved: lostApprovals(old, after.steps),
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

function loosenedSlas(before: readonly Step[], after: readonly Step[]): LoosenedSla[] {
  const old = new Map(before.map((step) => [step.id, step]));
  return after.flatMap(({ id, title, sla }) => {
    const was = old.get(id);
    const wasMs = was === undefined ? null : slaMsOf(was.sla);
    if (was === undefined || wasMs === null) return [];
    const ms = slaMsOf(sla);
    if (ms !== null && ms <= wasMs) return [];
    return [{ stepId: id, title, before: { text: was.sla, ms: wasMs }, after: { text: sla, ms } }];
  });
}
