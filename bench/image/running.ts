import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Image, Mounts } from './base.ts';
import type { Container } from './compose.ts';
import { wordsInside } from './inside.ts';

const READY_WITHIN_MS = 60_000;

/** What the image becomes by compose.yaml: its mounts, and programs in it. */
export class RunningImage {
  readonly #running = new Set<ChildProcess>();

  constructor(
    readonly image: Image,
    readonly container: Container,
    /** Over those of image and container, for every program. */
    readonly settings: Record<string, string>,
  ) {}

  /** Mounts what compose.yaml mounts; all else can't be written where it says so. */
  mount(mounts: Mounts, folder: string): void {
    const { root } = this.image;
    const { isReadOnly, volumes, tmpfs } = this.container;
    // A new volume has what the image has in its place.
    for (const [number, at] of volumes.entries()) {
      const volume = path.join(folder, `volume-${number}`);
      execFileSync('cp', ['-a', root + at, volume]);
      mounts.add(root + at, '--bind', volume);
    }
    if (isReadOnly) execFileSync('mount', ['-o', 'remount,ro', root]);
    for (const { at, options } of tmpfs) mounts.add(root + at, '-t', 'tmpfs', '-o', options, 'tmpfs');
  }

  /** What a program of the image ends with, and what it says. */
  run(words: readonly string[], more: Record<string, string> = {}): { status: number; said: string } {
    const [program = '', ...args] = this.#words(words, more);
    try {
      return { status: 0, said: execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) };
    } catch (error) {
      const { status, stderr, stdout } = error as { status: number; stderr: string; stdout: string };
      return { status, said: `${stdout}${stderr}` };
    }
  }

  /** Starts what the image starts, and answers once the server is ready. */
  async start(more: Record<string, string> = {}): Promise<{ stop: () => Promise<{ code: unknown; ms: number }> }> {
    const [program = '', ...args] = this.#words(this.image.cmd, more);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    this.#running.add(child);
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      this.#running.delete(child);
      return code ?? signal;
    });
    for (const until = Date.now() + READY_WITHIN_MS; !said.includes('Stet is ready'); await sleep(100))
      if (Date.now() > until || child.exitCode !== null) throw new Error(`It did not start:\n${said}`);
    return {
      stop: async () => {
        const began = Date.now();
        child.kill('SIGTERM');
        return { code: await ended, ms: Date.now() - began };
      },
    };
  }

  /** Ends what still runs: it would keep the mounts busy. */
  async end(): Promise<void> {
    for (const child of this.#running) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }

  #words(words: readonly string[], more: Record<string, string>): string[] {
    return wordsInside(this.image, words, this.container, { ...this.settings, ...more });
  }
}
