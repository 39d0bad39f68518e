import type { Diff } from '@stet/contract';
import { diffContent, removedBehind } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';

/**
 * Presents the changes from `before` to `after`. Only the first `limit` changes include details, such as the title of a
 * modified step or the step before a removed one. `before` is null if there is no earlier content.
 */
export function presentDiff(
  before: WorkflowContent | null,
  after: WorkflowContent,
  limit: number,
): Pick<Diff, 'summary' | 'total' | 'detailed' | 'metadata'> {
  const { summary, detailed, metadata } = diffContent(before, after);
  const titles = new Map(after.steps.map(({ id, title }) => [id, title]));
  const behind = removedBehind(before?.steps ?? [], after.steps);
  return {
    summary,
    total: detailed.length,
    detailed: detailed.slice(0, limit).map((entry): Diff['detailed'][number] => {
      switch (entry.type) {
        case 'added':
          return entry;
        case 'modified':
          return { ...entry, title: titles.get(entry.id) ?? entry.id };
        case 'removed':
          return { ...entry, behind: behind.get(entry.id) ?? null };
      }
    }),
    metadata,
  };
}
