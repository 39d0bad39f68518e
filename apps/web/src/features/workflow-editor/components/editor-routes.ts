import { paths } from '../../../lib/paths.ts';
import type { EditorView } from './use-editor-view.ts';

type EditorRoute = {
  /** The title of the page while the document is loading. */
  title: string;
  /** The address of the list that the route belongs to. */
  list: string;
  backToList: string;
  /** The address of a workflow. `view` is set if it isn't the default view of the route. */
  workflow: (at: { key: string; draftId: string | null; view?: EditorView }) => string;
};

/** The routes that open a document, by their default view (specification, section 2). */
export const EDITOR_ROUTES: Record<EditorView, EditorRoute> = {
  table: {
    title: 'Editor',
    list: paths.editor(),
    backToList: 'Back to the editor',
    workflow: ({ key, draftId, ...view }) =>
      paths.editor({ key, mode: 'edit', ...(draftId !== null && { draftId }), ...view }),
  },
  builder: {
    title: 'Workflow builder',
    list: paths.workflows(),
    backToList: 'Back to Workflow Management',
    workflow: ({ key, draftId, ...view }) =>
      paths.workflows({ builder: 'edit', key, ...(draftId !== null && { draftId }), ...view }),
  },
};
