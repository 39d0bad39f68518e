import { type ChangeFinding, findingsOf } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { Tx } from '../../kernel/database.ts';
import { findLastReviewed } from '../workflows/index.ts';
import { findBaseContent, findLiveContent, findRestoredVersion } from './compare.sql.ts';

type DraftAt = { orgId: string; key: string; draftId: string };
type Numbered = WorkflowContent & { version: number | null };
export type ComparedContents = Awaited<ReturnType<typeof findComparedContents>>;

/** The contents that the findings of a draft compare it with. */
export async function findComparedContents(tx: Tx, at: DraftAt) {
  const [base, live, lastReviewed, restored] = await Promise.all([
    tx.maybeOne(findBaseContent, at),
    tx.maybeOne(findLiveContent, at),
    tx.maybeOne(findLastReviewed, at),
    tx.maybeOne(findRestoredVersion, at),
  ]);
  return { base, live, lastReviewed, restored };
}

/** Returns the findings of a draft compared with its base. */
export function classified(
  draft: Numbered,
  { base, live, lastReviewed, restored }: ComparedContents,
  onError: (error: unknown) => void,
): ChangeFinding[] {
  // A merged draft without a base was the first version.
  const before = base ?? (draft.version === null ? live : null) ?? null;
  const reviewed = reviewedBefore(before, lastReviewed);
  const restoredVersion = restored?.version ?? null;
  return findingsOf(onError, reviewed ? [reviewed] : [], before, draft, { restoredVersion });
}

/**
 * The last reviewed version if the draft's base is a later version, which is then an emergency merge that nobody has
 * ratified. Null otherwise.
 */
export const reviewedBefore = (base: Numbered | null, lastReviewed: Numbered | undefined): WorkflowContent | null =>
  base && lastReviewed && (base.version ?? 0) > (lastReviewed.version ?? 0) ? lastReviewed : null;
