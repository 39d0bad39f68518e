import type { VersionRecord, WorkflowSummary } from '@stet/contract';

/** The statuses that a row shows: archived alone, else live where a version is, and the furthest that an open draft has come. */
export function shownStatuses({ status, versions }: Pick<WorkflowSummary, 'status' | 'versions'>): string[] {
  if (status === 'archived') return [status];
  const has = (wanted: VersionRecord['status']): boolean => versions.some((version) => version.status === wanted);
  return (['live', 'in_review', 'draft'] as const).filter(has);
}

/** Why a version can't be gone back to by someone who may; undefined where it can. */
export function rollbackProblem(
  { status, version }: Pick<VersionRecord, 'status' | 'version'>,
  { isArchived }: { isArchived: boolean },
): string | undefined {
  if (status === 'live') return 'This version is live already';
  if (version === null) return 'Only a version that was live can be rolled back to';
  return isArchived ? 'This workflow is archived' : undefined;
}

/** The draft that "Create new version" goes on with: one's own that was touched last, not yet in review; null where there is none. */
export function ownDraft(versions: readonly VersionRecord[], userId: string): VersionRecord | null {
  const own = versions.filter(({ status, createdBy }) => status === 'draft' && createdBy.id === userId);
  return own.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))[0] ?? null;
}

/** The version that a version is compared with: for a draft what is live, for a merged one the one before it; null where there is none. */
export function comparedWith(version: VersionRecord, all: readonly VersionRecord[]): VersionRecord | null {
  if (version.version === null) return all.find(({ status }) => status === 'live') ?? null;
  const earlier = all.filter((other) => other.version !== null && other.version < (version.version ?? 0));
  return earlier.toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0))[0] ?? null;
}
