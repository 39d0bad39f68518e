import { useExportAudit } from '../../features/runs/api/use-export-audit.ts';
import type { RunFilters } from '../../features/runs/model/run-filters.ts';
import { ExportAuditButton } from '../../features/runs/parts/run-filter-bar.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { periodOf } from '../../lib/period.ts';
import { Note } from '../../ui/note.tsx';

/** The export of the shown period, with its own error beside it. */
export function AuditExport({ filters }: { filters: RunFilters }) {
  const exportAudit = useExportAudit();
  return (
    <>
      <ExportAuditButton busy={exportAudit.isPending} onExport={() => exportAudit.mutate(periodOf(filters))} />
      {exportAudit.isError && (
        <div className="export-error">
          <Note tone="bad">{errorSentence(exportAudit.error, 'Failed to export the audit trail')}</Note>
        </div>
      )}
    </>
  );
}
