import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { toast } from '../../../ui/toast.ts';
import { jsonFile } from '../model/workflow-file.ts';
import type { FileFormat } from '../model/workflow-file.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

/** The saved workflow as a YAML file; one that was never saved as JSON, as it stands here (specification, section 5). */
export function useExport({ key, content, record, dirty, reportFailure }: WorkflowEditorModel) {
  return useMutation({
    mutationFn: async (): Promise<FileFormat> => {
      if (key === '') throw new NothingToExport();
      if (record.kind === 'unsaved') {
        saveFile(new Blob([jsonFile(key, content)], { type: 'application/json' }), `${key}.json`);
        return 'json';
      }
      const query = record.kind === 'draft' ? { draftId: record.draftId } : {};
      await download('GET /api/workflows/{key}/export-yaml', `${key}.yaml`, { params: { key }, query });
      return 'yaml';
    },
    onSuccess: (format) => {
      const kind = format === 'yaml' ? 'YAML' : 'JSON';
      const isStale = format === 'yaml' && dirty;
      toast.ok('Workflow Exported', isStale ? `${kind}, as it was saved last: unsaved changes are not in it` : kind);
    },
    onError: (error) => {
      const message =
        error instanceof NothingToExport ? error.message : errorSentence(error, 'Failed to export workflow');
      reportFailure('Export Failed', message);
    },
  });
}

class NothingToExport extends Error {
  override readonly message = 'No workflow to export';
}
