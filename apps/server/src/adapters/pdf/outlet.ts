import { PassThrough, type Readable } from 'node:stream';
import { Untaken } from '../../kernel/pdf.ts';

/** How much may wait to be taken, in bytes. */
const WAITING = 256 * 1024;
const LONGEST_WAIT_MS = 20_000;
/** What is gathered before it goes on, in bytes: the list of a document's objects comes as a hundred thousand short lines at once. */
const GATHERED = 16 * 1024;

/** Where the bytes of a document go as they are made. */
export type Outlet = {
  bytes: Readable;
  /** Waits until there is room for more; fails with `Untaken` where nobody takes it. */
  room: () => Promise<void>;
};

/** `source` gives its bytes whether they are taken or not: whoever fills it waits for room. */
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
