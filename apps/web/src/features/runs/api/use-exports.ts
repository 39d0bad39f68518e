import { runShortId } from '@stet/presentation/constants';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';
import { browserDateForm } from '../../../lib/format/languages.ts';
import { useStoppable } from '../../../lib/use-stoppable.ts';
import { toast } from '../../../ui/toast.ts';
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
    onSuccess: () =>
      toast.ok('Runs Exported', 'One line for each run, without the values of forms, notes and attached files.'),
  });
}

type AuditRange = { runId: string } | { from?: string; to?: string };

const fileName = (range: AuditRange): string =>
  'runId' in range ? `audit-${runShortId(range.runId)}.pdf` : 'audit.pdf';

/** Downloads the audit trail for one run or for a period, as a PDF. */
export function useExportAudit() {
  return useStoppable({
    run: (range: AuditRange, signal) =>
      download('GET /api/audit/export.pdf', fileName(range), { query: { ...range, ...browserDateForm() }, signal }),
  });
}
