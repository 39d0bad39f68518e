import type { RunFilters } from '../model/run-filters.ts';

/** Cache keys for runs. `all` matches all of them. */
export const runKeys = {
  all: ['runs'] as const,
  list: (organizationId: string | null, filters: RunFilters) => ['runs', 'list', organizationId, filters] as const,
  count: (organizationId: string | null) => ['runs', 'count', organizationId] as const,
  workflows: (organizationId: string | null) => ['runs', 'workflows', organizationId] as const,
  notes: (runId: string) => ['runs', 'notes', runId] as const,
  detail: (runId: string) => ['runs', 'detail', runId] as const,
};
