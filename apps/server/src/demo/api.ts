import type { ErrorBody } from '@stet/contract';

/** A call that the server refused. */
export class CallRefused extends Error {
  constructor(
    readonly status: number,
    call: string,
    { error, code }: ErrorBody,
  ) {
    super(`${call}: ${status} ${code}: ${error}`);
  }
}

export type Send = {
  body?: unknown;
  /** The revision that a save is based on. */
  revision?: number;
};

// The demo's people use a browser, so their sessions show one.
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Calls the server as one person, or without a session. Throws `CallRefused` if the server refuses. */
export type Call = <Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, send?: Send) => Promise<Answer>;

export function callAs(url: string, token: string | null): Call {
  return async <Answer>(method: string, path: string, { body, revision }: Send = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'user-agent': BROWSER,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(revision !== undefined && { 'if-match': `"${revision}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new CallRefused(response.status, `${method} ${path}`, answer as ErrorBody);
    return answer as Answer;
  };
}
