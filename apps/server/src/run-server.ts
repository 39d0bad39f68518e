import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresProblem } from './db/embedded/problem.ts';
import { whyUnreachable } from './db/unreachable.ts';
import { MigrationProblem } from './db/migrate.ts';
import { BadConfiguration, readConfig } from './kernel/config.ts';
import { openLog } from './kernel/log.ts';
import { type Server, startServer } from './server.ts';

// The same from apps/server/src and from the bundle in apps/server/dist.
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Says in one sentence why the server doesn't run, where the reason is the person's to mend. */
function sayWhy(error: unknown): string {
  if (
    error instanceof BadConfiguration ||
    error instanceof EmbeddedPostgresProblem ||
    error instanceof MigrationProblem
  )
    return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken already. Set PORT to another one, or stop what listens there.`;
  const unreachable = process.env['DATABASE_URL'] ? whyUnreachable(error) : null;
  if (unreachable) return unreachable;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs the server until a signal ends it; `onReady` is called once it serves. */
export async function runServer(onReady: (server: Server) => Promise<void> | void = () => {}): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = openLog(config.logLevel);
    let server: Server | null = null;
    let ending = false;
    const end = async (code: number): Promise<void> => {
      if (ending) return;
      ending = true;
      // What hangs must not keep the process past what an operator waits for.
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
        log.fatal({ err: problem }, 'PostgreSQL has ended and does not start again');
        void end(1);
      },
    });
    process.stdout.write(`Stet is ready at ${server.url}\n`);
    await onReady(server);
  } catch (error) {
    process.stderr.write(`${sayWhy(error)}\n`);
    process.exit(error instanceof EmbeddedPostgresProblem ? error.exitCode : 1);
  }
}
