/** The parts of the editor's address (specification, section 2). */
export type EditorAddress =
  | { mode: 'select' }
  | { mode: 'demo' }
  | { mode: 'edit'; open: 'template'; template: string }
  | { mode: 'edit'; open: 'duplicate'; source: string }
  | { mode: 'edit'; open: 'workflow'; key: string; draftId: string | null };

/** Parses the query of `/app/editor`. Only a workflow's key means select mode with that workflow highlighted. */
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
  // An address with a draft means edit mode; links from the review pages omit the mode.
  if (key !== '' && (mode === 'edit' || (mode === null && draftId))) {
    return { mode: 'edit', open: 'workflow', key, draftId: draftId ? draftId : null };
  }
  return { mode: 'select' };
}

/** Two addresses with the same text open the same document. */
export const addressId = (address: EditorAddress): string => JSON.stringify(address);
