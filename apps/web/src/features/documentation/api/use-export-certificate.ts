import type { VersionRecord } from '@stet/contract';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';
import { browserDateForm } from '../../../lib/format/languages.ts';

export type CertificateFormat = 'json' | 'pdf';

/** Downloads the certificate of a merged version. */
export function useExportCertificate(key: string, { id, label }: Pick<VersionRecord, 'id' | 'label'>) {
  return useMutation({
    mutationFn: (format: CertificateFormat) =>
      download('GET /api/workflows/{key}/versions/{version}/certificate', `${key}-${label}-certificate.${format}`, {
        params: { key, version: id },
        query: { format, ...browserDateForm() },
      }),
  });
}
