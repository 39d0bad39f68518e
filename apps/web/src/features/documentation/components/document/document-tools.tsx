import type { VersionRecord, WorkflowDocument } from '@stet/contract';
import { FileDown, Printer, ScrollText } from 'lucide-react';
import { formatDate } from '../../../../lib/format/time.ts';
import { statusWord } from '../../../../ui/badge.tsx';
import { paths } from '../../../../lib/paths.ts';
import { useCan } from '../../../../lib/session/signed-in.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Select } from '../../../../ui/field.tsx';
import type { DocumentFormat } from '../../api/use-export-document.ts';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './document.module.css';

type DocumentToolsProps = {
  document: WorkflowDocument;
  versions: readonly VersionRecord[];
  exporting: DocumentFormat | null;
  onPick: (version: VersionRecord) => void;
  onExport: (format: DocumentFormat) => void;
};

export function DocumentTools({ document, versions, exporting, onPick, onExport }: DocumentToolsProps) {
  const canAudit = useCan('audit.export');
  // Add the document's own version, because the list may still be loading or be outdated.
  const all = versions.some(({ id }) => id === document.id) ? versions : [document, ...versions];
  return (
    <div className={classNames(styles.docTools, styles.noPrint)}>
      <Select
        aria-label="Version"
        value={document.id}
        onChange={(event) => {
          const picked = all.find(({ id }) => id === event.target.value);
          if (picked) onPick(picked);
        }}
      >
        {all.map((version) => (
          <option key={version.id} value={version.id}>
            {version.label}, {statusWord(version.status)}, created {formatDate(version.createdAt)}
          </option>
        ))}
      </Select>
      <span className="row">
        {canAudit && (
          <ButtonLink icon={ScrollText} to={paths.auditOf({ workflow: document.key })}>
            Audit trail
          </ButtonLink>
        )}
        <Button icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
        <Button icon={FileDown} busy={exporting === 'md' && 'Exporting…'} onClick={() => onExport('md')}>
          Markdown
        </Button>
        <Button icon={FileDown} busy={exporting === 'pdf' && 'Exporting…'} onClick={() => onExport('pdf')}>
          PDF
        </Button>
      </span>
    </div>
  );
}
