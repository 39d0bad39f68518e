import { isolated } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useRef, useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { toast } from '../../../ui/toast.ts';
import { readFile } from '../api/read-file.ts';
import { fileRefusal, formatOf, importedContent, textRefusal } from '../model/workflow-file.ts';
import type { LeftOut } from '../model/workflow-file.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

/** A file that is being imported. The document only changes after the preview is confirmed. */
export type Import =
  | { stage: 'none' }
  | { stage: 'reading'; name: string }
  | { stage: 'preview'; name: string; content: WorkflowContent; leftOut: LeftOut };

/** Reads the chosen file, shows a preview, and applies the changes as a single step that can be undone. */
export function useImport({ content, record, dispatch, reportFailure }: WorkflowEditorModel) {
  const [state, setState] = useState<Import>({ stage: 'none' });
  // Results for a file that was chosen earlier are ignored.
  const latest = useRef<File | null>(null);

  const fail = (message: string) => {
    setState({ stage: 'none' });
    reportFailure({ title: 'Import Failed', message });
  };
  const read = async (file: File): Promise<void> => {
    latest.current = file;
    const format = formatOf(file.name);
    const refusal = fileRefusal(file, record);
    if (refusal !== null || format === null) return fail(refusal ?? 'Unsupported file format');
    setState({ stage: 'reading', name: file.name });
    try {
      const text = await file.text();
      const unfit = textRefusal(text, format);
      const found = unfit === null ? await readFile(text, format) : null;
      if (latest.current !== file) return;
      if (found === null) return fail(unfit ?? 'Failed to import workflow');
      setState({ stage: 'preview', name: file.name, content: importedContent(found, content), leftOut: found.leftOut });
    } catch (error) {
      if (latest.current === file) fail(errorSentence(error, 'Failed to import workflow'));
    }
  };
  return {
    state,
    pick: (file: File) => void read(file),
    cancel: () => setState({ stage: 'none' }),
    apply: () => {
      if (state.stage !== 'preview') return;
      dispatch({ type: 'content_replaced', content: state.content });
      setState({ stage: 'none' });
      toast.ok('Import Successful', `${isolated(state.name)}. You can undo it; nothing is saved yet.`);
    },
  } as const;
}

export type ImportModel = ReturnType<typeof useImport>;
