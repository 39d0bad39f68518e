/** The part of the management screen's address that concerns the builder. */
export type BuilderAddress =
  | { open: 'new' }
  | { open: 'duplicate'; source: string }
  | { open: 'workflow'; key: string; draftId: string | null; mode: 'edit' | 'view' };

/** Parses the query of `/app/workflows`; null if the builder isn't requested. */
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

/** Two addresses with the same text open the same document. */
export const builderAddressId = (address: BuilderAddress): string => JSON.stringify(address);
