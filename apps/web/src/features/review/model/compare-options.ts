import type { WholeDraft } from '@stet/contract';
import type { Against } from '../api/use-review.ts';

export type CompareOption = { value: Against; label: string };

/**
 * True if the live version isn't the draft's base. A comparison with the live version would then include changes that
 * the draft didn't make.
 */
export const isBehind = ({
  merged,
  baseVersion,
  liveVersion,
}: Pick<WholeDraft, 'merged' | 'baseVersion' | 'liveVersion'>): boolean =>
  merged === null && baseVersion !== null && liveVersion !== null && baseVersion !== liveVersion;

/**
 * The versions that the draft can be compared with, the default first: the live version that it replaces (or replaced),
 * and the contents that the reader last approved and last reviewed. If another version has gone live, the base comes
 * first, because that version's changes aren't the draft's.
 */
export function compareOptions(
  draft: Pick<WholeDraft, 'own' | 'merged' | 'baseVersion' | 'liveVersion'>,
): CompareOption[] {
  const { own, merged, baseVersion, liveVersion } = draft;
  const all: CompareOption[] = isBehind(draft)
    ? [
        { value: 'base', label: `Since v${baseVersion} (draft’s start)` },
        { value: 'live', label: `Against v${liveVersion} (live)` },
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
