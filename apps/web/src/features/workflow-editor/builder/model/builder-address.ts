/** The part of the management screen's address that the builder uses. */
export type BuilderAddress =
  | { open: 'new' }
  | { open: 'duplicate'; source: string }
  | { open: 'workflow'; key: string; draftId: string | null; mode: 'edit' | 'view' };

/** Reads the query of `/app/workflows`. Returns null if it doesn't open the builder. */
export function readBuilderAddress(query: URLSearchParams): BuilderAddress | null {
  const mode = query.get('builder');
  const key = query.get('key') ?? '';
  if (mode === 'new') {
    const source = query.get('duplicate');
    return source ? { open: 'duplicate', source } : { open: 'new' };
  }
  if ((mode !== 'edit' && mode !== 'view') || key === '') return null;
  return { open: 'workflow', key, draftId: query.get('draftId') || null, mode };
}

/** Identifies the document that an address opens: equal texts mean the same document. */
export const builderAddressId = (address: BuilderAddress): string => JSON.stringify(address);
