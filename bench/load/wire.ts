import { randomUUID } from 'node:crypto';
import { type Socket, connect } from 'node:net';

export type Reply = { status: number; body: string };

/**
 * One keep-alive connection that sends one request at a time. We don't use a library, because a client on the server's
 * machine must use little CPU time. It only understands responses with a `Content-Length`, as our server sends them.
 * Each request has an idempotency key, as in requests from our screens.
 */
export class Wire {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null;

  constructor(
    private readonly port: number,
    private readonly token: string,
  ) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    const lost = (error?: Error): void => this.#waiting?.reject(error ?? new Error('the server closed the connection'));
    this.#socket.on('error', lost);
    this.#socket.on('close', () => lost());
  }

  post(path: string, body: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.port}\r\nauthorization: Bearer ${this.token}\r\n` +
          `content-type: application/json\r\nidempotency-key: ${randomUUID()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    const waiting = this.#waiting;
    if (length === undefined || !waiting) {
      waiting?.reject(new Error(`a response without a length: ${head}`));
      return;
    }
    const whole = end + 4 + Number(length);
    if (this.#received.length < whole) return;
    const body = this.#received.toString('utf8', end + 4, whole);
    this.#received = this.#received.subarray(whole);
    this.#waiting = null;
    waiting.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
