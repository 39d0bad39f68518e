import { relinkAfterReorder } from '../workflows/relink.ts';
import type { Step, WorkflowContent } from '../workflows/step.ts';
import { mergeContent, type MergeConflict } from './merge.ts';

/** Fields that hold a text, and so may be settled by a text of one's own. */
export const TEXT_FIELDS = ['title', 'description', 'assignee', 'sla'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What settles a conflict: the value of one side, or, for a text, one's own. */
export type Answer = { take: 'live' | 'draft' } | { value: string };

/** One thing to settle; type and settings of a step go together. `answer` is null while it is open. */
export type ConflictQuestion = { id: string; conflict: MergeConflict; answer: Answer | null };

/** `base` is null where the draft began from nothing. */
export type MergeSides = { base: WorkflowContent | null; live: WorkflowContent; draft: WorkflowContent };

export type Settlement = {
  /** Every answered question settled by its answer; the open ones as `mergeContent` leaves them. */
  content: WorkflowContent;
  questions: ConflictQuestion[];
  /** How many questions have no answer. */
  open: number;
};

/** Names a conflict among those of one merge; `type` and `config` of a step have one name. */
export function conflictId(conflict: Pick<MergeConflict, 'on' | 'field'> & { stepId?: string }): string {
  switch (conflict.on) {
    case 'metadata':
      return `metadata:${conflict.field}`;
    case 'order':
      return 'order';
    case 'step':
      return `step:${conflict.field === 'config' ? 'type' : conflict.field}:${conflict.stepId ?? ''}`;
  }
}

/** True where a conflict is about a text, so that one's own text can settle it. */
export function takesOwnText(conflict: Pick<MergeConflict, 'on' | 'field'>): boolean {
  return conflict.on === 'metadata' || (TEXT_FIELDS as readonly string[]).includes(conflict.field);
}

/**
 * Merges three ways and settles what both sides changed by the answers given, named by `conflictId` (rulings, section 5).
 *
 * Settling one thing may bring up another, as when a step is kept that the other side no longer leads to: it comes as a
 * question of its own, and is settled at once where its answer was given too. An answer to what is no conflict changes
 * nothing; a text of one's own for what is no text is no answer. The merged graph is not checked here.
 */
export function settleConflicts(given: MergeSides, answers: ReadonlyMap<string, Answer>): Settlement {
  const questions = new Map<string, ConflictQuestion>();
  const settled = new Set<string>();
  let sides = given;
  for (;;) {
    const merged = mergeContent(sides.base, sides.live, sides.draft);
    const round: Settled[] = [];
    for (const conflict of merged.conflicts) {
      const id = conflictId(conflict);
      const answer = answerTo(conflict, answers.get(id));
      if (!questions.has(id)) questions.set(id, { id, conflict, answer });
      if (answer !== null && !settled.has(id)) round.push({ conflict, answer });
    }
    if (round.length === 0) {
      const all = [...questions.values()];
      return { content: merged.content, questions: all, open: all.filter(({ answer }) => answer === null).length };
    }
    for (const { conflict } of round) settled.add(conflictId(conflict));
    sides = agree(sides, round);
  }
}

type Settled = { conflict: MergeConflict; answer: Answer };
type Side = 'live' | 'draft';

function answerTo(conflict: MergeConflict, answer: Answer | undefined): Answer | null {
  if (answer === undefined) return null;
  return 'take' in answer || takesOwnText(conflict) ? answer : null;
}

/** Makes the sides say the same on everything that was settled, so that there is nothing left to disagree on. */
function agree(sides: MergeSides, round: readonly Settled[]): MergeSides {
  const agreed = { base: sides.base, live: new Edit(sides.live), draft: new Edit(sides.draft) };
  for (const { conflict, answer } of round) {
    if ('value' in answer) {
      agreed.live.setText(conflict, answer.value);
      agreed.draft.setText(conflict, answer.value);
    } else {
      const loser: Side = answer.take === 'live' ? 'draft' : 'live';
      agreed[loser].adopt(conflict, sides[answer.take]);
    }
  }
  const kept = new Set(round.flatMap((each) => keptStep(each, sides)));
  // The base forgets a step that is kept, as if it had been added: so the side that removed it didn't.
  const base = agreed.base && without(agreed.base, kept);
  return { base, live: agreed.live.done(), draft: agreed.draft.done() };
}

function keptStep({ conflict, answer }: Settled, sides: MergeSides): string[] {
  if (conflict.on !== 'step' || conflict.field !== 'step' || !('take' in answer)) return [];
  return sides[answer.take].steps.some(({ id }) => id === conflict.stepId) ? [conflict.stepId] : [];
}

/** Gathers what becomes of one side and does it in one go: linking the steps anew once, however much was settled. */
class Edit {
  private readonly content: WorkflowContent;
  private readonly changes = new Map<string, ((step: Step) => Step)[]>();
  private readonly removed = new Set<string>();
  private metadata: WorkflowContent['metadata'];
  private order: readonly Step[] | null = null;
  private readonly stepsOf = new Map<WorkflowContent, Map<string, Step>>();

  constructor(content: WorkflowContent) {
    this.content = content;
    this.metadata = content.metadata;
  }

  setText(conflict: MergeConflict, value: string): void {
    if (conflict.on === 'metadata') this.metadata = { ...this.metadata, [conflict.field]: value };
    if (conflict.on === 'step') this.change(conflict.stepId, (step) => ({ ...step, [conflict.field]: value }));
  }

  /** Takes over what the other side says in a conflict. */
  adopt(conflict: MergeConflict, winner: WorkflowContent): void {
    if (conflict.on === 'metadata') return this.setText(conflict, winner.metadata[conflict.field]);
    if (conflict.on === 'order') {
      this.order = winner.steps;
      return;
    }
    const { stepId, field } = conflict;
    const theirs = this.stepIn(winner, stepId);
    if (field === 'step') {
      if (theirs === undefined) this.removed.add(stepId);
    } else if (theirs !== undefined) {
      this.change(stepId, (own) => withField(own, theirs, field));
    }
  }

  done(): WorkflowContent {
    const steps = this.content.steps.map((step) =>
      (this.changes.get(step.id) ?? []).reduce((changed, change) => change(changed), step),
    );
    const changed = { metadata: this.metadata, steps };
    const left = without(changed, this.removed);
    return this.order === null ? left : relinked(left, inOrderOf(left.steps, this.order));
  }

  private change(id: string, change: (step: Step) => Step): void {
    this.changes.set(id, [...(this.changes.get(id) ?? []), change]);
  }

  private stepIn(content: WorkflowContent, id: string): Step | undefined {
    let byId = this.stepsOf.get(content);
    if (byId === undefined) {
      byId = new Map(content.steps.map((step) => [step.id, step]));
      this.stepsOf.set(content, byId);
    }
    return byId.get(id);
  }
}

function withField(own: Step, from: Step, field: TextField | 'type' | 'config' | 'next'): Step {
  if (field === 'type' || field === 'config') {
    const { id, title, description, assignee, sla, next } = own;
    return { ...from, id, title, description, assignee, sla, next };
  }
  return { ...own, [field]: from[field] };
}

function without(content: WorkflowContent, ids: ReadonlySet<string>): WorkflowContent {
  if (ids.size === 0) return content;
  return relinked(
    content,
    content.steps.filter(({ id }) => !ids.has(id)),
  );
}

function relinked(content: WorkflowContent, steps: Step[]): WorkflowContent {
  return { ...content, steps: relinkAfterReorder(content.steps, steps) };
}

/** The steps that both have stand in the other's order; the rest keep their places. */
function inOrderOf(steps: readonly Step[], other: readonly Step[]): Step[] {
  const own = new Map(steps.map((step) => [step.id, step]));
  const shared = other.flatMap(({ id }) => own.get(id) ?? []);
  const isShared = new Set(shared.map(({ id }) => id));
  let next = 0;
  return steps.map((step) => (isShared.has(step.id) ? (shared[next++] ?? step) : step));
}
