import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/api/api.ts';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { toast } from '../../../ui/toast.ts';
import { jsonFile } from '../model/workflow-file.ts';
import type { FileFormat } from '../model/workflow-file.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

/**
 * Downloads the saved workflow as a file. A document that was never saved is exported as JSON, from the editor's
 * current content (specification, section 5).
 */
export function useExport({ key, content, record, dirty, reportFailure }: WorkflowEditorModel) {
  return useMutation({
    mutationFn: async (format: FileFormat): Promise<FileFormat> => {
      if (key === '') throw new NothingToExport();
      if (record.kind === 'unsaved') {
        saveFile(new Blob([jsonFile(key, content)], { type: 'application/json' }), `${key}.json`);
        return 'json';
      }
      const query = record.kind === 'draft' ? { draftId: record.draftId } : {};
      const params = { key };
      if (format === 'bpmn') await download('GET /api/workflows/{key}/export-bpmn', `${key}.bpmn`, { params, query });
      else {
        const asked = format === 'json' ? { ...query, format } : query;
        await download('GET /api/workflows/{key}/export-yaml', `${key}.${format}`, { params, query: asked });
      }
      return format;
    },
    onSuccess: (format) => {
      const kind = format.toUpperCase();
      const isStale = record.kind !== 'unsaved' && dirty;
      toast.ok('Workflow Exported', isStale ? `${kind} of the last saved version, without your unsaved changes` : kind);
    },
    onError: (error) => {
      const message =
        error instanceof NothingToExport ? error.message : errorSentence(error, 'Failed to export workflow');
      reportFailure({ title: 'Export Failed', message });
    },
  });
}

class NothingToExport extends Error {
  override readonly message = 'No workflow to export';
}
