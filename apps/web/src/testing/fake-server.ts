import { vi } from 'vitest';

export type FakeRequest = {
  key: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
  signal?: AbortSignal;
};
type FakeAnswer = {
  status?: number;
  json?: unknown;
  text?: string;
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
};
type Handler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

/**
 * Finds the response by `METHOD /path`; `*` matches one part of the path. If several match, the last one that was added
 * responds. Requests without a match get a 404.
 */
export type FakeServer = {
  requests: FakeRequest[];
  on: (key: string, answer: FakeAnswer | Handler) => FakeServer;
  /** Makes every later request fail as if the network were down. */
  goDown: () => void;
  /** The requests with this method and path, oldest first. */
  calls: (key: string) => FakeRequest[];
};

const matches = (pattern: string, key: string): boolean => {
  const parts = key.split('/');
  const wanted = pattern.split('/');
  return wanted.length === parts.length && wanted.every((part, at) => part === '*' || part === parts[at]);
};

function respond({ status = 200, json, text, stream, headers = {} }: FakeAnswer): Response {
  if (stream) return new Response(stream, { status, headers: { 'content-type': 'text/event-stream' } });
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  return new Response(status === 204 ? null : body, {
    status,
    headers: { 'content-type': text === undefined ? 'application/json' : 'text/plain', ...headers },
  });
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Replaces `fetch` until `vi.unstubAllGlobals()` is called. */
export function startFakeServer(): FakeServer {
  const handlers: { pattern: string; answer: FakeAnswer | Handler }[] = [];
  const requests: FakeRequest[] = [];
  let isDown = false;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    if (isDown) throw new TypeError('fetch failed');
    const url = new URL(input, 'http://stet.test');
    const request: FakeRequest = {
      key: `${init.method ?? 'GET'} ${url.pathname}`,
      path: url.pathname,
      query: url.searchParams,
      body: typeof init.body === 'string' && init.body !== '' ? bodyOf(init.body) : undefined,
      headers: new Headers(init.headers),
      ...(init.signal && { signal: init.signal }),
    };
    requests.push(request);
    const handler = handlers.findLast(({ pattern }) => matches(pattern, request.key));
    if (!handler) return respond({ status: 404, json: { error: 'Not found', code: 'not_found' } });
    return respond(typeof handler.answer === 'function' ? await handler.answer(request) : handler.answer);
  });
  const server: FakeServer = {
    requests,
    on: (pattern, answer) => {
      handlers.push({ pattern, answer });
      return server;
    },
    goDown: () => {
      isDown = true;
    },
    calls: (key) => requests.filter((request) => matches(key, request.key)),
  };
  return server;
}
