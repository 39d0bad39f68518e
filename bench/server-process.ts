import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The programs that can be started, and their message when they are ready: a server, or one that creates the demo data.
 */
const PROGRAMS = {
  server: { file: 'main.js', ready: 'Stet is ready' },
  demo: { file: 'demo-main.js', ready: 'Sign in at' },
} as const;
/** `STET_CHECKOUT` names another checkout to compare with. */
const checkout = process.env['STET_CHECKOUT'];
const DIST = checkout
  ? pathToFileURL(`${checkout}/apps/server/dist/`)
  : new URL('../apps/server/dist/', import.meta.url);

/** A built server in a separate process, so that it can be killed. */
export class ServerProcess {
  #child: ChildProcess | null = null;
  readonly url: string;

  constructor(
    readonly port: number,
    readonly dataDir: string,
    readonly environment: Record<string, string> = {},
    /** Flags for Node itself, such as `--cpu-prof`. */
    readonly flags: readonly string[] = [],
    readonly program: keyof typeof PROGRAMS = 'server',
    /** The file for the server's output. Without a file, only the server's errors are shown, together with ours. */
    readonly logFile: string | null = null,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** The process id of the server that was started last. Undefined before the first start. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** True after the server has ended in any way. */
  get hasEnded(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  /** Starts the server. Resolves when it is ready, with the milliseconds that the start took. */
  async start(): Promise<number> {
    const began = performance.now();
    const { file, ready } = PROGRAMS[this.program];
    const child = spawn(process.execPath, [...this.flags, fileURLToPath(new URL(file, DIST))], {
      env: {
        ...process.env,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        LOG_LEVEL: 'error',
        RATE_LIMITS: 'off',
        MAIL_BATCH_SECONDS: '0',
        ...(this.program === 'demo' && { STET_DEMO: '1' }),
        ...this.environment,
      },
      stdio: ['ignore', 'pipe', this.logFile === null ? 'inherit' : 'pipe'],
    });
    this.#child = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      // All output must be read, because otherwise the server would block or crash.
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          if (this.logFile !== null) appendFileSync(this.logFile, String(chunk));
          output = `${output}${String(chunk)}`.slice(-10_000);
          if (output.includes(ready)) resolve();
        });
      child.once('exit', () =>
        reject(new Error(`the server exited (${child.exitCode ?? child.signalCode}): ${output}`)),
      );
    });
    return performance.now() - began;
  }

  /** Kills the server without warning. With `withDatabase`, the main process of its embedded PostgreSQL too. */
  async kill({ withDatabase }: { withDatabase: boolean }): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    if (withDatabase) {
      const pid = Number(readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // PostgreSQL has already ended, because it stops when the server is gone.
      }
    }
    await ended;
  }

  /** Stops the server in the same way as an operator. Returns the exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return child.exitCode;
  }
}
