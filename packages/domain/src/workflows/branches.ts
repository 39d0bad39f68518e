import { graphOf } from './graph.ts';
import type { ConditionStep, Step } from './step.ts';

/** A branch of a condition step; absent: none is named. */
export type Branches = { trueNext?: string | undefined; falseNext?: string | undefined };

/**
 * A condition step whose results lead to these steps, and `next` with it: both where both are named; where one is, the
 * steps that neither result named stay as the other branch (rulings, sections 4 and 6).
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

/** All steps from which a path leads to this one, in row order; without the step itself, also on a cycle. */
export function stepsBefore(steps: readonly Step[], stepId: string): Step[] {
  const graph = graphOf(steps);
  const found = new Set(graph.previous(stepId));
  // A set hands out what is added while it is walked.
  for (const id of found) for (const earlier of graph.previous(id)) found.add(earlier);
  found.delete(stepId);
  return steps.filter(({ id }) => found.has(id));
}

/** The steps that may follow this one without a way back to it, in row order. */
export function stepsThatMayFollow(steps: readonly Step[], stepId: string): Step[] {
  const before = new Set(stepsBefore(steps, stepId).map(({ id }) => id));
  return steps.filter(({ id }) => id !== stepId && !before.has(id));
}
