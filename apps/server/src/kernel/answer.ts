/** The result of a use case: the response body, and headers if the contract declares any. */
export type Answer<T> = { body: T; headers?: Record<string, string> };

export const answer = <T>(body: T, headers?: Record<string, string>): Answer<T> =>
  headers ? { body, headers } : { body };

/** `ETag: "<revision>"` (rulings, section 10). */
export const revisionTag = (revision: number): Record<string, string> => ({ etag: `"${revision}"` });
