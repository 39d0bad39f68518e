import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Previews } from '../../kernel/previews.ts';
import { childScript, lowerPriority } from '../unprivileged-process.ts';
import { PREVIEW_LIMITS } from './limits.ts';

type PreviewsOptions = {
  /** The time for one preview once its process is ready. */
  deadlineMs?: number;
  /** Resident memory of a process. */
  memoryMb?: number;
  /** Called once if the processes remain root because the system doesn't let them switch to a different user. */
  onStaysRoot?: () => void;
};
type Child = ChildProcessByStdio<Writable, Readable, null>;

const SCRIPT = childScript(import.meta.url, 'preview-process');
/** On a busy machine, a low-priority process takes a long time to start. */
const START_MS = 60_000;
/** The lowest priority, because nobody waits for a preview. */
const NICE = 19;

/** Makes each preview in a new process, so that an image can't affect another one. */
export function openPreviews({
  deadlineMs = PREVIEW_LIMITS.ms,
  memoryMb = PREVIEW_LIMITS.memoryMb,
  onStaysRoot = () => {},
}: PreviewsOptions = {}): Previews {
  const children = new Set<Child>();
  let isClosed = false;
  let hasWarned = false;
  return {
    make: async (bytes) => {
      if (isClosed) throw closed();
      const child: Child = spawn(
        process.execPath,
        [...SCRIPT.execArgv, `--max-old-space-size=${PREVIEW_LIMITS.heapMb}`, SCRIPT.path, String(memoryMb)],
        { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
      );
      lowerPriority(child.pid, NICE);
      children.add(child);
      try {
        const { preview, isRoot } = await previewBy(child, bytes, deadlineMs);
        if (isClosed) throw closed();
        if (isRoot && !hasWarned) {
          hasWarned = true;
          onStaysRoot();
        }
        return preview;
      } finally {
        children.delete(child);
        child.kill('SIGKILL');
      }
    },
    close: async () => {
      isClosed = true;
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

// Closing causes an error and not a result, so that the job is retried.
const closed = (): Error => new Error('previews are closed');

async function previewBy(child: Child, bytes: AsyncIterable<Uint8Array>, deadlineMs: number) {
  const exit = new Promise<boolean>((resolve) => {
    child.once('close', (code) => resolve(code === 0));
    child.once('error', () => resolve(false));
  });
  let timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    const output = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await output.next();
    if (first.done) throw new Error('a process for previews did not start');
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const sent = send(child.stdin, bytes);
    // Awaited below. Without a handler now, a failure before that would end the server.
    sent.catch(() => child.kill('SIGKILL'));
    const received = await receive(output);
    if (!(await sent)) throw new Error('a process for previews ended before it had the whole image');
    const isWhole = (await exit) && received !== null && received.length > 0;
    return { preview: isWhole ? received : null, isRoot: first.value[0] === 1 };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Writes the bytes, and waits while the process doesn't read them. Returns false if it ended first. Rejects if the
 * bytes can't be read.
 */
async function send(to: Writable, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  const gone = new Promise<void>((resolve) => to.once('close', resolve));
  // The process may end before it has read everything.
  to.on('error', () => {});
  for await (const part of bytes) {
    if (to.destroyed) return false;
    if (!to.write(part)) await Promise.race([new Promise((resolve) => to.once('drain', resolve)), gone]);
  }
  if (to.destroyed) return false;
  to.end();
  return true;
}

/** Returns the rest of the output; null if it is too large to be a preview. */
async function receive(output: AsyncIterator<Buffer>): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for (let next = await output.next(); !next.done; next = await output.next()) {
    parts.push(next.value);
    length += next.value.length;
    if (length > PREVIEW_LIMITS.bytes) {
      await output.return?.();
      return null;
    }
  }
  return Buffer.concat(parts);
}
