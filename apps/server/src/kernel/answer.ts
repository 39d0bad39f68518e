/**
 * The result of a use case: the response body, and additional headers. `status` replaces the route's status if the body
 * is a part of a file, or if there is none. It isn't saved with the answer, so it is only for GET requests.
 */
export type Answer<T> = { body: T; headers?: Record<string, string>; status?: 204 | 206 };

export const answer = <T>(body: T, headers?: Record<string, string>): Answer<T> =>
  headers ? { body, headers } : { body };

const texts = new WeakMap<object, string>();

/** Returns the JSON text of an answer as it is saved. The text of its body is remembered for `savedText`. */
export function textOf({ body, headers }: Answer<unknown>): string {
  if (!isJson(body)) return JSON.stringify({ body, headers });
  const text = JSON.stringify(body);
  texts.set(body, text);
  return `{"body":${text}${headers ? `,"headers":${JSON.stringify(headers)}` : ''}}`;
}

/**
 * Returns the JSON text of a body that was saved in this process, so that it needn't be serialized again for the
 * response; undefined for any other body.
 */
export const savedText = (body: unknown): string | undefined => (isJson(body) ? texts.get(body) : undefined);

/** False for text and files. */
const isJson = (body: unknown): body is object =>
  typeof body === 'object' &&
  body !== null &&
  (Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype);

/** `ETag: "<revision>"`. */
export const revisionTag = (revision: number): Record<string, string> => ({ etag: `"${revision}"` });
