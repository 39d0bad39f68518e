import type { DocumentationFilter, QueryInput } from '@stet/contract';
import { TAG_LIMITS, cutText } from '@stet/domain/workflows';

/** The list's filters, from the address bar. An empty text means "all". */
export type DocsFilters = { status: DocumentationFilter | ''; search: string; tag: string };
export const NO_FILTERS: DocsFilters = { status: '', search: '', tag: '' };

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
});

export const isNarrowed = ({ status, search, tag }: DocsFilters): boolean =>
  status !== '' || search.trim() !== '' || tag !== '';

/** The address for these filters with this workflow selected, without defaults. */
export function docsAddress({ status, search, tag }: DocsFilters, key: string | null): URLSearchParams {
  const named = { key: key ?? '', status, q: search.trim(), tag };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
}

/** The query of `GET /api/workflow-search`. */
export const searchQuery = (
  { status, search, tag }: DocsFilters,
  cursor?: string,
): QueryInput<'GET /api/workflow-search'> => ({
  ...(status && { status }),
  ...(search.trim() && { q: search.trim() }),
  ...(tag && { tag }),
  ...(cursor && { cursor }),
});
