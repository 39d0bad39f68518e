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
  /** Repeating the same key and body returns the same response and changes nothing. */
  once?: string;
  /** The revision that a save is based on. */
  revision?: number;
};

/** Calls the server as one person, or without a session. Throws `CallRefused` if the server refuses. */
export type Call = <Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, send?: Send) => Promise<Answer>;

export function callAs(url: string, token: string | null): Call {
  return async <Answer>(method: string, path: string, { body, once, revision }: Send = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(once !== undefined && { 'idempotency-key': once }),
        ...(revision !== undefined && { 'if-match': `"${revision}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new CallRefused(response.status, `${method} ${path}`, answer as ErrorBody);
    return answer as Answer;
  };
}

/** Ignores a conflict with the current state, which means that an earlier fill has already done this work. */
export async function unlessDone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CallRefused && error.status === 409)) throw error;
  }
}
