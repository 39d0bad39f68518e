import type { DocumentationFilter, QueryInput, WorkflowSort } from '@stet/contract';
import { TAG_LIMITS, cutText } from '@stet/domain/workflows';
import { readWorkflowSort } from '../../../ui/workflow-sort-select.tsx';

/** The list's filters and order, from the address bar. An empty text means "all". */
export type DocsFilters = { status: DocumentationFilter | ''; search: string; tag: string; sort: WorkflowSort };
export const NO_FILTERS: DocsFilters = { status: '', search: '', tag: '', sort: 'updated' };

/** The filter's options (specification, section 2). */
export const STATUS_CHOICES = [
  { value: '', label: 'All' },
  { value: 'live', label: 'Live' },
  { value: 'draft', label: 'Draft' },
  { value: 'in_review', label: 'In Review' },
] as const satisfies readonly { value: DocsFilters['status']; label: string }[];

export const readStatus = (text: string | null): DocsFilters['status'] =>
  STATUS_CHOICES.find(({ value }) => value === text)?.value ?? '';

/** Reads the filters from the address and ignores unknown values. */
export const readDocsFilters = (address: URLSearchParams): DocsFilters => ({
  status: readStatus(address.get('status')),
  search: address.get('q') ?? '',
  tag: cutText(address.get('tag') ?? '', TAG_LIMITS.length),
  sort: readWorkflowSort(address.get('sort')),
});

export const isNarrowed = ({ status, search, tag }: DocsFilters): boolean =>
  status !== '' || search.trim() !== '' || tag !== '';

/** The address for these filters with this workflow selected, without defaults. */
export function docsAddress({ status, search, tag, sort }: DocsFilters, key: string | null): URLSearchParams {
  const named = { key: key ?? '', status, q: search.trim(), tag, sort: sort === 'updated' ? '' : sort };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
}

/** The query of `GET /api/workflow-search`. */
export const searchQuery = (
  { status, search, tag, sort }: DocsFilters,
  cursor?: string,
): QueryInput<'GET /api/workflow-search'> => ({
  ...(status && { status }),
  ...(search.trim() && { q: search.trim() }),
  ...(tag && { tag }),
  ...(sort !== 'updated' && { sort }),
  ...(cursor && { cursor }),
});
