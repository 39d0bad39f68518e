import type { WorkflowSummary } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { openDraft, shownStatuses } from '../../../lib/workflow-state.ts';

/** The data for a workflow's card (specification, section 2). */
export type Card = {
  key: string;
  title: string;
  status: WorkflowSummary['status'];
  shownStatuses: readonly string[];
  description: string;
  steps: string;
  version: string;
  creator: string;
  updatedAt: string;
  tags: readonly string[];
  /** The draft that Edit opens. */
  draftId: string | null;
  wasLive: boolean;
};

/** The person's permissions in this organization. */
export type CardRights = { edit: boolean; run: boolean; archive: boolean; archiveUnmerged: boolean };

/**
 * For each action, why it isn't available (for its tooltip), or null if it is. `hidden`: the person has no permission.
 */
export type CardActions = Record<'edit' | 'run' | 'duplicate' | 'delete', { refused: string | null } | 'hidden'>;

export function cardOf(workflow: WorkflowSummary): Card {
  const { key, metadata, status, stepsCount, version, versions, creator, updatedAt, tags } = workflow;
  return {
    key,
    title: displayTitle(key, metadata.title),
    status,
    shownStatuses: shownStatuses(workflow),
    description: metadata.description,
    steps: stepsCount === 1 ? '1 step' : `${stepsCount} steps`,
    version: version ? `v${version.number}` : 'no version yet',
    creator: creator.name,
    updatedAt,
    tags,
    draftId: openDraft(versions)?.id ?? null,
    wasLive: version !== null,
  };
}

const GRANTED = { refused: null };

export function cardActions(card: Card, rights: CardRights): CardActions {
  const archived = card.status === 'archived';
  const refusedWhere = (reason: string | false) => (reason === false ? GRANTED : { refused: reason });
  return {
    edit: rights.edit ? refusedWhere(archived && 'Archived workflows can’t be changed') : 'hidden',
    run: rights.run
      ? refusedWhere(
          archived
            ? 'Archived workflows can’t be run'
            : !card.wasLive && 'Nothing is live yet. Publish a draft before starting a run.',
        )
      : 'hidden',
    duplicate: rights.edit ? GRANTED : 'hidden',
    delete: deleteAction(card, rights),
  };
}

function deleteAction(card: Card, { archive, archiveUnmerged }: CardRights): CardActions['delete'] {
  if (!archive && !archiveUnmerged) return 'hidden';
  if (card.status === 'archived') return { refused: 'This workflow is already archived' };
  if (card.wasLive && !archive) return { refused: 'Only owners and admins can archive a workflow that was live' };
  return GRANTED;
}
