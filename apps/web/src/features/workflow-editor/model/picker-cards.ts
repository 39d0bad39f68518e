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
      draft: openDraft(workflow.versions),
      updatedAt: workflow.updatedAt,
      creator: workflow.creator.name,
    }));
}

/** Workflows whose key, title or description contains the typed text, ignoring case. */
export function searchCards(cards: readonly PickerCard[], typed: string): readonly PickerCard[] {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return cards;
  return cards.filter(({ key, title, description }) =>
    [key, title, description].some((text) => text.toLowerCase().includes(needle)),
  );
}
