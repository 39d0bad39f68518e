import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExternalPostgres } from '../../external-postgres.ts';
import { underLoad } from '../load.ts';
import { type Rig, type Scenario, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const ROUNDS = 3;
const MIGRATIONS = fileURLToPath(new URL('../../../apps/server/src/db/migrations/', import.meta.url));

export const twoStarters: Scenario = {
  name: 'two-starters',
  title: `Two servers start and migrate simultaneously on an empty database, ${ROUNDS} times`,
  run: async (rig) => {
    const { external } = rig;
    if (!external) return NO_EXTERNAL;
    const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
    const alone = await schemaOfSingleStarter(rig, external);
    const problems: string[] = [];
    const readyMs: number[] = [];
    for (let round = 1; ; round += 1) {
      const database = await rig.database(external);
      const environment = { DATABASE_URL: external.url(database) };
      const servers = [await rig.server(environment), await rig.server(environment)];
      const began = performance.now();
      await Promise.all(servers.map((server) => server.start()));
      readyMs.push(performance.now() - began);
      problems.push(...(await oddities(external, database, files, alone)).map((text) => `round ${round}: ${text}`));
      if (round < ROUNDS) {
        for (const server of servers) await server.stop();
        continue;
      }
      const [one, two] = servers;
      if (!one || !two) throw new Error('two servers are needed');
      const began2 = performance.now();
      const loaded = await underLoad(rig.loadAt(one, two), (ledger) => ledger.awaitMore(100));
      loaded.problems.push(...problems);
      const [first] = servedAgain(loaded.ledger, [began2]);
      return {
        ...loaded,
        times: ROUNDS,
        servedAgainMs: readyMs.map((ms, n) => (n === ROUNDS - 1 && first === null ? null : ms)),
        meanwhile: `both were ready each time; each of the ${files.length} migrations was applied once, and the schema is the same as after a single start; then both served requests`,
      };
    }
  },
};

/**
 * Returns how a database migrated by two servers differs from the migration files or from a database migrated by one
 * server.
 */
async function oddities(
  external: ExternalPostgres,
  database: string,
  files: readonly string[],
  alone: string,
): Promise<string[]> {
  const applied = await external.query<{ name: string }>(database, 'select name from stet_migrations order by name');
  const names = applied.map(({ name }) => name);
  const problems: string[] = [];
  if (names.join() !== files.toSorted().join())
    problems.push(`${names.length} of ${files.length} migrations were applied: ${names.join(', ')}`);
  const schema = schemaOf(external, database).split('\n');
  const known = new Set(alone.split('\n'));
  if (schema.join('\n') !== alone) {
    const first = schema.find((line) => !known.has(line)) ?? 'something is missing';
    problems.push(`the schema differs from that of a single server: ${first}`);
  }
  return problems;
}

async function schemaOfSingleStarter(rig: Rig, external: ExternalPostgres): Promise<string> {
  const database = await rig.database(external);
  const server = await rig.server({ DATABASE_URL: external.url(database) });
  await server.start();
  await server.stop();
  return schemaOf(external, database);
}

/** Returns the schema of a database without its rows. */
function schemaOf(external: ExternalPostgres, database: string): string {
  const options = ['--schema-only', '--dbname', external.url(database)];
  const dump = execFileSync(join(external.programs, 'pg_dump'), options, { encoding: 'utf8', stdio: 'pipe' });
  // Newer versions of pg_dump put a random word around their output.
  return dump.replaceAll(/^\\(?:un)?restrict .*$/gm, '');
}
