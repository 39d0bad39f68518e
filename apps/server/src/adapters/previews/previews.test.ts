import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { decoded, jpegFrame, jpegOf, pngBomb, pngOf } from '../../testing/pictures.ts';
import { PREVIEW_LIMITS } from './limits.ts';
import { openPreviews } from './previews.ts';

const GREEN = [0, 200, 0, 255] as const;
const PHOTO = pngOf(4000, 3000, () => GREEN);

async function* piecesOf(bytes: Buffer, length = 65_536) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const status = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
};
const children = (): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && status(name).includes(`\nPPid:\t${process.pid}\n`));

/** The highest resident memory of a child process during the work, in MB. */
async function peakOf(work: Promise<unknown>): Promise<number> {
  const others = new Set(children());
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of children().filter((each) => !others.has(each)))
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status(pid))?.[1] ?? 0) / 1024);
  }, 20);
  await work.finally(() => clearInterval(timer));
  return peak;
}

describe('a process for previews', () => {
  const previews = openPreviews();
  afterAll(() => previews.close());

  it('makes previews of large images that it gets in pieces', async () => {
    const preview = decoded(await previews.make(piecesOf(PHOTO)));
    expect([preview.width, preview.height]).toEqual([320, 240]);
    expect(preview.at(100, 100)[1]).toBeGreaterThan(180);
  });

  it.each<[string, Buffer]>([
    ['a PNG with gigabytes of pixels', pngBomb({ width: 65_535, height: 65_535, bytes: 20_000_000 })],
    ['a PNG with too many bytes for its size', pngBomb({ width: 1000, height: 1000, bytes: 500_000_000 })],
    ['an interlaced PNG with too many bytes', pngBomb({ width: 9, height: 9, isInterlaced: true, bytes: 500_000_000 })],
    ['a JPEG with many components', jpegFrame(4000, 4000, 7)],
    ['a JPEG that is cut off', jpegOf(600, 400, () => GREEN).subarray(0, 900)],
    ['a PNG with a page after it', Buffer.concat([pngBomb({}), Buffer.from('<script>alert(1)</script>')])],
  ])('survives or ends at %s, and its memory is limited', async (_, bytes) => {
    const made: (Buffer | null)[] = [];
    const peak = await peakOf(previews.make(piecesOf(bytes)).then((preview) => made.push(preview)));
    expect(peak).toBeLessThan(PREVIEW_LIMITS.memoryMb * 1.5);
    if (made[0]) expect(decoded(made[0]).width).toBeGreaterThan(0);
  });

  it.each([
    ['too much memory', { memoryMb: 150 }],
    ['too much time', { deadlineMs: 100 }],
  ])('is killed if it needs %s', async (_, limit) => {
    const strict = openPreviews(limit);
    const before = children();
    expect(await strict.make(piecesOf(PHOTO))).toBeNull();
    await expect.poll(() => children().filter((pid) => !before.includes(pid))).toEqual([]);
    await strict.close();
  });

  it('rejects if the image can’t be read or the server stops', async () => {
    const broken = async function* () {
      yield Buffer.from('89504e47', 'hex');
      throw new Error('the connection was lost');
    };
    await expect(previews.make(broken())).rejects.toThrow('the connection was lost');
    const other = openPreviews();
    const endless = async function* () {
      for (;;) {
        yield Buffer.alloc(100);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const before = children();
    const running = other.make(endless()).then(
      () => 'made',
      (error: Error) => error.message,
    );
    await expect.poll(() => children().filter((pid) => !before.includes(pid)).length).toBe(1);
    await other.close();
    expect(await running).toMatch(/ended before|did not start/);
    await expect(other.make(piecesOf(Buffer.alloc(1)))).rejects.toThrow('closed');
  });

  it('makes no preview of an image that exceeds the size limit of files', async () => {
    const tooMany = async function* () {
      for (let n = 0; n < 30; n += 1) yield Buffer.alloc(1024 * 1024);
    };
    await previews.make(tooMany()).then(
      (preview) => expect(preview).toBeNull(),
      (error: Error) => expect(error.message).toContain('ended before'),
    );
  });

  it.runIf(process.getuid?.() === 0)(
    'runs as a user that owns no files and without environment if the server is root',
    async () => {
      const before = new Set(children());
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const waiting = async function* () {
        await held;
        yield Buffer.alloc(1);
      };
      const other = openPreviews({
        onStaysRoot: () => {
          throw new Error('it is still root');
        },
      });
      const made = other.make(waiting());
      const uid = () =>
        children()
          .filter((pid) => !before.has(pid))
          .map(status)[0] ?? '';
      await expect.poll(uid).toMatch(/^Uid:\t65531\t65531\t65531\t65531$/m);
      expect(uid()).toMatch(/^Gid:\t65531\t65531\t65531\t65531$/m);
      expect(uid()).toMatch(/^Groups:\t\s*$/m);
      expect(uid()).toMatch(/^CapEff:\t0+$/m);
      const [pid] = children().filter((each) => !before.has(each));
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
      release();
      expect(await made).toBeNull();
      await other.close();
    },
  );
});
