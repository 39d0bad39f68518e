import type { VersionRecord } from '@stet/contract';
import { FileBadge } from 'lucide-react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { useCan } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useErrorToast } from '../../../ui/toast.ts';
import { useExportCertificate } from '../api/use-export-certificate.ts';

/** Downloads a version's certificate as PDF or JSON. Shown to people who may export the audit trail. */
export function CertificateMenu({ workflowKey, version }: { workflowKey: string; version: VersionRecord }) {
  const canExport = useCan('audit.export');
  const exporting = useExportCertificate(workflowKey, version);
  const failure = errorSentence(exporting.error, 'Failed to issue the certificate');
  useErrorToast(exporting.error, 'Certificate Failed', failure);
  if (!canExport) return null;
  return (
    <Menu
      target={
        <Button tone="quiet" size="sm" icon={FileBadge} busy={exporting.isPending && 'Certifying...'}>
          Certificate<span className="vh"> of {version.label}</span>
        </Button>
      }
      groups={[
        {
          entries: [
            { label: 'PDF', onPick: () => exporting.mutate('pdf') },
            { label: 'JSON', onPick: () => exporting.mutate('json') },
          ],
        },
      ]}
    />
  );
}
