import type { WorkflowDocument } from '@stet/contract';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';
import { browserDateForm } from '../../../lib/format/languages.ts';

export type DocumentFormat = 'md' | 'pdf';

export function useExportDocument({ key, id, version }: Pick<WorkflowDocument, 'key' | 'id' | 'version'>) {
  return useMutation({
    mutationFn: (format: DocumentFormat) =>
      download(
        'GET /api/workflows/{key}/versions/{version}/document',
        `${key}-${version === null ? 'draft' : `v${version}`}.${format}`,
        { params: { key, version: id }, query: { format, ...browserDateForm() } },
      ),
  });
}
