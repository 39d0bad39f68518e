import { type LossInWords, controlLosses, inSentences } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { findLastReviewed } from '../workflows/index.ts';
import { findBaseContent, findLiveContent } from './compare.sql.ts';
import { type LoadedDraft, loadLockedDraft } from './load-draft.ts';

/** Maximum number of losses listed in one audit event. Further losses are only counted. */
const MAX_IN_EVENT = 100;

/**
 * Locks and loads a draft, with the controls that it removes from its base or, if it has none, from the live version.
 * If the base is an emergency merge that nobody has ratified, the controls that it removes from the last reviewed
 * version are included.
 */
export async function loadLockedDraftWithLosses(
  tx: Tx,
  actor: OrgActor,
  params: { key: string; id: string },
): Promise<{ draft: LoadedDraft; losses: LossInWords[] }> {
  const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
  const [draft, base, live, lastReviewed] = await Promise.all([
    loadLockedDraft(tx, actor, params),
    tx.maybeOne(findBaseContent, at),
    tx.maybeOne(findLiveContent, at),
    tx.maybeOne(findLastReviewed, at),
  ]);
  const before = base ?? live ?? null;
  return { draft, losses: lossesBetween([reviewedBefore(before, lastReviewed), before], draft.row) };
}

type Numbered = WorkflowContent & { version: number | null };

/**
 * The last reviewed version if the draft's base is a later version, which is then an emergency merge that nobody has
 * ratified. Null otherwise.
 */
export const reviewedBefore = (base: Numbered | null, lastReviewed: Numbered | undefined): WorkflowContent | null =>
  base && lastReviewed && (base.version ?? 0) > (lastReviewed.version ?? 0) ? lastReviewed : null;

const lossesBetween = (befores: readonly (WorkflowContent | null)[], after: WorkflowContent): LossInWords[] =>
  inSentences(controlLosses(befores, after));

/** The data about losses in an audit event. Empty if there are none. */
export function lossesInEvent(losses: readonly LossInWords[]) {
  if (losses.length === 0) return {};
  const more = losses.length - MAX_IN_EVENT;
  return {
    controlLosses: losses.slice(0, MAX_IN_EVENT).map(({ kind, stepId, sentence }) => ({ kind, stepId, sentence })),
    ...(more > 0 && { moreControlLosses: more }),
  };
}
