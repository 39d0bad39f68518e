import { formatDuration } from '@stet/domain/sla';
import { type Step, kindOf } from '@stet/domain/steps';
import { graphOf } from '@stet/domain/workflows';
import { readableMessage } from '../condition-words.ts';
import { type DescribedField, describeForm } from './described-form.ts';
import { type StepRef, type Way, waysOf } from './ways.ts';

/** A step as a document describes it. */
export type DescribedStep = StepRef & {
  step: Step;
  /** The steps that lead to it, by number; empty if there are none, or only the step in the row above. */
  after: readonly StepRef[];
  /** The form that a person fills in; empty if the step has none. */
  form: readonly DescribedField[];
  /** The message that a notification sends, with its placeholders named by their labels; otherwise empty. */
  message: string;
  /** Sentences without a full stop. */
  rules: readonly string[];
  ways: readonly Way[];
};

/** Returns a step's rules, without its task, each as a sentence without a full stop. */
export const stepRules = ({ type, config }: Step): string[] => kindOf(type).rules(config, formatDuration);

/** Returns a workflow's steps in row order; numbers begin with 1. */
export function describeSteps(steps: readonly Step[]): DescribedStep[] {
  const graph = graphOf(steps);
  const refs = new Map<string, StepRef>();
  const own = steps.map((step, row): StepRef => {
    const number = row + 1;
    return { id: step.id, number, title: step.title.trim() === '' ? `Step ${number}` : step.title };
  });
  for (const ref of own) if (!refs.has(ref.id)) refs.set(ref.id, ref);
  const names = { titleOf: (id: string) => refs.get(id)?.title ?? id, steps };
  return steps.map((step, row) => {
    const previous = graph.previous(step.id);
    const isPlain = row === 0 ? previous.length === 0 : previous.length === 1 && previous[0] === steps[row - 1]?.id;
    const after = isPlain ? [] : previous.flatMap((id) => refs.get(id) ?? []).toSorted((a, b) => a.number - b.number);
    const ref = own[row] ?? { id: step.id, number: row + 1, title: step.title };
    const template = step.type === 'notification' ? (step.config.template ?? '').trim() : '';
    return {
      ...ref,
      step,
      after,
      form: describeForm(step),
      message: readableMessage(template, names),
      rules: stepRules(step),
      ways: waysOf(step, row, { graph, refs, names }),
    };
  });
}
