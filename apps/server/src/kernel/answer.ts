/** The result of a use case: the body, and headers if the contract names any. */
export type Answer<T> = { body: T; headers?: Record<string, string> };

export const answer = <T>(body: T, headers?: Record<string, string>): Answer<T> =>
  headers ? { body, headers } : { body };

/** `ETag: "<revision>"` (rulings, section 10). */
export const revisionTag = (revision: number): Record<string, string> => ({ etag: `"${revision}"` });
