import { mergeContent } from '@stet/domain/drafts';
import type { MergeConflict } from '@stet/domain/drafts';
import { relinkAfterReorder } from '@stet/domain/workflows';
import type { Step, WorkflowContent } from '@stet/domain/workflows';

export type MergeSide = 'mine' | 'theirs';
/** What both began from, what is on the server now, and what is on the screen. */
export type MergeSides = { base: WorkflowContent; theirs: WorkflowContent; mine: WorkflowContent };
/** One thing to settle: a type and its settings go together. */
export type MergeQuestion = { id: string; conflict: MergeConflict };
export type SettledMerge = {
  /** With every question that has an answer settled by it; the others as on the screen for the time being. */
  content: WorkflowContent;
  questions: readonly MergeQuestion[];
  /** How many questions have no answer. */
  open: number;
};

/**
 * Merges by step and field, and settles what both changed by the answers given. Settling one thing may bring up another,
 * as when a step is kept that others no longer lead to: it comes as a question of its own.
 */
export function settleMerge(given: MergeSides, answers: ReadonlyMap<string, MergeSide>): SettledMerge {
  const questions = new Map<string, MergeQuestion>();
  const settled = new Set<string>();
  let sides = given;
  for (;;) {
    const merged = mergeContent(sides.base, sides.theirs, sides.mine);
    for (const conflict of merged.conflicts) {
      const id = questionId(conflict);
      if (!questions.has(id)) questions.set(id, { id, conflict });
    }
    const answered = merged.conflicts.filter((conflict) => {
      const id = questionId(conflict);
      return answers.has(id) && !settled.has(id);
    });
    if (answered.length === 0) {
      const all = [...questions.values()];
      return { content: merged.content, questions: all, open: all.filter(({ id }) => !answers.has(id)).length };
    }
    for (const conflict of answered) {
      const id = questionId(conflict);
      sides = settle(sides, conflict, answers.get(id) ?? 'mine');
      settled.add(id);
    }
  }
}

function questionId(conflict: MergeConflict): string {
  switch (conflict.on) {
    case 'metadata':
      return `metadata/${conflict.field}`;
    case 'order':
      return 'order';
    case 'step':
      return `${conflict.stepId}/${conflict.field === 'config' ? 'type' : conflict.field}`;
  }
}

/** Makes the side that was not chosen say what the chosen one says, so that there is nothing left to disagree on. */
function settle(sides: MergeSides, conflict: MergeConflict, chosen: MergeSide): MergeSides {
  const other = chosen === 'mine' ? 'theirs' : 'mine';
  const [winner, loser] = [sides[chosen], sides[other]];
  const adapt = (content: WorkflowContent): MergeSides => ({ ...sides, [other]: content });
  switch (conflict.on) {
    case 'metadata': {
      const value = winner.metadata[conflict.field];
      return adapt({ ...loser, metadata: { ...loser.metadata, [conflict.field]: value } });
    }
    case 'order':
      return adapt(withSteps(loser, inOrderOf(loser.steps, winner.steps)));
    case 'step': {
      const { stepId, field } = conflict;
      const step = winner.steps.find(({ id }) => id === stepId);
      if (field === 'step') {
        // Gone on the chosen side: gone on both. Kept there: the base forgets it, as if it had been added.
        if (!step) return adapt(withSteps(loser, without(loser.steps, stepId)));
        return { ...sides, base: { ...sides.base, steps: without(sides.base.steps, stepId) } };
      }
      if (!step) return sides;
      const steps = loser.steps.map((own) => (own.id === stepId ? withField(own, step, field) : own));
      return adapt({ ...loser, steps });
    }
  }
}

function withField(own: Step, from: Step, field: Exclude<MergeConflict['field'], 'step' | 'order'>): Step {
  if (field === 'type' || field === 'config') {
    const { id, title, description, assignee, sla, next } = own;
    return { ...from, id, title, description, assignee, sla, next };
  }
  return { ...own, [field]: from[field as 'title'] };
}

const without = (steps: readonly Step[], id: string): Step[] => steps.filter((step) => step.id !== id);
const withSteps = (content: WorkflowContent, steps: Step[]): WorkflowContent => ({
  ...content,
  steps: relinkAfterReorder(content.steps, steps),
});

/** The steps that both have stand in the other's order; the rest keep their places. */
function inOrderOf(steps: readonly Step[], other: readonly Step[]): Step[] {
  const own = new Map(steps.map((step) => [step.id, step]));
  const shared = other.flatMap(({ id }) => own.get(id) ?? []);
  const isShared = new Set(shared.map(({ id }) => id));
  let next = 0;
  return steps.map((step) => (isShared.has(step.id) ? (shared[next++] ?? step) : step));
}
