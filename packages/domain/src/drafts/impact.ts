import { slaMsOf } from '../sla/duration.ts';
import { targetMs } from '../sla/run-sla.ts';
import { sameJson } from '../workflows/canonical-json.ts';
import type { Step, WorkflowContent } from '../workflows/step.ts';
import {
  type ApprovalLoss,
  controlLosses,
  inSentences,
  lostApprovals,
  lostRoles,
  type RoleLoss,
  type SaidLoss,
} from './control-loss.ts';
import { diffContent, isUnchanged } from './diff.ts';

/** What a run reaches outside of the product: channels of notifications, and scripts of automated steps. */
export const INTEGRATIONS = ['email', 'slack', 'in-app', 'script'] as const;
type Integration = (typeof INTEGRATIONS)[number];

/** An integration that a change reaches, and the steps by which it does, in document order of what stands after it. */
type IntegrationTouch = { integration: Integration; change: 'added' | 'removed' | 'changed'; stepIds: string[] };

/** A step whose clock gives more time than before, or none any more. Texts as typed; milliseconds, null for no clock. */
type LoosenedSla = {
  stepId: string;
  title: string;
  before: { text: string; ms: number };
  after: { text: string; ms: number | null };
};

/** What a draft changes for those who run the workflow (specification, section 2, review screen). */
export type Impact = {
  /** The controls that it takes away, the most severe first. */
  controlLosses: SaidLoss[];
  /** 0 where the draft changes nothing, else 1. */
  workflows: number;
  steps: { added: number; removed: number; modified: number; before: number; after: number };
  integrations: IntegrationTouch[];
  /** The longest path through the steps' SLAs, in milliseconds; null where no step has a clock. */
  sla: { beforeMs: number | null; afterMs: number | null; loosened: LoosenedSla[] };
  rolesRemoved: RoleLoss[];
  approvalsRemoved: ApprovalLoss[];
};

/**
 * Compares two contents by what they mean to a run: how many steps change, which integrations, how long a run may take,
 * which roles and approvals no longer have a part. O(n log n) in steps.
 * @param before the content that the draft would replace; null where nothing was merged yet
 */
export function impactOf(before: WorkflowContent | null, after: WorkflowContent): Impact {
  const diff = diffContent(before, after);
  const old = before?.steps ?? [];
  return {
    controlLosses: inSentences(controlLosses(before, after)),
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

function reaches(step: Step, integration: Integration): boolean {
  if (step.type === 'automated') return integration === 'script' && Boolean(step.config.script?.trim());
  return step.type === 'notification' && integration !== 'script' && (step.config.channels ?? []).includes(integration);
}

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
