import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Heard = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: Record<string, unknown>;
  /** When it had come whole, of `performance.now()`. */
  at: number;
};

export type Listener = {
  url: string;
  heard: Heard[];
  /** How it answers from now on; a number is a status, `silence` none at all. */
  answer: (how: number | 'silence' | { redirectTo: string }) => void;
  stop: () => Promise<void>;
};

/** A program that webhooks are sent to, on this machine. */
export async function startListener(): Promise<Listener> {
  const heard: Heard[] = [];
  let how: number | 'silence' | { redirectTo: string } = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      heard.push({ path, headers, body, json: JSON.parse(body) as Record<string, unknown>, at: performance.now() });
      if (how === 'silence') return;
      if (typeof how === 'object') response.writeHead(307, { location: how.redirectTo }).end();
      else response.writeHead(how).end('thanks');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    answer: (next) => (how = next),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
