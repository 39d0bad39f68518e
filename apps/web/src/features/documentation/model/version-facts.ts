import type { VersionApproval, VersionRecord } from '@stet/contract';
import { markWords } from '@stet/domain/drafts';

/** The reason why nobody can roll back to this version. Undefined if there is none; the server may still refuse. */
export function rollbackProblem(
  { status }: Pick<VersionRecord, 'status'>,
  { isArchived }: { isArchived: boolean },
): string | undefined {
  if (status === 'live') return 'This version is already live';
  return isArchived ? 'This workflow is archived' : undefined;
}

/**
 * The draft that "Create new version" opens: of the user's drafts that aren't in review, the one that was changed last.
 * Null if there is none.
 */
export function ownDraft(versions: readonly VersionRecord[], userId: string): VersionRecord | null {
  const own = versions.filter(({ status, createdBy }) => status === 'draft' && createdBy.id === userId);
  return own.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))[0] ?? null;
}

/**
 * The version to compare with: for a draft the live version, for a merged version the previous one. Null if there is
 * none.
 */
export function comparedWith(version: VersionRecord, all: readonly VersionRecord[]): VersionRecord | null {
  if (version.version === null) return all.find(({ status }) => status === 'live') ?? null;
  const earlier = all.filter((other) => other.version !== null && other.version < (version.version ?? 0));
  return earlier.toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0))[0] ?? null;
}

/** Why an approval proves less: 'didn’t count', and its marks, such as 'address not proved'. Empty without a reason. */
export const caveatOf = ({ marks, counted }: Pick<VersionApproval, 'marks' | 'counted'>): string =>
  [...(counted === false ? ['didn’t count'] : []), ...(marks.length > 0 ? [markWords(marks)] : [])].join(', ');
