export type RebaseAddress = {
  at: { key: string; id: string };
  /** Whether the person returns to the review afterwards, instead of to the editor. */
  cameFromReview: boolean;
};

/** Reads the query of `/app/rebase`. Returns null if it doesn't name a draft. */
export function readRebaseAddress(query: URLSearchParams): RebaseAddress | null {
  const [key, id] = [query.get('key'), query.get('id')];
  return key && id ? { at: { key, id }, cameFromReview: query.get('from') === 'review' } : null;
}
