import { Navigate, useSearchParams } from 'react-router';
import { DemoTable } from '../../features/workflow-editor/components/demo-table.tsx';
import { readEditorAddress } from '../../features/workflow-editor/model/editor-address.ts';
import { EditMode } from './edit-mode.tsx';
import { SelectMode } from './select-mode.tsx';

/** `/app/editor`. The address contains the mode and the document (specification, section 2). */
export function EditorScreen() {
  const [query] = useSearchParams();
  const address = readEditorAddress(query);
  switch (address.mode) {
    case 'select':
      return <SelectMode initialKey={query.get('key')} />;
    case 'demo':
      return <DemoTable />;
    case 'edit':
      // The page's frame also reads the mode from the address, so add it if it is missing.
      if (query.get('mode') !== 'edit') return <WithMode query={query} />;
      return <EditMode document={address.document} />;
  }
}

function WithMode({ query }: { query: URLSearchParams }) {
  const full = new URLSearchParams(query);
  full.set('mode', 'edit');
  return <Navigate to={{ search: `?${full.toString()}` }} replace />;
}
