import { settingNamed, type Step } from '@stet/domain/steps';
import { checkGraph, graphOf, isolated, type GraphProblem } from '@stet/domain/workflows';
import type { StepNote } from '../../../../step-types/parts.ts';
import { partsOf } from '../../../../step-types/registry.ts';
import { shortNames, titleOf } from './step-words.ts';

export type StepNotes = ReadonlyMap<string, readonly StepNote[]>;

const MAX_NAMED = 4;

/** The notes about the links between steps, by step. */
export function linkNotes(steps: readonly Step[]): StepNotes {
  const names = shortNames(steps);
  const nameOf = (id: string): string => names.get(id) ?? 'a removed step';
  const notes = new Map<string, readonly StepNote[]>();
  const say = (id: string, note: StepNote): unknown => notes.set(id, [...(notes.get(id) ?? []), note]);
  const problems = checkGraph(steps);
  for (const problem of problems)
    for (const { id, text } of sentences(problem, nameOf)) say(id, { kind: 'problem', text });

  const inTrouble = new Set(notes.keys());
  const [first, ...others] = graphOf(steps).roots;
  for (const id of others) {
    if (first !== undefined && !inTrouble.has(id))
      say(id, { kind: 'hint', text: `No step leads here, so this step starts together with ${nameOf(first)}` });
  }
  return notes;
}

/** All notes about the links and settings of the steps, by step. */
export function stepNotes(steps: readonly Step[]): StepNotes {
  const notes = new Map(linkNotes(steps));
  for (const step of steps) {
    const own = partsOf(step.type).notes?.(step) ?? [];
    if (own.length > 0) notes.set(step.id, [...(notes.get(step.id) ?? []), ...own]);
  }
  return notes;
}

export const countProblems = (notes: StepNotes): number =>
  [...notes.values()].flat().filter(({ kind }) => kind === 'problem').length;

/** The first problem that prevents saving, as a sentence. Null if there is none. */
export function firstProblem(steps: readonly Step[], notes = stepNotes(steps)): string | null {
  for (const [row, step] of steps.entries()) {
    const problem = notes.get(step.id)?.find(({ kind }) => kind === 'problem');
    if (problem) return `Step ${row + 1}, ${isolated(titleOf(step))}: ${problem.text}`;
  }
  return null;
}

function sentences(problem: GraphProblem, nameOf: (id: string) => string): { id: string; text: string }[] {
  switch (problem.code) {
    case 'duplicate_step_id':
      return [{ id: problem.stepId, text: 'Another step has the same id' }];
    case 'unknown_next':
      return [{ id: problem.stepId, text: 'Leads to a step that was removed' }];
    case 'cycle': {
      const { stepIds } = problem;
      const shown = stepIds.slice(0, MAX_NAMED).map(nameOf).join(' → ');
      const more = stepIds.length > MAX_NAMED ? ` → ${stepIds.length - MAX_NAMED} more` : '';
      const start = stepIds[0] === undefined ? '' : ` → ${nameOf(stepIds[0])}`;
      return stepIds.map((id) => ({ id, text: `Loops back to itself: ${shown}${more}${start}` }));
    }
    case 'unreachable':
      return [{ id: problem.stepId, text: 'Can’t be reached from the first step' }];
    case 'condition_target_not_next':
      return [
        {
          id: problem.stepId,
          text: `${settingNamed(problem.branch)?.answer ?? 'It'} leads to ${nameOf(problem.target)}, which isn’t one of its next steps`,
        },
      ];
    case 'on_reject_not_ancestor':
      return [
        {
          id: problem.stepId,
          text: `A rejection goes back to ${nameOf(problem.target)}, which isn’t before this step`,
        },
      ];
  }
}
