import { type SaidLoss, controlLosses, inSentences } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { findBaseContent, findLiveContent } from './compare.sql.ts';
import { type LoadedDraft, holdDraft } from './load-draft.ts';

/** So many losses stand in one event of the trail; the rest are counted. */
const MOST_IN_EVENT = 100;
/** So many are named in a notification. */
const MOST_IN_NOTIFICATION = 3;

/** A draft, held, with the controls that it takes away: against what it began from, or what is live if it began from nothing. */
export async function holdDraftWithLosses(
  tx: Tx,
  actor: OrgActor,
  params: { key: string; id: string },
): Promise<{ draft: LoadedDraft; losses: SaidLoss[] }> {
  const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
  const [draft, base, live] = await Promise.all([
    holdDraft(tx, actor, params),
    tx.maybeOne(findBaseContent, at),
    tx.maybeOne(findLiveContent, at),
  ]);
  return { draft, losses: lossesBetween(base ?? live ?? null, draft.row) };
}

export const lossesBetween = (before: WorkflowContent | null, after: WorkflowContent): SaidLoss[] =>
  inSentences(controlLosses(before, after));

/** The losses as part of an event; nothing if there are none. */
export function lossesInEvent(losses: readonly SaidLoss[]) {
  if (losses.length === 0) return {};
  const more = losses.length - MOST_IN_EVENT;
  return {
    controlLosses: losses.slice(0, MOST_IN_EVENT).map(({ kind, stepId, sentence }) => ({ kind, stepId, sentence })),
    ...(more > 0 && { moreControlLosses: more }),
  };
}

/** The losses as a sentence of a notification, after a space; empty if there are none. */
export function lossesInNotification(losses: readonly SaidLoss[]): string {
  if (losses.length === 0) return '';
  const named = losses.slice(0, MOST_IN_NOTIFICATION).map(({ sentence }) => sentence);
  const more = losses.length - named.length;
  const count = losses.length === 1 ? 'a control' : `${losses.length} controls`;
  return ` It takes ${count} away: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
