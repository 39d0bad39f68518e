import { TAG_LIMITS, cutText } from '@stet/domain/workflows';
import type { WorkflowSort, WorkflowSummary } from '@stet/contract';
import { readWorkflowSort } from '../../../ui/workflow-sort-select.tsx';

export type ListStatus = WorkflowSummary['status'] | 'all';
/** The list's filters and order. Empty text and `all` don't filter. */
export type ListFilter = { q: string; status: ListStatus; tag: string; sort: WorkflowSort };
export const NO_FILTER: ListFilter = { q: '', status: 'all', tag: '', sort: 'updated' };

/** The filter's statuses in order, as the specification names them (section 2). */
export const STATUS_FILTERS = [
  { status: 'all', word: 'All', countWord: 'Total' },
  { status: 'draft', word: 'Draft', countWord: 'Draft' },
  { status: 'in_review', word: 'In Review', countWord: 'In Review' },
  { status: 'live', word: 'Live', countWord: 'Live' },
  { status: 'archived', word: 'Archived', countWord: 'Archived' },
] as const satisfies readonly { status: ListStatus; word: string; countWord: string }[];

/** Reads the filter from the address. An unknown status counts as `all`. */
export function readListFilter(query: URLSearchParams): ListFilter {
  const status = STATUS_FILTERS.find((each) => each.status === query.get('status'))?.status ?? 'all';
  const tag = cutText(query.get('tag') ?? '', TAG_LIMITS.length);
  return { q: cutText(query.get('q') ?? '', 100), status, tag, sort: readWorkflowSort(query.get('sort')) };
}

/** The query for this filter, without defaults. */
export function writeListFilter({ q, status, tag, sort }: ListFilter): URLSearchParams {
  return new URLSearchParams({
    ...(q && { q }),
    ...(status !== 'all' && { status }),
    ...(tag && { tag }),
    ...(sort !== 'updated' && { sort }),
  });
}

export const isNarrowed = ({ q, status, tag }: ListFilter): boolean => q !== '' || status !== 'all' || tag !== '';
