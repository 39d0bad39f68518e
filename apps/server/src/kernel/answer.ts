/** What a use case gives back: the body, and headers where the contract names any. */
export type Answer<T> = { body: T; headers?: Record<string, string> };

export const answer = <T>(body: T, headers?: Record<string, string>): Answer<T> =>
  headers ? { body, headers } : { body };

/** `ETag: "<revision>"` (rulings, section 10). */
export const revisionTag = (revision: number): Record<string, string> => ({ etag: `"${revision}"` });
