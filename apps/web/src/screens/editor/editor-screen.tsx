import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { DemoTable } from '../../features/workflow-editor/components/demo-table.tsx';
import { addressId, readEditorAddress } from '../../features/workflow-editor/model/editor-address.ts';
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
      return <OneDocument address={address} />;
  }
}

function WithMode({ query }: { query: URLSearchParams }) {
  const full = new URLSearchParams(query);
  full.set('mode', 'edit');
  return <Navigate to={{ search: `?${full.toString()}` }} replace />;
}

type EditAddress = Parameters<typeof EditMode>[0]['address'];

/** The document keeps its session when saving changes its address. Any other address opens another document. */
function OneDocument({ address }: { address: EditAddress }) {
  const [session, setSession] = useState({ number: 0, address, names: [addressId(address)] });
  const name = addressId(address);
  const known = session.names.includes(name);
  const current = known ? session : { number: session.number + 1, address, names: [name] };
  if (!known) setSession(current);
  return (
    <EditMode
      key={current.number}
      address={current.address}
      session={current.number}
      onRenamed={(next) => setSession((before) => ({ ...before, names: [...before.names, addressId(next)] }))}
    />
  );
}
