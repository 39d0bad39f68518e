/** The document that an address opens. */
export type DocumentAddress =
  | { open: 'empty' }
  | { open: 'template'; template: string }
  /** The editor and the list give a copy different keys (specification, section 4). */
  | { open: 'duplicate'; source: string; from: 'editor' | 'list' }
  | { open: 'workflow'; key: string; draftId: string | null; viewOnly?: true };

/** The parts of the editor's address (specification, section 2). */
export type EditorAddress = { mode: 'select' } | { mode: 'demo' } | { mode: 'edit'; document: DocumentAddress };

/** Reads the query of `/app/editor`. In select mode, the workflow whose key it contains is highlighted. */
export function readEditorAddress(query: URLSearchParams): EditorAddress {
  const key = query.get('key') ?? '';
  const mode = query.get('mode');
  const draftId = query.get('draftId') || null;
  if (mode === 'demo') return { mode: 'demo' };
  if (key === 'new' && mode !== 'select') {
    const source = query.get('duplicate');
    if (source) return { mode: 'edit', document: { open: 'duplicate', source, from: 'editor' } };
    return { mode: 'edit', document: { open: 'template', template: query.get('template') ?? 'blank' } };
  }
  // An address with a draft opens edit mode, because the documentation screen opens new drafts without the mode.
  if (key !== '' && (mode === 'edit' || (mode === null && draftId !== null))) {
    return { mode: 'edit', document: { open: 'workflow', key, draftId } };
  }
  return { mode: 'select' };
}

/** Reads the query of `/app/workflows`. Returns null if it doesn't open the builder. */
export function readBuilderAddress(query: URLSearchParams): DocumentAddress | null {
  const mode = query.get('builder');
  const key = query.get('key') ?? '';
  if (mode === 'new') {
    const source = query.get('duplicate');
    return source ? { open: 'duplicate', source, from: 'list' } : { open: 'empty' };
  }
  if ((mode !== 'edit' && mode !== 'view') || key === '') return null;
  const draftId = query.get('draftId') || null;
  return { open: 'workflow', key, draftId, ...(mode === 'view' && { viewOnly: true }) };
}

/** Identifies the document that an address opens: equal texts mean the same document. */
export const documentId = (address: DocumentAddress): string => JSON.stringify(address);
