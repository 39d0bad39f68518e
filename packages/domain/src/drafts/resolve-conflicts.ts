import { relinkAfterReorder } from '../workflows/relink.ts';
import type { Step } from '../steps/index.ts';
import { type WorkflowContent, metadataValue, withMetadataValue } from '../workflows/content.ts';
import { mergeContent, type MergeConflict } from './merge.ts';

/** Text fields, which accept custom text as the resolution. */
export const TEXT_FIELDS = ['title', 'description', 'assignee', 'sla'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Resolves a conflict with one side's value or, for text, with a custom value. */
export type Answer = { take: 'live' | 'draft' } | { value: string };

/** One conflict to resolve; type and settings of a step are one question. `answer` is null while it is open. */
export type ConflictQuestion = { id: string; conflict: MergeConflict; answer: Answer | null };

/** `base` is null if the draft had no base version. */
export type MergeSides = { base: WorkflowContent | null; live: WorkflowContent; draft: WorkflowContent };

export type ResolvedMerge = {
  /** The content with every answer applied; open conflicts are as in `mergeContent`. */
  content: WorkflowContent;
  questions: ConflictQuestion[];
  /** The number of open questions. */
  open: number;
};

/** Identifies a conflict within one merge; `type` and `config` of a step share an id. */
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

/** True if the conflict is about text and can therefore be resolved with custom text. */
export function takesOwnText(conflict: Pick<MergeConflict, 'on' | 'field'>): boolean {
  return conflict.on === 'metadata' || (TEXT_FIELDS as readonly string[]).includes(conflict.field);
}

/**
 * Performs a three-way merge and applies the given answers, keyed by `conflictId`.
 *
 * An answer may cause another conflict, for example if it preserves a step that the other side no longer leads to. That
 * becomes a separate question, and is resolved immediately if its answer was given too. Answers that match no conflict
 * are ignored, and custom text for a non-text field doesn't count as an answer. The merged graph is not checked here.
 */
export function resolveConflicts(given: MergeSides, answers: ReadonlyMap<string, Answer>): ResolvedMerge {
  const questions = new Map<string, ConflictQuestion>();
  const resolved = new Set<string>();
  let sides = given;
  for (;;) {
    const merged = mergeContent(sides.base, sides.live, sides.draft);
    const round: Answered[] = [];
    for (const conflict of merged.conflicts) {
      const id = conflictId(conflict);
      const answer = answerTo(conflict, answers.get(id));
      if (!questions.has(id)) questions.set(id, { id, conflict, answer });
      if (answer !== null && !resolved.has(id)) round.push({ conflict, answer });
    }
    if (round.length === 0) {
      const all = [...questions.values()];
      return { content: merged.content, questions: all, open: all.filter(({ answer }) => answer === null).length };
    }
    for (const { conflict } of round) resolved.add(conflictId(conflict));
    sides = agree(sides, round);
  }
}

type Answered = { conflict: MergeConflict; answer: Answer };
type Side = 'live' | 'draft';

function answerTo(conflict: MergeConflict, answer: Answer | undefined): Answer | null {
  if (answer === undefined) return null;
  return 'take' in answer || takesOwnText(conflict) ? answer : null;
}

/** Makes both sides equal wherever a conflict was resolved. */
function agree(sides: MergeSides, round: readonly Answered[]): MergeSides {
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
  const remaining = new Set(round.flatMap((each) => remainingStep(each, sides)));
  // The preserved step is also removed from the base, so that it counts as added by one side and not as removed by the
  // other.
  const base = agreed.base && without(agreed.base, remaining);
  return { base, live: agreed.live.done(), draft: agreed.draft.done() };
}

function remainingStep({ conflict, answer }: Answered, sides: MergeSides): string[] {
  if (conflict.on !== 'step' || conflict.field !== 'step' || !('take' in answer)) return [];
  return sides[answer.take].steps.some(({ id }) => id === conflict.stepId) ? [conflict.stepId] : [];
}

/** Collects the edits of one side and applies them together, so that links aren't rebuilt for each answer. */
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
    if (conflict.on === 'metadata') this.metadata = withMetadataValue(this.metadata, conflict.field, value);
    if (conflict.on === 'step') this.change(conflict.stepId, (step) => ({ ...step, [conflict.field]: value }));
  }

  /** Adopts the other side's value in a conflict. */
  adopt(conflict: MergeConflict, winner: WorkflowContent): void {
    if (conflict.on === 'metadata') return this.setText(conflict, metadataValue(winner.metadata, conflict.field));
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

/** Puts the steps that both sides have into the order of the other side. All other steps stay at their positions. */
function inOrderOf(steps: readonly Step[], other: readonly Step[]): Step[] {
  const own = new Map(steps.map((step) => [step.id, step]));
  const shared = other.flatMap(({ id }) => own.get(id) ?? []);
  const isShared = new Set(shared.map(({ id }) => id));
  let next = 0;
  return steps.map((step) => (isShared.has(step.id) ? (shared[next++] ?? step) : step));
}
