import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresProblem } from './db/embedded/problem.ts';
import { whyUnreachable } from './db/unreachable.ts';
import { MigrationProblem } from './db/migrate.ts';
import { mailFolder } from './adapters/mail.ts';
import { KeysMissing } from './modules/audit/assert-keys.ts';
import { BadConfiguration, type Config, readConfig } from './kernel/config.ts';
import { openLog } from './kernel/log.ts';
import { openIdleCollector } from './kernel/memory.ts';
import { type Server, startServer } from './server.ts';

// How often the process checks whether it is idle, in milliseconds.
const IDLE_CHECK_MS = 500;

type RunOptions = {
  /** Called before the server starts. */
  prepare?: (config: Config) => Promise<void>;
  /** Called when the server is ready. */
  onReady?: (server: Server) => Promise<void> | void;
};

// The relative path is the same from apps/server/src and from the bundle in apps/server/dist.
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

/**
 * Returns the reason why the server isn't running: a sentence if the operator can fix the problem, and otherwise the
 * error.
 */
function sayWhy(error: unknown): string {
  if (
    error instanceof BadConfiguration ||
    error instanceof EmbeddedPostgresProblem ||
    error instanceof KeysMissing ||
    error instanceof MigrationProblem
  )
    return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Set PORT to a different one, or stop the program that uses it.`;
  const unreachable = process.env['DATABASE_URL'] ? whyUnreachable(error) : null;
  if (unreachable) return unreachable;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Runs the server until a signal ends it or PostgreSQL can't be restarted. If the server doesn't start, prints the
 * reason and ends the process.
 */
export async function runServer({ prepare, onReady }: RunOptions = {}): Promise<void> {
  try {
    const config = readConfig(process.env);
    await prepare?.(config);
    const log = openLog(config.logLevel);
    let server: Server | null = null;
    let ending = false;
    const end = async (code: number): Promise<void> => {
      if (ending) return;
      ending = true;
      // Ends the process even if stopping it hangs, within the time that operators usually wait.
      setTimeout(() => process.exit(code || 1), 4500).unref();
      await server?.stop();
      process.exit(code);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
    server = await startServer({
      config,
      log,
      webRoot: WEB_ROOT,
      onDatabaseLost: (problem) => {
        log.fatal({ err: problem }, "PostgreSQL has exited and can't be restarted");
        void end(1);
      },
    });
    process.stdout.write(`Stet is ready at ${server.url}\n`);
    if (config.smtpUrl === undefined)
      process.stdout.write(`No SMTP_URL is set: mail is written to ${mailFolder(config)}\n`);
    setInterval(openIdleCollector(), IDLE_CHECK_MS).unref();
    await onReady?.(server);
  } catch (error) {
    process.stderr.write(`${sayWhy(error)}\n`);
    process.exit(error instanceof EmbeddedPostgresProblem ? error.exitCode : 1);
  }
}
