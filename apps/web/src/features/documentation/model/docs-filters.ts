import type { DocumentationFilter, QueryInput } from '@stet/contract';

/** The list's filters, from the address bar. An empty text means "all". */
export type DocsFilters = { status: DocumentationFilter | ''; search: string };

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
});

export const isNarrowed = ({ status, search }: DocsFilters): boolean => status !== '' || search.trim() !== '';

/** The address for these filters with this workflow selected, without defaults. */
export function docsAddress({ status, search }: DocsFilters, key: string | null): URLSearchParams {
  const named = { key: key ?? '', status, q: search.trim() };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
}

/** The query of `GET /api/workflow-search`. */
export const searchQuery = (
  { status, search }: DocsFilters,
  cursor?: string,
): QueryInput<'GET /api/workflow-search'> => ({
  ...(status && { status }),
  ...(search.trim() && { q: search.trim() }),
  ...(cursor && { cursor }),
});
