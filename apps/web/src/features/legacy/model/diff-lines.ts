import type { Diff } from '@stet/contract';
import { DIFF_LIMITS } from '@stet/domain/defaults';

type DiffLine = { id: string; type: string; text: string };

/** The counts, a line for each of the first five changes, and the number of further changes. */
export function diffLines({ summary, detailed, total }: Diff): { counts: string; lines: DiffLine[]; more: number } {
  const { added, removed, modified } = summary;
  return {
    counts: `${added.length} added, ${removed.length} removed, ${modified.length} modified`,
    lines: detailed.slice(0, DIFF_LIMITS.legacy).map(({ id, type, changes }) => ({
      id,
      type,
      text: changes ? Object.keys(changes).join(', ') : '',
    })),
    more: Math.max(0, total - DIFF_LIMITS.legacy),
  };
}
