import type { DocsFilters } from '../model/docs-filters.ts';

/**
 * Cache keys. Lists of workflows share the first part of their key with other features, so that one call invalidates
 * all of them.
 */
export const docsKeys = {
  found: (organizationId: string | null, filters: DocsFilters) =>
    ['workflows', organizationId, 'found', filters] as const,
  workflow: (key: string) => ['workflow', key] as const,
  versions: (key: string) => ['workflow', key, 'versions'] as const,
  document: (key: string, version: string | null) => ['workflow', key, 'document', version] as const,
};
