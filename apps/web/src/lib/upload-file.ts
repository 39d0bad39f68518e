import { type Evidence, chunkLength, chunksOf } from '@stet/domain/steps';
import { ApiError } from './api/api-error.ts';
import { api } from './api/api.ts';

/** Without a step, the file is for a note on the run. */
export type UploadPlace = { runId: string; stepId?: string };
type Upload = {
  signal: AbortSignal;
  /** Receives the id of the upload, which the server creates before the first chunk is sent. */
  onBegun: (fileId: string) => void;
  onProgress: (share: number) => void;
};

/** The number of chunks that are sent at the same time. */
const AT_ONCE = 3;
/** The pauses before each further attempt, in milliseconds. An error that won't pass by itself isn't retried. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000];

/**
 * Uploads a file for a step or note and returns it as evidence. If the connection or the server is lost, it waits and
 * continues, for about 90 seconds per request. If a part of the file was uploaded before, only the missing chunks are
 * sent. Both sides compute the digest. Rejects with `ApiError`, with an `AbortError` once `signal` is aborted, or with
 * the browser's error if the file can't be read.
 */
export async function uploadFile(
  file: File,
  place: UploadPlace,
  { signal, onBegun, onProgress }: Upload,
): Promise<Evidence> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { size, name } = file;
  const body = { name, size, sha256: await digestOf(bytes), ...place };
  const { id, chunkSize, chunks } = await persistently(signal, () => api('POST /api/files', { body, signal }));
  onBegun(id);
  const count = chunksOf(size);
  const stored = new Set(chunks);
  const missing = Array.from({ length: count }, (_, n) => n).filter((n) => !stored.has(n));
  let done = count - missing.length;
  const sendMissing = async (): Promise<void> => {
    for (let n = missing.shift(); n !== undefined; n = missing.shift()) {
      const at = n;
      const body = bytes.subarray(at * chunkSize, at * chunkSize + chunkLength(size, at));
      await persistently(signal, () => api('POST /api/files/{id}/chunks/{n}', { params: { id, n: at }, body, signal }));
      done += 1;
      onProgress(done / count);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendMissing));
  return persistently(signal, () => api('POST /api/files/{id}/complete', { params: { id }, signal }));
}

/**
 * Deletes an upload that a form doesn't contain any more, to release its space. The server keeps it if a step or note
 * already has it, or if the person began it more than once. If the call fails, the server deletes the upload later.
 */
export const discardUpload = (fileId: string): void =>
  void api('DELETE /api/files/{id}', { params: { id: fileId }, query: { keepReused: 'true' } }).catch(() => undefined);

/** Pages over plain HTTP from another host have no `crypto.subtle`, so the digest is computed in JavaScript. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (!globalThis.crypto?.subtle) return (await import('@stet/domain/workflows')).sha256Hex(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'offline' || error.status >= 500 || error.status === 429);

async function persistently<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await send();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await pauseFor(pause, signal);
    }
  }
  return send();
}

/** Waits for the given time, or until the browser is online again. */
function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (then: () => void) => {
      clearTimeout(timer);
      over.abort();
      then();
    };
    const timer = setTimeout(() => end(resolve), ms);
    const abort = () => end(() => reject(new DOMException('The upload was stopped', 'AbortError')));
    signal.addEventListener('abort', abort, { signal: over.signal });
    window.addEventListener('online', () => end(resolve), { signal: over.signal });
  });
}
