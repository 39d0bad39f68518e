import { FileDown, FileJson } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { counted } from '../../../lib/format/number.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { Note } from '../../../ui/note.tsx';
import { useAuditStatus, useExportAudit } from '../api/use-audit.ts';
import { classNames } from '../../../ui/class-names.ts';
import { FieldGroup } from '../../../ui/field.tsx';
import styles from './export-card.module.css';

type Days = { from: string; to: string };

/**
 * Exports the events of a range of days, or a PDF about the runs that started in it, and shows how many events the
 * range contains. Initially, it is the list's range.
 */
export function ExportCard({ days }: { days: Days }) {
  const [picked, setPicked] = useState<{ days: Days; listed: Days }>({ days, listed: days });
  // If the list's range changes, it replaces the range chosen here.
  if (picked.listed.from !== days.from || picked.listed.to !== days.to) setPicked({ days, listed: days });
  const range = picked.days;
  const status = useAuditStatus(range);
  const exported = useExportAudit();
  const kind = exported.isPending ? exported.variables.kind : null;
  return (
    <section className={classNames('sheet', styles.auditExport)} aria-labelledby="audit-export-title">
      <h2 id="audit-export-title">Export</h2>
      <FieldGroup label="Range" className={styles.range}>
        <DateRange
          emptyLabel="All events"
          hasPresets
          from={range.from}
          to={range.to}
          onChange={(next) => setPicked({ days: next, listed: days })}
        />
      </FieldGroup>
      <div className={styles.twoButtons}>
        <Button
          icon={FileDown}
          busy={kind === 'pdf' && 'Exporting…'}
          onClick={() => exported.mutate({ kind: 'pdf', days: range })}
        >
          Audit PDF
        </Button>
        <Button
          icon={FileJson}
          busy={kind === 'ndjson' && 'Exporting…'}
          onClick={() => exported.mutate({ kind: 'ndjson', days: range })}
        >
          Data
        </Button>
      </div>
      {exported.isPending && <LinkButton onClick={exported.stop}>Stop the export</LinkButton>}
      {exported.isError && <Note tone="bad">{errorSentence(exported.error, 'Failed to export the audit trail')}</Note>}
      <p className="xs muted">
        {status.data && <span>{counted(status.data.eventsInRange, 'event')}. </span>}
        Attached files aren’t included, only their digests; <span className="mono">stet audit files</span> downloads
        them. Check the data offline with <span className="mono">stet audit verify</span>
        {status.data && ' and this organization’s key:'}
      </p>
      {status.data && (
        <p
          className={classNames('mono muted', styles.key)}
          title="The public key for checking the signatures of checkpoints and exports"
        >
          {status.data.key}
        </p>
      )}
    </section>
  );
}
