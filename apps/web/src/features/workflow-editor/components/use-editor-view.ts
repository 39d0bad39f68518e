import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { SAME_DOCUMENT } from './use-leave-guard.ts';

/** The two views of a workflow: as a table, and in the builder. */
export type EditorView = 'table' | 'builder';

/** The open workflow's view. It is in the query, unless it is `own`, the path's default view. */
export function useEditorView(own: EditorView) {
  const [query] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const named = query.get('view');
  const view: EditorView = named === 'table' || named === 'builder' ? named : own;
  return {
    view,
    onView: (next: EditorView) => {
      const search = new URLSearchParams(query);
      if (next === own) search.delete('view');
      else search.set('view', next);
      const state = { ...(location.state as object | null), ...SAME_DOCUMENT };
      void navigate({ search: `?${search.toString()}` }, { replace: true, state, preventScrollReset: true });
    },
    /** The query that keeps the view if the document's address changes. */
    query: view === own ? {} : { view },
  };
}
