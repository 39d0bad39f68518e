/** A server's response. Null if there is none; the outcome is then unknown. */
export type Received<T> = { status: number; body: T; headers: Headers } | null;

type Call = { method: string; url: string; token?: string; body?: unknown; headers?: Record<string, string> };

/** After this time, which is longer than any fault, a request counts as unanswered. */
const PATIENCE_MS = 45_000;

export async function call<T>({ method, url, token, body, headers }: Call): Promise<Received<T>> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, body: (await response.json()) as T, headers: response.headers };
  } catch {
    return null;
  }
}

/** Like `call`, but for a call that must succeed. */
export async function must<T>(given: Call): Promise<T> {
  const received = await call<T>(given);
  if (!received || received.status >= 300)
    throw new Error(
      `${given.method} ${given.url}: ${received ? `${received.status} ${JSON.stringify(received.body)}` : 'no response'}`,
    );
  return received.body;
}
