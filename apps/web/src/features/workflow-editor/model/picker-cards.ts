import { displayTitle } from '@stet/domain/workflows';
import type { WorkflowSummary } from '@stet/contract';
import { openDraft, shownStatuses } from '../../../lib/workflow-state.ts';

/** A workflow in the picker (specification, section 2). */
export type PickerCard = {
  key: string;
  title: string;
  description: string;
  /** For example `v7`. Null if nothing has been merged yet. */
  versionLabel: string | null;
  shownStatuses: readonly string[];
  tags: readonly string[];
  /** The draft that Edit opens. Null if there is none. */
  draft: { id: string } | null;
  updatedAt: string;
  creator: string;
};

/** The picker's cards, without archived workflows. */
export function pickerCards(workflows: readonly WorkflowSummary[]): PickerCard[] {
  return workflows
    .filter(({ status }) => status !== 'archived')
    .map((workflow) => ({
      key: workflow.key,
      title: displayTitle(workflow.key, workflow.metadata.title),
      description: workflow.metadata.description,
      versionLabel: workflow.version ? `v${workflow.version.number}` : null,
      shownStatuses: shownStatuses(workflow),
      tags: workflow.tags,
      draft: openDraft(workflow.versions),
      updatedAt: workflow.updatedAt,
      creator: workflow.creator.name,
    }));
}

/** The tags of the workflows in alphabetical order, with the number of workflows that have them. */
export function countTags(cards: readonly PickerCard[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of cards.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, count]) => ({ tag, count })).toSorted((one, other) => (one.tag < other.tag ? -1 : 1));
}

/**
 * Workflows whose key, title, description or tags contain the typed text, ignoring case. With a tag, only those that
 * have it.
 */
export function searchCards(cards: readonly PickerCard[], typed: string, tag = ''): readonly PickerCard[] {
  const needle = typed.trim().toLowerCase();
  return cards.filter(
    ({ key, title, description, tags }) =>
      (tag === '' || tags.includes(tag)) &&
      [key, title, description, ...tags].some((text) => text.toLowerCase().includes(needle)),
  );
}
