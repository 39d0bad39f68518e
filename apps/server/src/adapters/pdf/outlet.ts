import { PassThrough, type Readable } from 'node:stream';
import { ReaderGone } from '../../kernel/pdf.ts';

/** Maximum unread output, in bytes. */
const WAITING = 256 * 1024;
const LONGEST_WAIT_MS = 20_000;
/**
 * Number of bytes to collect before they are passed on, because pdfkit writes each object in several short pieces.
 */
const GATHERED = 16 * 1024;

/** The destination of a document's bytes while it is written. */
export type Outlet = {
  bytes: Readable;
  /**
   * Waits until the reader can accept more. Fails with `ReaderGone` if the reader has disconnected, or hasn't made room
   * after `LONGEST_WAIT_MS`.
   */
  room: () => Promise<void>;
};

/**
 * Opens an outlet for the bytes of `source`. `source` produces bytes even if nobody reads them, so the writer must wait
 * for the reader.
 */
export function openOutlet(source: Readable): Outlet {
  const bytes = new PassThrough({ highWaterMark: WAITING });
  let gathered = Buffer.allocUnsafe(GATHERED);
  let length = 0;
  const pass = (): void => {
    if (length > 0 && !bytes.destroyed) bytes.write(gathered.subarray(0, length));
    if (length > 0) gathered = Buffer.allocUnsafe(GATHERED);
    length = 0;
  };
  source.on('data', (chunk: Buffer) => {
    if (length + chunk.length > GATHERED) pass();
    if (chunk.length > GATHERED) void (bytes.destroyed || bytes.write(chunk));
    else length += chunk.copy(gathered, length);
  });
  source.on('end', () => {
    pass();
    bytes.end();
  });
  source.on('error', (error) => bytes.destroy(error));
  return {
    bytes,
    room: async () => {
      if (bytes.destroyed) throw new ReaderGone();
      if (bytes.writableNeedDrain) await drained(bytes);
    },
  };
}

/**
 * Waits only for a limited time, because a stalled connection would otherwise occupy memory for the document's data,
 * and a slot in the queue.
 */
async function drained(bytes: PassThrough): Promise<void> {
  await new Promise<void>((go, fail) => {
    const end = (): void => {
      clearTimeout(timer);
      bytes.off('drain', onDrain).off('close', onClose);
    };
    const onDrain = (): void => (end(), go());
    const onClose = (): void => (end(), fail(new ReaderGone()));
    const timer = setTimeout(() => bytes.destroy(), LONGEST_WAIT_MS);
    bytes.on('drain', onDrain).on('close', onClose);
  });
}
