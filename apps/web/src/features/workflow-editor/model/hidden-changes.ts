import { nameSteps } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import type { WorkflowContent } from '@stet/domain/workflows';
import { type FieldChange, fieldChanges } from '@stet/presentation/change-words';
import { sameValue } from './same-content.ts';

/** For steps in both documents: the differences in type, settings and links, which have no column, by step id. */
export function hiddenChanges(before: WorkflowContent, after: WorkflowContent): ReadonlyMap<string, FieldChange[]> {
  const known = new Map(before.steps.map((step, index) => [step.id, { step, index }]));
  const steps = [...before.steps, ...after.steps];
  const titleOf = nameSteps(steps);
  const found = new Map<string, FieldChange[]>();
  for (const [index, step] of after.steps.entries()) {
    const own = known.get(step.id);
    if (!own || own.step === step) continue;
    // The links of a simple chain follow from the order, which is listed separately.
    const isLine = followsOrder(before.steps, own.index) && followsOrder(after.steps, index);
    const compared = isLine ? (['type', 'config'] as const) : (['type', 'config', 'next'] as const);
    const changes = Object.fromEntries(
      compared
        .filter((field) => !sameValue(own.step[field], step[field]))
        .map((field) => [field, { before: own.step[field], after: step[field] }]),
    );
    const fields = fieldChanges({ id: step.id, type: 'modified', changes }, titleOf, steps);
    if (fields.length > 0) found.set(step.id, fields);
  }
  return found;
}

function followsOrder(steps: readonly Step[], index: number): boolean {
  const following = steps[index + 1]?.id;
  const next = steps[index]?.next ?? [];
  return following === undefined ? next.length === 0 : next.length === 1 && next[0] === following;
}
