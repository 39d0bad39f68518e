import type { Step } from '@stet/domain/steps';
import type { WorkflowContent } from '@stet/domain/workflows';

/** Whether two documents have the same content. Identical step objects are skipped, so long lists are fast. */
export function sameContent(left: WorkflowContent, right: WorkflowContent): boolean {
  if (left === right) return true;
  return (
    left.metadata.title === right.metadata.title &&
    left.metadata.description === right.metadata.description &&
    left.steps.length === right.steps.length &&
    left.steps.every((step, index) => sameStep(step, right.steps[index]))
  );
}

export function sameStep(left: Step, right: Step | undefined): boolean {
  if (left === right) return true;
  return (
    right !== undefined &&
    left.id === right.id &&
    left.type === right.type &&
    left.title === right.title &&
    left.description === right.description &&
    left.assignee === right.assignee &&
    left.sla === right.sla &&
    sameValue(left.next, right.next) &&
    sameValue(left.config, right.config)
  );
}

/** Compares plain JSON values deeply. The order of keys doesn't matter, and an undefined field counts as absent. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((value, index) => sameValue(value, right[index]))
    );
  }
  const a = defined(left);
  const b = defined(right);
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && sameValue(value, b.get(key)));
}

const defined = (value: object): Map<string, unknown> =>
  new Map(Object.entries(value).filter(([, field]) => field !== undefined));

/**
 * The content, with the other document's step objects in place of equal ones, so that later comparisons of the two are
 * fast.
 */
export function withSameSteps(content: WorkflowContent, other: WorkflowContent): WorkflowContent {
  const byId = new Map(other.steps.map((step) => [step.id, step]));
  const steps = content.steps.map((step) => {
    const own = byId.get(step.id);
    return own && sameStep(step, own) ? own : step;
  });
  return { ...content, steps };
}
