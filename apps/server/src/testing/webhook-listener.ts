import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: Record<string, unknown>;
  /** The time at which the whole body had arrived, as a value of `performance.now()`. */
  at: number;
};

export type Listener = {
  url: string;
  received: Received[];
  /** Sets the response from now on: a status, a redirect, or `silence` for no response at all. */
  answer: (how: number | 'silence' | { redirectTo: string }) => void;
  stop: () => Promise<void>;
};

/** A receiver of webhooks on this machine. */
export async function startListener(): Promise<Listener> {
  const received: Received[] = [];
  let how: number | 'silence' | { redirectTo: string } = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, body, json: JSON.parse(body) as Record<string, unknown>, at: performance.now() });
      if (how === 'silence') return;
      if (typeof how === 'object') response.writeHead(307, { location: how.redirectTo }).end();
      else response.writeHead(how).end('thanks');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => (how = next),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
