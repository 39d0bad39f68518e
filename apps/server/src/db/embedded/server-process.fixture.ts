/**
 * A process for tests that runs the embedded PostgreSQL, as a server does. It locks the data directory given as its
 * first argument until it is stopped.
 */
import { EmbeddedPostgresProblem } from './problem.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';

const [dataDir = ''] = process.argv.slice(2);
const log = { info() {}, warn() {}, error() {} };

startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } }).then(
  ({ connection, stop }) => {
    process.stdout.write(`${JSON.stringify(connection)}\n`);
    process.once('SIGTERM', () => {
      void stop().then(() => process.exit(0));
    });
    setInterval(() => {}, 60_000);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof EmbeddedPostgresProblem ? error.exitCode : 1);
  },
);
