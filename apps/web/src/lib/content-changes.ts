import type { Diff } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import { fieldText, stepFieldLabel, workflowFieldLabel } from './content-words.ts';
import type { TitleOf } from './content-words.ts';

/** One line of before and after. */
export type ChangeLine = { field: string; label: string; before: string; after: string };
export type StepChange = {
  id: string;
  kind: 'added' | 'removed' | 'modified';
  title: string;
  lines: readonly ChangeLine[];
};
/** The changes between two contents, for a list. */
export type ContentChanges = {
  counts: { added: number; removed: number; modified: number };
  metadata: readonly ChangeLine[];
  steps: readonly StepChange[];
};

const SHOWN_OF_A_STEP = ['description', 'assignee', 'sla', 'type', 'config', 'next'] as const;

/** A diff in words. Steps in document order; a step that only moved is modified in its position. */
export function contentChanges(
  diff: Pick<Diff, 'summary' | 'detailed' | 'metadata'>,
  titleOf: TitleOf,
): ContentChanges {
  const { summary, detailed, metadata } = diff;
  return {
    counts: {
      added: summary.added.length,
      removed: summary.removed.length,
      modified: summary.modified.length,
    },
    metadata: Object.entries(metadata).map(([field, { before, after }]) => ({
      field,
      label: workflowFieldLabel(field),
      before: fieldText(field, before, titleOf),
      after: fieldText(field, after, titleOf),
    })),
    steps: detailed.map((entry): StepChange => {
      if (entry.type === 'modified') {
        return {
          id: entry.id,
          kind: 'modified',
          title: visibleText(titleOf(entry.id)),
          lines: linesOf(entry.changes ?? {}, titleOf),
        };
      }
      // The whole step, as the server sends it for each added or removed one.
      const step = entry.value as Step;
      const side = entry.type === 'added' ? 'after' : 'before';
      return { id: entry.id, kind: entry.type, title: visibleText(step.title), lines: wholeStep(step, side, titleOf) };
    }),
  };
}

type Changes = Readonly<Record<string, { before: unknown; after: unknown }>>;

function linesOf(changes: Changes, titleOf: TitleOf): ChangeLine[] {
  return Object.entries(changes).map(([field, { before, after }]) => ({
    field,
    label: stepFieldLabel(field),
    before: fieldText(field, before, titleOf),
    after: fieldText(field, after, titleOf),
  }));
}

function wholeStep(step: Step, side: 'before' | 'after', titleOf: TitleOf): ChangeLine[] {
  return SHOWN_OF_A_STEP.flatMap((field) => {
    const text = fieldText(field, step[field], titleOf);
    // A link to the following row isn't worth a line.
    const isShown = text !== '' && (field !== 'next' || step.next.length > 1);
    return isShown ? [{ field, label: stepFieldLabel(field), before: '', after: '', [side]: text }] : [];
  });
}
