import { PassThrough, type Readable } from 'node:stream';
import { Untaken } from '../../kernel/pdf.ts';

/** How much may wait to be taken, in bytes. */
const WAITING = 256 * 1024;
const LONGEST_WAIT_MS = 20_000;

/** Where the bytes of a document go as they are made. */
export type Outlet = {
  bytes: Readable;
  /** Waits until there is room for more; fails with `Untaken` where nobody takes it. */
  room: () => Promise<void>;
};

/** `source` gives its bytes whether they are taken or not: whoever fills it waits for room. */
export function openOutlet(source: Readable): Outlet {
  const bytes = new PassThrough({ highWaterMark: WAITING });
  source.on('data', (chunk: Buffer) => void (bytes.destroyed || bytes.write(chunk)));
  source.on('end', () => bytes.end());
  source.on('error', (error) => bytes.destroy(error));
  return {
    bytes,
    room: async () => {
      if (bytes.destroyed) throw new Untaken();
      if (bytes.writableNeedDrain) await drained(bytes);
    },
  };
}

/** A connection that stands still would keep what is read for the document, and a place in the queue. */
async function drained(bytes: PassThrough): Promise<void> {
  await new Promise<void>((go, fail) => {
    const end = (): void => {
      clearTimeout(timer);
      bytes.off('drain', onDrain).off('close', onClose);
    };
    const onDrain = (): void => (end(), go());
    const onClose = (): void => (end(), fail(new Untaken()));
    const timer = setTimeout(() => bytes.destroy(), LONGEST_WAIT_MS);
    bytes.on('drain', onDrain).on('close', onClose);
  });
}
