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
 * Returns the findings of a draft compared with its base or, if it has none, with the live version, and with the last
 * reviewed version (`reviewedBefore`).
 */
export function classified(
  draft: Numbered,
  compared: ComparedContents,
  onError: (error: unknown) => void,
): ChangeFinding[] {
  const reviewed = reviewedBefore(draft, compared);
  const restoredVersion = compared.restored?.version ?? null;
  return findingsOf(onError, reviewed ? [reviewed] : [], contentBefore(draft, compared), draft, { restoredVersion });
}

/** A merged draft without a base was the first version, so it isn't compared with the live version. */
export const contentBefore = (
  { version }: { version: number | null },
  { base, live }: Pick<ComparedContents, 'base' | 'live'>,
): Numbered | null => base ?? (version === null ? live : null) ?? null;

/**
 * Returns the last reviewed version if it isn't the draft's base. Such a base went live in an emergency that nobody has
 * ratified, or in a rollback. Null if the base is no longer live, because then the draft has to be rebased first, and
 * the later versions' changes aren't its own.
 */
export function reviewedBefore(
  { version }: { version: number | null },
  { base, live, lastReviewed }: Pick<ComparedContents, 'base' | 'live' | 'lastReviewed'>,
): WorkflowContent | null {
  const isOutdated = version === null && base?.version !== live?.version;
  return base && lastReviewed && !isOutdated && base.version !== lastReviewed.version ? lastReviewed : null;
}
