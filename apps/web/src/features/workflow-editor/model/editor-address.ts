/** The editor's address in parts (specification, section 2). */
export type EditorAddress =
  | { mode: 'select' }
  | { mode: 'demo' }
  | { mode: 'edit'; open: 'template'; template: string }
  | { mode: 'edit'; open: 'duplicate'; source: string }
  | { mode: 'edit'; open: 'workflow'; key: string; draftId: string | null };

/** Reads the query of `/app/editor`. If it only contains a key, select mode highlights that workflow. */
export function readEditorAddress(query: URLSearchParams): EditorAddress {
  const key = query.get('key') ?? '';
  const mode = query.get('mode');
  const draftId = query.get('draftId');
  if (mode === 'demo') return { mode: 'demo' };
  if (key === 'new' && mode !== 'select') {
    const source = query.get('duplicate');
    if (source) return { mode: 'edit', open: 'duplicate', source };
    return { mode: 'edit', open: 'template', template: query.get('template') ?? 'blank' };
  }
  // An address with a draft opens edit mode, because links from review pages omit the mode.
  if (key !== '' && (mode === 'edit' || (mode === null && draftId))) {
    return { mode: 'edit', open: 'workflow', key, draftId: draftId ? draftId : null };
  }
  return { mode: 'select' };
}

/** Identifies the document that an address opens: equal texts mean the same document. */
export const addressId = (address: EditorAddress): string => JSON.stringify(address);
