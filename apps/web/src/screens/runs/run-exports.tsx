import { useExportAudit, useExportRuns } from '../../features/runs/api/use-exports.ts';
import type { RunFilters } from '../../features/runs/model/run-filters.ts';
import { ExportAuditButton, ExportListButton } from '../../features/runs/components/run-filter-bar.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { periodOf } from '../../lib/period.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import styles from '../../features/runs/components/run-filter-bar.module.css';

type RunExportsProps = { filters: RunFilters; canExportAudit: boolean };

/** Exports the runs that match the filters and, with permission, the audit trail of the same period. */
export function RunExports({ filters, canExportAudit }: RunExportsProps) {
  const exportRuns = useExportRuns();
  const exportAudit = useExportAudit();
  return (
    <>
      <div className={styles.exports}>
        <ExportListButton busy={exportRuns.isPending} onExport={() => exportRuns.mutate({ filters })} />
        {canExportAudit && (
          <ExportAuditButton busy={exportAudit.isPending} onExport={() => exportAudit.mutate(periodOf(filters))} />
        )}
        {exportAudit.isPending && <LinkButton onClick={exportAudit.stop}>Stop the export</LinkButton>}
      </div>
      {exportRuns.isError && (
        <div className={styles.exportError}>
          <Note tone="bad">{errorSentence(exportRuns.error, 'Failed to export the runs')}</Note>
        </div>
      )}
      {exportAudit.isError && (
        <div className={styles.exportError}>
          <Note tone="bad">{errorSentence(exportAudit.error, 'Failed to export the audit trail')}</Note>
        </div>
      )}
    </>
  );
}
