import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export const PLANTS = ['ack-before-commit', 'no-idempotency'] as const;
export type Plant = (typeof PLANTS)[number];

/** How much later than its answer a change reaches the server that answers early. */
const LATE_MS = 300;

/**
 * Stands in front of a server and makes of it one that is broken: it says "done" before it is, or it doesn't know a request
 * again. What is behind it stays as it is, so that only the harness is put to the test.
 */
export async function plantBefore(target: number, plant: Plant): Promise<{ url: string; close: () => Promise<void> }> {
  const pass = (incoming: IncomingMessage, body: Buffer, answerTo: ServerResponse | null): void => {
    const headers = { ...incoming.headers };
    if (plant === 'no-idempotency') delete headers['idempotency-key'];
    const outgoing = request(
      { host: '127.0.0.1', port: target, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        if (!answerTo) return void answer.resume();
        answerTo.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => answerTo.destroy());
        answer.pipe(answerTo);
      },
    );
    outgoing.on('error', () => answerTo?.destroy());
    outgoing.end(body);
  };
  const server = createServer((incoming, answer) => {
    const pieces: Buffer[] = [];
    incoming.on('error', () => answer.destroy());
    incoming.on('data', (piece: Buffer) => void pieces.push(piece));
    incoming.on('end', () => {
      const body = Buffer.concat(pieces);
      const isEarly = plant === 'ack-before-commit' && incoming.url?.endsWith('/complete') === true;
      if (!isEarly) return pass(incoming, body, answer);
      setTimeout(() => pass(incoming, body, null), LATE_MS);
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
