import type { WholeDraft } from '@stet/contract';
import type { Against } from '../api/use-review.ts';

export type CompareOption = { value: Against; label: string };

/**
 * What the draft can be compared with: what it would replace, or did; and what the one who looks approved last, or asked
 * for changes of.
 */
export function compareOptions({ own, merged }: Pick<WholeDraft, 'own' | 'merged'>): CompareOption[] {
  const all: CompareOption = { value: merged === null ? 'live' : 'base', label: 'All changes' };
  const approved: CompareOption = { value: 'approved', label: 'Since your approval' };
  const reviewed: CompareOption = { value: 'reviewed', label: 'Since your review' };
  return [
    all,
    ...(own.approvedAt === null ? [] : [approved]),
    ...(own.reviewedAt === null || own.reviewedAt === own.approvedAt ? [] : [reviewed]),
  ];
}
