import { Readable, type Writable } from 'node:stream';
import { freeBuffer } from './memory.ts';

/**
 * A stream of bytes whose pieces are freed as soon as the operating system has them. Only one piece at a time is being
 * sent. Each piece must have its own memory, and nothing else may use it. The stream can only be piped, and only to a
 * socket or an HTTP response, because other streams may still use a piece after they have accepted it.
 */
export class FreedPieces extends Readable {
  readonly #pieces: AsyncGenerator<Buffer>;

  constructor(pieces: AsyncGenerator<Buffer>) {
    super({ highWaterMark: 1 });
    this.#pieces = pieces;
  }

  override _read(): void {
    this.#pieces.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Nobody waits for the source: it ends by itself, with its last transaction.
    this.#pieces.return(undefined).catch(() => undefined);
    done(error);
  }

  override pipe<T extends NodeJS.WritableStream>(to: T): T {
    this.on('data', (piece: Buffer) => {
      this.pause();
      (to as unknown as Writable).write(piece, (error) => {
        // After a failure, the socket may still use the piece, so it is left to the garbage collector.
        if (error) return;
        freeBuffer(piece);
        this.resume();
      });
    });
    this.once('end', () => to.end());
    return to;
  }
}
