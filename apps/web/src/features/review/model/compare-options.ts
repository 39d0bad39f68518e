import type { WholeDraft } from '@stet/contract';
import type { Against } from '../api/use-review.ts';

export type CompareOption = { value: Against; label: string };

/**
 * True if another version went live since the draft was created from its base; the base then shows what the draft
 * itself changes.
 */
export const isBehind = ({
  merged,
  baseVersion,
  liveVersion,
}: Pick<WholeDraft, 'merged' | 'baseVersion' | 'liveVersion'>): boolean =>
  merged === null && baseVersion !== null && liveVersion !== null && baseVersion !== liveVersion;

/**
 * The versions to compare the draft with, the default first: the version that it replaces or replaced, and the content
 * that the reader last approved or requested changes on. If another version went live in the meantime, its changes
 * aren't the draft's, so the base comes first.
 */
export function compareOptions(
  draft: Pick<WholeDraft, 'own' | 'merged' | 'baseVersion' | 'liveVersion'>,
): CompareOption[] {
  const { own, merged, baseVersion, liveVersion } = draft;
  const all: CompareOption[] = isBehind(draft)
    ? [
        { value: 'base', label: `Since its base, v${baseVersion}` },
        { value: 'live', label: `Against v${liveVersion}, live now` },
      ]
    : [{ value: merged === null ? 'live' : 'base', label: 'All changes' }];
  const approved: CompareOption = { value: 'approved', label: 'Since your approval' };
  const reviewed: CompareOption = { value: 'reviewed', label: 'Since your review' };
  return [
    ...all,
    ...(own.approvedAt === null ? [] : [approved]),
    ...(own.reviewedAt === null || own.reviewedAt === own.approvedAt ? [] : [reviewed]),
  ];
}
