import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';
import { runsQuery } from '../model/run-filters.ts';
import type { RunFilters } from '../model/run-filters.ts';

/** Downloads the listed runs, or only some of them, as a CSV file. */
export function useExportRuns() {
  return useMutation({
    mutationFn: ({ filters, ids }: { filters: RunFilters; ids?: readonly string[] }) => {
      const { limit: _limit, cursor: _cursor, ...query } = runsQuery(filters);
      return download('GET /api/runs/export.csv', 'runs.csv', {
        query: { ...query, ...(ids && { ids: ids.join(',') }) },
      });
    },
  });
}
