/** The answer of a server, or null where none came: then nobody knows whether it was done. */
export type Heard<T> = { status: number; body: T; headers: Headers } | null;

type Call = { method: string; url: string; token?: string; body?: unknown; headers?: Record<string, string> };

/** Longer than any fault lasts: what takes this long counts as never answered. */
const PATIENCE_MS = 45_000;

export async function call<T>({ method, url, token, body, headers }: Call): Promise<Heard<T>> {
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

/** The same for what has to succeed. */
export async function must<T>(given: Call): Promise<T> {
  const heard = await call<T>(given);
  if (!heard || heard.status >= 300)
    throw new Error(
      `${given.method} ${given.url}: ${heard ? `${heard.status} ${JSON.stringify(heard.body)}` : 'no answer'}`,
    );
  return heard.body;
}
