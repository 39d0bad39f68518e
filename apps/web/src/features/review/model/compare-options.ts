import type { WholeDraft } from '@stet/contract';
import type { Against } from '../api/use-review.ts';

export type CompareOption = { value: Against; label: string };

/** Whether another version went live since the draft began from its base, which stands for what the draft itself changes. */
export const isBehind = ({
  merged,
  baseVersion,
  liveVersion,
}: Pick<WholeDraft, 'merged' | 'baseVersion' | 'liveVersion'>): boolean =>
  merged === null && baseVersion !== null && liveVersion !== null && baseVersion !== liveVersion;

/**
 * What the draft can be compared with, by default the first: what it would replace, or did; and what the one who looks
 * approved last, or asked for changes of. Where another version went live meanwhile, what that one changed is none of the
 * draft's changes: then it is its base first.
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
