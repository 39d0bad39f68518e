import type { VersionRecord, WorkflowSummary } from '@stet/contract';

/**
 * The statuses that a list shows for a workflow: only `archived` for an archived one. Otherwise `live` if there is a
 * live version, and each status that an open draft has.
 */
export function shownStatuses({ status, versions }: Pick<WorkflowSummary, 'status' | 'versions'>): string[] {
  if (status === 'archived') return [status];
  const has = (wanted: VersionRecord['status']): boolean => versions.some((version) => version.status === wanted);
  return (['live', 'in_review', 'draft'] as const).filter(has);
}

/**
 * The draft that Edit opens: the newest one in progress or, without one, the newest one in review. Null without drafts.
 */
export function openDraft(versions: WorkflowSummary['versions']): { id: string } | null {
  return (
    versions.find(({ status }) => status === 'draft') ?? versions.find(({ status }) => status === 'in_review') ?? null
  );
}
