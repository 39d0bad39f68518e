import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, startTestServer } from '../testing/server.ts';

const MIB = 2 ** 20;

/** Collects everything that is received on a connection. */
function receive(socket: Socket): { text: string } {
  const received = { text: '' };
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('data', (text) => (received.text += String(text)));
  return received;
}

describe('a body that is too long, sent by a proxy over a keep-alive connection', () => {
  let server: TestServer;
  let socket: Socket;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const head = (length: number): string =>
    `POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const open = async (): Promise<{ text: string }> => {
    socket = connect(Number(new URL(server.server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    return receive(socket);
  };

  it('gets a 413 before it has fully arrived, and the next request can use the same connection', async () => {
    const received = await open();
    socket.write(head(5 * MIB));
    socket.write('{"email":"');
    await expect.poll(() => received.text).toMatch(/^HTTP\/1\.1 413 [^]*"code":"too_large"/);
    // The client continues to send, because it hasn't read the response yet.
    socket.write('x'.repeat(5 * MIB - '{"email":"'.length));
    socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => received.text, { timeout: 10_000 }).toMatch(/HTTP\/1\.1 200 OK[^]*"status":"ok"/);
    socket.destroy();
  });

  it('isn’t read to the end if it is very long, and the server responds and closes the connection', async () => {
    const received = await open();
    const closed = once(socket, 'close');
    socket.write(head(17 * MIB));
    await closed;
    expect(received.text).toMatch(/^HTTP\/1\.1 413 [^]*connection: close[^]*"code":"too_large"/i);
  });
});
