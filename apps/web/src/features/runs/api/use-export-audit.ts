import { runShortId } from '@stet/presentation/constants';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';

type AuditRange = { runId: string } | { from?: string; to?: string };

const fileName = (range: AuditRange): string =>
  'runId' in range ? `audit-${runShortId(range.runId)}.pdf` : 'audit.pdf';

/** Downloads the audit trail of one run, or of the runs of a period, as a PDF. */
export function useExportAudit() {
  return useMutation({
    mutationFn: (range: AuditRange) => download('GET /api/audit/export.pdf', fileName(range), { query: range }),
  });
}
