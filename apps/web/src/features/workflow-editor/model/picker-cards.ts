import { displayTitle } from '@stet/domain/workflows';
import type { WorkflowSummary } from '@stet/contract';

/** A workflow in the picker (specification, section 2). */
export type PickerCard = {
  key: string;
  title: string;
  description: string;
  /** For example `v7`. Null if nothing was merged yet. */
  versionLabel: string | null;
  /** The open draft and its status. Null if there is none. */
  draft: { id: string; status: 'draft' | 'in_review' } | null;
  updatedAt: string;
  creator: string;
};

/** The cards of the picker, without archived workflows (rulings, section 4). */
export function pickerCards(workflows: readonly WorkflowSummary[]): PickerCard[] {
  return workflows
    .filter(({ status }) => status !== 'archived')
    .map((workflow) => ({
      key: workflow.key,
      title: displayTitle(workflow.key, workflow.metadata.title),
      description: workflow.metadata.description,
      versionLabel: workflow.version ? `v${workflow.version.number}` : null,
      draft: openDraft(workflow),
      updatedAt: workflow.updatedAt,
      creator: workflow.creator.name,
    }));
}

/** The draft that Edit opens: the newest one in progress or, without one, the newest one in review. */
function openDraft({ versions }: WorkflowSummary): PickerCard['draft'] {
  for (const status of ['draft', 'in_review'] as const) {
    const found = versions.find((version) => version.status === status);
    if (found) return { id: found.id, status };
  }
  return null;
}

/** Workflows whose key, title or description contains the typed text, ignoring case. */
export function searchCards(cards: readonly PickerCard[], typed: string): readonly PickerCard[] {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return cards;
  return cards.filter(({ key, title, description }) =>
    [key, title, description].some((text) => text.toLowerCase().includes(needle)),
  );
}
