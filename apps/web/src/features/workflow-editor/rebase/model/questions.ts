import {
  nameSteps,
  takesOwnText,
  type Answer,
  type ConflictQuestion,
  type MergeConflict,
  type MergeSides,
} from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import {
  fieldText,
  kindText,
  stepFieldLabel,
  stepNames,
  stepText,
  workflowFieldLabel,
} from '../../../../lib/content-words.ts';
import type { TitleOf } from '../../../../lib/content-words.ts';
import { askedOf } from './answers.ts';
import type { Asked } from './answers.ts';

/** A conflict's description. */
export type QuestionView = Asked & {
  label: string;
  base: string;
  live: string;
  draft: string;
  /** The initial text of the person's own value. Null if the field doesn't allow one. */
  ownText: string | null;
  answer: Answer | null;
};
/** The conflicts of one step, or of the workflow itself if `stepId` is null. */
export type QuestionGroup = { stepId: string | null; title: string; open: number; questions: QuestionView[] };

/**
 * The conflicts by step. The workflow's own come first, then the steps by their position in the draft, or in the live
 * version if the draft doesn't contain them.
 */
export function questionGroups(questions: readonly ConflictQuestion[], sides: MergeSides): QuestionGroup[] {
  const titleOf = titlesOf(sides);
  const groups = new Map<string | null, QuestionGroup>();
  for (const question of questions) {
    const stepId = question.conflict.on === 'step' ? question.conflict.stepId : null;
    const title = stepId === null ? 'Workflow' : titleOf(stepId);
    const group = groups.get(stepId) ?? { stepId, title, open: 0, questions: [] };
    group.questions.push(inWords(question, sides, titleOf));
    if (question.answer === null) group.open += 1;
    groups.set(stepId, group);
  }
  const places = new Map([sides.live, sides.draft].flatMap(({ steps }) => steps.map(({ id }, place) => [id, place])));
  const placeOf = ({ stepId }: QuestionGroup): number => (stepId === null ? -1 : (places.get(stepId) ?? 0));
  return [...groups.values()].toSorted((one, two) => placeOf(one) - placeOf(two));
}

/** The draft's titles. Steps missing from the draft have their title from the live version or the base. */
export function titlesOf({ base, live, draft }: MergeSides): TitleOf {
  return nameSteps([...(base?.steps ?? []), ...live.steps, ...draft.steps]);
}

function inWords({ id, conflict, answer }: ConflictQuestion, sides: MergeSides, titleOf: TitleOf): QuestionView {
  const text = (side: 'base' | 'live' | 'draft'): string => sideText(conflict, side, sides, titleOf);
  return {
    id,
    asked: askedOf(conflict),
    label: labelOf(conflict),
    base: text('base'),
    live: text('live'),
    draft: text('draft'),
    ownText: takesOwnText(conflict) ? text('draft') : null,
    answer,
  };
}

function labelOf(conflict: MergeConflict): string {
  if (conflict.on === 'order') return 'Order of the steps';
  if (conflict.on === 'metadata') return workflowFieldLabel(conflict.field);
  return conflict.field === 'type' || conflict.field === 'config'
    ? 'Type and settings'
    : stepFieldLabel(conflict.field);
}

function sideText(
  conflict: MergeConflict,
  side: 'base' | 'live' | 'draft',
  sides: MergeSides,
  titleOf: TitleOf,
): string {
  if (conflict.on === 'order') return numbered(conflict[side], titleOf);
  const value = conflict[side];
  if (conflict.on === 'metadata' || typeof value === 'string') {
    if (conflict.on === 'step' && conflict.field === 'type') return kindOf(conflict.stepId, side, sides, titleOf);
    return String(value);
  }
  if (conflict.field === 'step') return value === null ? 'Removed' : stepText(value as Step, titleOf);
  if (conflict.field === 'config') return kindOf(conflict.stepId, side, sides, titleOf);
  if (conflict.field === 'next') return Array.isArray(value) ? stepNames(value.map(String), titleOf) : '';
  return fieldText(conflict.field, value, titleOf);
}

const numbered = (ids: readonly string[], titleOf: TitleOf): string =>
  ids.map((id, index) => `${index + 1}. ${isolated(titleOf(id))}`).join('\n');

function kindOf(stepId: string, side: 'base' | 'live' | 'draft', sides: MergeSides, titleOf: TitleOf): string {
  const step = sides[side]?.steps.find(({ id }) => id === stepId);
  return step ? kindText(step, titleOf) : '';
}
