import type { Diff } from '@stet/contract';

/** How many changes the older client details (specification, section 9). */
const DETAILED = 5;

export type DiffLine = { id: string; type: string; text: string };

/** The counts, the first five changes in a line each, and how many more there are. */
export function diffLines({ summary, detailed, total }: Diff): { counts: string; lines: DiffLine[]; more: number } {
  const { added, removed, modified } = summary;
  return {
    counts: `${added.length} added, ${removed.length} removed, ${modified.length} modified`,
    lines: detailed.slice(0, DETAILED).map(({ id, type, changes }) => ({
      id,
      type,
      text: changes ? Object.keys(changes).join(', ') : '',
    })),
    more: Math.max(0, total - DETAILED),
  };
}
