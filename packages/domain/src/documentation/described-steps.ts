import { graphOf } from '../workflows/graph.ts';
import type { Step } from '../workflows/step.ts';
import { stepRules } from './step-rules.ts';
import { type StepRef, type Way, waysOf } from './ways.ts';

/** A step as a reader meets it. */
export type DescribedStep = StepRef & {
  step: Step;
  /** The steps that have to be over before it begins; empty where that is simply the one in the row above. */
  after: readonly StepRef[];
  /** Sentences without their full stop. */
  rules: readonly string[];
  ways: readonly Way[];
};

/** The steps of a workflow in the order of their rows; numbers begin with 1. Linear in steps and edges. */
export function describeSteps(steps: readonly Step[]): DescribedStep[] {
  const graph = graphOf(steps);
  const refs = new Map<string, StepRef>();
  const own = steps.map((step, row): StepRef => {
    const number = row + 1;
    return { id: step.id, number, title: step.title.trim() === '' ? `Step ${number}` : step.title };
  });
  for (const ref of own) if (!refs.has(ref.id)) refs.set(ref.id, ref);
  return steps.map((step, row) => {
    const previous = graph.previous(step.id);
    const isPlain = row === 0 ? previous.length === 0 : previous.length === 1 && previous[0] === steps[row - 1]?.id;
    const after = isPlain ? [] : previous.flatMap((id) => refs.get(id) ?? []).toSorted((a, b) => a.number - b.number);
    const ref = own[row] ?? { id: step.id, number: row + 1, title: step.title };
    return { ...ref, step, after, rules: stepRules(step), ways: waysOf(step, row, graph, refs) };
  });
}
