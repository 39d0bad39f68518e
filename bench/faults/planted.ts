import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const PLANTS = ['ack-before-commit', 'no-idempotency'] as const;
export type Plant = (typeof PLANTS)[number];

/** How much later than its answer a change reaches the server that answers early. */
const LATE_MS = 300;
const AGAIN_MS = 100;

export type Planted = {
  url: string;
  /** Resolves once nothing is held back any more, with how long something was at most, in milliseconds. */
  drained: () => Promise<number>;
  close: () => Promise<void>;
};

/**
 * Stands in front of a server and makes of it one that is broken: it says "done" before it is, or it doesn't know a request
 * again. What is behind it stays as it is, so that only the harness is put to the test. Without a fault nobody notices
 * either: changes of one run are passed on in their order, and all of them in the end.
 */
export async function plantBefore(target: number, plant: Plant): Promise<Planted> {
  const early = new EarlyAnswers(target);
  const pass = async (incoming: IncomingMessage, body: Buffer, answerTo: ServerResponse): Promise<void> => {
    const headers = { ...incoming.headers };
    if (plant === 'no-idempotency') delete headers['idempotency-key'];
    else if (await early.take(incoming, body, answerTo)) return;
    const outgoing = send(target, incoming, body, headers);
    outgoing.on('response', (answer) => {
      answerTo.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => answerTo.destroy());
      answer.pipe(answerTo);
    });
    outgoing.on('error', () => answerTo.destroy());
  };
  const server = createServer((incoming, answer) => {
    const pieces: Buffer[] = [];
    incoming.on('error', () => answer.destroy());
    incoming.on('data', (piece: Buffer) => void pieces.push(piece));
    incoming.on('end', () => void pass(incoming, Buffer.concat(pieces), answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drained: () => early.drained(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const send = (port: number, { method, url }: IncomingMessage, body: Buffer, headers: IncomingMessage['headers']) =>
  request({ host: '127.0.0.1', port, method, path: url, headers }).end(body);

/** Completions of steps that are answered while they lie here, as in the memory of a server. */
class EarlyAnswers {
  /** The last one of each run; true once it was done. */
  readonly #last = new Map<string, Promise<boolean>>();
  /** Of these one was lost. What follows is asked of the server itself, which knows better than we do. */
  readonly #broken = new Set<string>();
  #longestMs = LATE_MS;

  constructor(readonly target: number) {}

  /** Answers a completion and keeps it for later; false where it is not for us. A server that is dead answers nobody. */
  async take(incoming: IncomingMessage, body: Buffer, answerTo: ServerResponse): Promise<boolean> {
    const path = incoming.url ?? '';
    if (!path.endsWith('/complete') || this.#broken.has(path) || !(await this.#isAlive())) return false;
    const before = this.#last.get(path) ?? Promise.resolve(true);
    const passedOn = this.#passOn(incoming, body, before);
    this.#last.set(path, passedOn);
    void passedOn.then((isDone) => void (isDone || this.#broken.add(path)));
    answerTo.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return true;
  }

  async drained(): Promise<number> {
    await Promise.all(this.#last.values());
    return this.#longestMs;
  }

  async #passOn(incoming: IncomingMessage, body: Buffer, before: Promise<boolean>): Promise<boolean> {
    const since = performance.now();
    const [isInOrder] = await Promise.all([before, sleep(LATE_MS)]);
    if (!isInOrder) return false;
    let status = await this.#sent(incoming, body);
    // What is alive and has no time now has it later.
    for (; status === 503; status = await this.#sent(incoming, body)) await sleep(AGAIN_MS);
    this.#longestMs = Math.max(this.#longestMs, performance.now() - since);
    return status !== null && status < 300;
  }

  /** The status of the answer; null where none came. */
  #sent(incoming: IncomingMessage, body: Buffer): Promise<number | null> {
    return new Promise((resolve) => {
      const outgoing = send(this.target, incoming, body, incoming.headers);
      outgoing.on('response', (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.statusCode ?? null));
      });
      outgoing.on('error', () => resolve(null));
    });
  }

  #isAlive(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.target, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  }
}
