import type { DocsFilters } from '../model/docs-filters.ts';

/** Which version to read: a number or id, or the one in force as of a day or time. Both are null for the default. */
export type ShownDocument = { version: string | null; asOf: string | null };

/**
 * Cache keys. Lists of workflows share the first part of their key with other features, so that one call invalidates
 * all of them.
 */
export const docsKeys = {
  found: (organizationId: string | null, filters: DocsFilters) =>
    ['workflows', organizationId, 'found', filters] as const,
  tags: (organizationId: string | null) => ['workflows', organizationId, 'tags'] as const,
  workflow: (key: string) => ['workflow', key] as const,
  versions: (key: string) => ['workflow', key, 'versions'] as const,
  versionNumbers: (key: string) => ['workflow', key, 'versions', 'numbers'] as const,
  document: (key: string, { version, asOf }: ShownDocument) => ['workflow', key, 'document', version, asOf] as const,
};
