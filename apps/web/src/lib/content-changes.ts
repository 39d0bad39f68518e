import type { Diff } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import { fieldText, stepFieldLabel, workflowFieldLabel } from './content-words.ts';
import type { TitleOf } from './content-words.ts';

/** A field's value before and after the change. */
export type ChangeLine = { field: string; label: string; before: string; after: string };
export type StepChange = {
  id: string;
  kind: 'added' | 'removed' | 'modified';
  title: string;
  lines: readonly ChangeLine[];
};
/** The changes between two contents, prepared for a list. */
export type ContentChanges = {
  counts: { added: number; removed: number; modified: number };
  metadata: readonly ChangeLine[];
  steps: readonly StepChange[];
};

const SHOWN_OF_A_STEP = ['description', 'assignee', 'sla', 'type', 'config', 'next'] as const;

/** Describes a diff in words. Steps are in document order; a step that only moved counts as modified. */
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
      // For added and removed steps, the server sends the whole step.
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
    // Steps usually link to the following row, so a single link isn't shown.
    const isShown = text !== '' && (field !== 'next' || step.next.length > 1);
    return isShown ? [{ field, label: stepFieldLabel(field), before: '', after: '', [side]: text }] : [];
  });
}
