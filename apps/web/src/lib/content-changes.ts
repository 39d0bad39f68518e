import type { Diff } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import {
  type FieldChange,
  type FieldValue,
  fieldChanges,
  fieldValues,
  metadataChanges,
  withPeopleNamed,
} from '@stet/presentation/change-words';
import type { TitleOf } from './content-words.ts';

export type StepChange = { id: string; title: string } & (
  | { kind: 'added' | 'removed'; values: readonly FieldValue[] }
  | { kind: 'modified'; fields: readonly FieldChange[] }
);
/** The changes between two contents, prepared for a list. */
export type ContentChanges = {
  counts: { added: number; removed: number; modified: number };
  metadata: readonly FieldChange[];
  steps: readonly StepChange[];
};

/**
 * Describes a diff in words. Steps are in document order; a step that only moved counts as modified.
 * @param known the known steps; their labels name the values in conditions and messages
 * @param nameOf names the people and groups among assignees and recipients
 */
export function contentChanges(
  diff: Pick<Diff, 'summary' | 'detailed' | 'metadata'>,
  titleOf: TitleOf,
  known: readonly Step[] = [],
  nameOf: (address: string) => string = (address) => address,
): ContentChanges {
  const { summary, detailed, metadata } = diff;
  return {
    counts: {
      added: summary.added.length,
      removed: summary.removed.length,
      modified: summary.modified.length,
    },
    metadata: metadataChanges(metadata),
    steps: detailed.map((entry): StepChange => {
      if (entry.type === 'modified') {
        const title = visibleText(titleOf(entry.id));
        return {
          id: entry.id,
          kind: 'modified',
          title,
          fields: withPeopleNamed(fieldChanges(entry, titleOf, known), nameOf),
        };
      }
      // For added and removed steps, the server sends the whole step.
      const title = visibleText((entry.value as Step).title);
      return {
        id: entry.id,
        kind: entry.type,
        title,
        values: withPeopleNamed(fieldValues(entry, titleOf, known), nameOf),
      };
    }),
  };
}
