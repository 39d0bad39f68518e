import { refersToNext } from '../references.ts';
import type { ConditionStep, Step } from '../step.ts';

/** The branches of a condition step; absent if the result names no step. */
export type Branches = { trueNext?: string | undefined; falseNext?: string | undefined };

/** Returns whether a step splits the path by a decision: a condition step that names at least one target. */
export function isBranching(step: Step): step is ConditionStep {
  return step.type === 'condition' && refersToNext(step).length > 0;
}

/** Returns the step of `next` that is named for a result; undefined if there is none. */
export function branchNamed({ config, next }: ConditionStep, result: boolean): string | undefined {
  const target = result ? config.trueNext : config.falseNext;
  return target && next.includes(target) ? target : undefined;
}

/**
 * Returns the steps of `next` that a condition's result leads to: the target named for the result. If exactly one
 * target is named, the steps of `next` that neither result names are the other branch. Otherwise they follow either
 * result. A named target that is not in `next` counts as not named.
 */
export function branchTaken(step: ConditionStep, result: boolean): string[] {
  const own = branchNamed(step, result);
  const other = branchNamed(step, !result);
  const takesUnnamed = own === undefined || other !== undefined;
  return step.next.filter((id) => id === own || (takesUnnamed && id !== other));
}

/**
 * Returns a condition step with these branches and a matching `next`: both targets if both are named. If only one is
 * named, the steps that neither result named remain as the other branch (decision 97).
 */
export function withBranches(step: ConditionStep, { trueNext, falseNext }: Branches): ConditionStep {
  const { trueNext: oldTrue, falseNext: oldFalse, ...config } = step.config;
  const named = [trueNext, falseNext].filter((id): id is string => Boolean(id));
  const unnamed = step.next.filter((id) => id !== oldTrue && id !== oldFalse);
  const others = named.length === 2 ? [] : unnamed;
  return {
    ...step,
    config: { ...config, ...(trueNext && { trueNext }), ...(falseNext && { falseNext }) },
    next: [...new Set([...named, ...others])],
  };
}
