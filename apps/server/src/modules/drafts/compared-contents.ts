import { type ChangeFinding, findingsOf } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { Tx } from '../../kernel/database.ts';
import { findLastReviewed } from '../workflows/index.ts';
import { findBaseContent, findLiveContent, findRestoredVersion } from './compare.sql.ts';

type DraftAt = { orgId: string; key: string; draftId: string };
type Numbered = WorkflowContent & { version: number | null };
export type ComparedContents = Awaited<ReturnType<typeof findComparedContents>>;

/** Finds the contents with which a draft is compared to determine its findings. */
export async function findComparedContents(tx: Tx, at: DraftAt) {
  const [base, live, lastReviewed, restored] = await Promise.all([
    tx.maybeOne(findBaseContent, at),
    tx.maybeOne(findLiveContent, at),
    tx.maybeOne(findLastReviewed, at),
    tx.maybeOne(findRestoredVersion, at),
  ]);
  return { base, live, lastReviewed, restored };
}

/**
 * Returns the findings of a draft compared with its base or, if it has none, with the live version. If no review has
 * approved the base, the draft is also compared with the last reviewed version.
 */
export function classified(
  draft: Numbered,
  { base, live, lastReviewed, restored }: ComparedContents,
  onError: (error: unknown) => void,
): ChangeFinding[] {
  // A merged draft without a base was the first version, so it isn't compared with the live version.
  const before = base ?? (draft.version === null ? live : null) ?? null;
  const reviewed = reviewedBefore(before, lastReviewed);
  const restoredVersion = restored?.version ?? null;
  return findingsOf(onError, reviewed ? [reviewed] : [], before, draft, { restoredVersion });
}

/**
 * Returns the last reviewed version if the draft's base is a later one, otherwise null. Such a base is an emergency
 * merge that nobody has ratified.
 */
export const reviewedBefore = (base: Numbered | null, lastReviewed: Numbered | undefined): WorkflowContent | null =>
  base && lastReviewed && (base.version ?? 0) > (lastReviewed.version ?? 0) ? lastReviewed : null;
