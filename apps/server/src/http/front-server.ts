import { once } from 'node:events';
import { type RequestListener, type Server, STATUS_CODES, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { answerTo } from './refusals.ts';

type Front = {
  /** The server's address on this machine. */
  url: string;
  /** Passes all further requests to the application. */
  serve: (listener: RequestListener) => void;
  /** Stops accepting connections, waits for running requests up to a time limit, and then closes. */
  close: () => Promise<void>;
};

const PATIENCE_MS = 3000;
const PORT_TRIES = 10;
const PORT_PAUSE_MS = 200;

/**
 * Listens immediately, so that health checks succeed while the process starts. Until `serve` is called, all other
 * requests are refused with `starting`. Rejects if it can't listen, for example because the port stays in use for two
 * seconds.
 */
export async function openFront({ port, host }: { port: number; host: string }): Promise<Front> {
  let listener: RequestListener = (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const { status, body } =
      path === '/api/health' ? { status: 200, body: { status: 'ok' } } : answerTo({ code: 'starting' });
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
    });
    response.end(JSON.stringify(body));
  };
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 10_000 },
    (request, response) => listener(request, response),
  );
  server.on('clientError', refuseConnection);
  await listen(server, { port, host });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    serve: (next) => {
      listener = next;
    },
    close: () =>
      new Promise((resolve) => {
        const cut = globalThis.setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Waits briefly for a port that a stopping server still uses. Fails if the port stays in use. */
async function listen(server: Server, address: { port: number; host: string }): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      server.listen(address);
      await once(server, 'listening');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE' || tries === PORT_TRIES) throw error;
      await setTimeout(PORT_PAUSE_MS);
    }
  }
}

/** Responds to unreadable HTTP with a refusal. Just closes a connection that was reset or is no longer writable. */
function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = answerTo({ code: error.code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'malformed_request' });
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
