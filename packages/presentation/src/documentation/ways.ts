import { branchTaken, isBranching, refersTo, type Step } from '@stet/domain/steps';
import type { StepGraph } from '@stet/domain/workflows';
import type { ValueNames } from '../condition-tree.ts';
import { conditionWords } from '../condition-words.ts';

/** A reference to a step: its number is its row, from 1. */
export type StepRef = { id: string; number: number; title: string };

/**
 * One way out of a step. The condition of an `if` is empty if it isn't written yet. `to` is empty if the path ends, and
 * null if a rejection makes the run fail.
 */
export type Way =
  | { when: 'then'; to: readonly StepRef[] }
  | { when: 'if'; condition: ReturnType<typeof conditionWords>; to: readonly StepRef[] }
  | { when: 'otherwise'; to: readonly StepRef[] }
  | { when: 'rejected'; to: StepRef | null };

/**
 * Returns the ways out of a step. If the step isn't a condition, a way that just leads to the next row, or ends the
 * workflow in the last row, is omitted, because readers expect it.
 * @param row the index of the step, from 0
 * @param names the names of the workflow's values, for conditions
 */
export function waysOf(
  step: Step,
  row: number,
  { graph, refs, names }: { graph: StepGraph; refs: ReadonlyMap<string, StepRef>; names: ValueNames },
): Way[] {
  const named = (ids: readonly string[]): StepRef[] => ids.flatMap((id) => refs.get(id) ?? []);
  if (isBranching(step)) {
    const condition = conditionWords(step.config.condition?.trim() ?? '', names);
    return [
      { when: 'if', condition, to: named(branchTaken(step, true)) },
      { when: 'otherwise', to: named(branchTaken(step, false)) },
    ];
  }
  const ways: Way[] = [];
  const next = graph.next(step.id);
  const below = graph.ids[row + 1];
  const isPlain = below === undefined ? next.length === 0 : next.length === 1 && next[0] === below;
  if (!isPlain) ways.push({ when: 'then', to: named(next) });
  if (step.type === 'approval') {
    const returnsTo = refersTo(step).find(({ names }) => names === 'earlier');
    ways.push({ when: 'rejected', to: refs.get(returnsTo?.target ?? '') ?? null });
  }
  return ways;
}

/** Returns `step 4`, `steps 3 and 4` or `steps 1, 2 and 3`; `the end` if there are none. */
export function stepsInWords(refs: readonly StepRef[]): string {
  const numbers = refs.map(({ number }) => String(number));
  const last = numbers.pop();
  if (last === undefined) return 'the end';
  return numbers.length === 0 ? `step ${last}` : `steps ${numbers.join(', ')} and ${last}`;
}

/**
 * Returns the text before the arrow of a way and the text after it: `If Decision of Sort is Destroy`, `step 4`. If no
 * sentence can express a condition, it is returned as `expression`, which documents format as code.
 */
export function wayInWords(way: Way): { before: string; expression: string | null; after: string } {
  switch (way.when) {
    case 'if':
      if (way.condition.text === '') return { before: 'If true', expression: null, after: stepsInWords(way.to) };
      return way.condition.isExpression
        ? { before: 'If', expression: way.condition.text, after: stepsInWords(way.to) }
        : { before: `If ${way.condition.text}`, expression: null, after: stepsInWords(way.to) };
    case 'otherwise':
      return { before: 'Otherwise', expression: null, after: stepsInWords(way.to) };
    case 'rejected':
      return {
        before: 'If rejected',
        expression: null,
        after: way.to === null ? 'the run fails' : `back to step ${way.to.number}`,
      };
    case 'then':
      return {
        before: way.to.length > 1 ? 'Then at the same time' : 'Then',
        expression: null,
        after: stepsInWords(way.to),
      };
  }
}
