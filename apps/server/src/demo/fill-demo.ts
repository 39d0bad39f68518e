import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '@stet/domain/sla';
import { z } from 'zod';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { findRunningPostgres } from '../db/embedded/running-postgres.ts';
import { migrate } from '../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../db/migration-files.ts';
import { ownerClient } from '../db/pool.ts';
import { SERVER_ROLE, ensureServerRole } from '../db/roles.ts';
import { statement } from '../db/statement.ts';
import { type Config, BadConfiguration } from '../kernel/config.ts';
import type { Log } from '../kernel/log.ts';
import { openPasswords } from '../modules/accounts/passwords.ts';
import { type Server, startServer } from '../server.ts';
import { EVERYONE, NEWCOMER, PASSWORD } from './cast.ts';
import { moveClock } from './moved-clock.ts';
import { newcomerMoment, peopleMoments } from './people.ts';
import { timesOf, workflowMoments } from './play-draft.ts';
import { runMoments } from './play-run.ts';
import { RUNS } from './runs/all-runs.ts';
import { workingTimeBefore } from './schedule.ts';
import { type Moment, type Stage, playAll } from './stage.ts';
import { WORKFLOWS } from './workflows/all-workflows.ts';

const findAccount = statement({
  name: 'find_demo_account',
  params: ['email'],
  row: z.object({ id: z.uuid() }),
  text: `select id from users where email = $1`,
});

/**
 * True if this installation contains the demo of this version or of an earlier one. This is the case if the newcomer,
 * who signs up near the end, has an account.
 */
export async function isDemo({ deps }: Server): Promise<boolean> {
  return (await deps.db.query(findAccount, { email: NEWCOMER.email })).length > 0;
}

/**
 * Creates a data directory with the demo. Does nothing if there already is an installation, or if `DATABASE_URL` is
 * set. Refuses a directory with other files. The directory has another name while it is being filled and is renamed
 * when it is complete, so an interrupted fill starts again.
 */
export async function fillDemo(
  config: Config,
  log: Log,
  say: (line: string) => void = () => {},
): Promise<'filled' | 'was filled'> {
  const { dataDir } = config;
  if (config.databaseUrl || fs.existsSync(path.join(dataDir, 'postgres'))) return 'was filled';
  const target = fs.existsSync(dataDir) ? fs.realpathSync(dataDir) : dataDir;
  if (fs.existsSync(target) && fs.readdirSync(target).length > 0)
    throw new BadConfiguration([`DATA_DIR must be an empty or new directory for the demo, but ${target} isn't`]);
  const filling = `${target}.filling`;
  await removeUnfinished(filling);
  // While this process waited, another one may have completed the fill.
  if (fs.existsSync(path.join(target, 'postgres'))) return 'was filled';
  say('Filling the demo. This takes less than a minute …');
  // Commits needn't be synced to disk one by one, because PostgreSQL writes everything when it stops.
  const postgres = await startEmbeddedPostgres({ dataDir: filling, log, settings: { synchronous_commit: 'off' } });
  try {
    await fillDatabase({ ...config, dataDir: filling }, postgres.connection, log);
  } finally {
    await postgres.stop();
  }
  fs.renameSync(filling, target);
  return 'filled';
}

/**
 * Removes the files of an interrupted fill once its PostgreSQL has stopped by itself. Refuses if that takes too long,
 * because then another process is filling the demo.
 */
async function removeUnfinished(filling: string): Promise<void> {
  for (let tries = 0; findRunningPostgres(filling); tries += 1) {
    if (tries > 100) throw new BadConfiguration([`another process is filling ${filling}; wait for it, or stop it`]);
    await sleep(100);
  }
  fs.rmSync(filling, { recursive: true, force: true });
}

async function fillDatabase(config: Config, connection: EmbeddedPostgres['connection'], log: Log): Promise<void> {
  await migrate({ connect: () => ownerClient(connection), directory: MIGRATIONS_DIRECTORY, log });
  const served = await ensureServerRole(connection);
  const owner = ownerClient(connection);
  await owner.connect();
  try {
    const now = Date.now();
    const first = Math.min(
      ...WORKFLOWS.flatMap(({ key, versions }) => versions.flatMap((script, n) => timesOf(key, script, n, now))),
    );
    const clock = await moveClock(owner, SERVER_ROLE, workingTimeBefore(first, 61 * HOUR_MS));
    try {
      const server = await startServer({
        config: isolated(config),
        log,
        webRoot: null,
        passwords: await samePasswords(),
        migratedDatabase: served,
        sealEveryMs: NEVER_MS,
      });
      try {
        await playDemo({ server, clock, owner }, first, now);
      } finally {
        await server.stop();
      }
    } finally {
      await clock.putBack();
    }
    // Deletes the jobs, so that no email is sent about past events. From then on, everyone gets email.
    await owner.query('delete from outbox');
    await owner.query('delete from notification_preferences');
  } finally {
    await owner.end();
  }
}

const NEVER_MS = 2 ** 31 - 1;

/** Plays everything that happened until `now`. `first` is the time of the first draft. */
async function playDemo(stage: Stage, first: number, now: number): Promise<void> {
  const { people, moments } = peopleMoments(stage, first);
  const readAll = EVERYONE.map((who): Moment => {
    const at = now - 30 * HOUR_MS;
    return { at, by: people[who], play: () => people[who].call('POST', '/api/notifications/read') };
  });
  const all = [
    ...moments,
    ...WORKFLOWS.flatMap((workflow) => workflowMoments(people, workflow, now)),
    ...RUNS.flatMap((run) => runMoments(stage, people, run, now)),
    ...readAll,
    newcomerMoment(stage, now - HOUR_MS),
  ];
  await playAll(stage, all, now);
}

/** Returns the configuration of a server that nobody else uses, and that uses nothing outside this machine. */
const isolated = (config: Config): Config => ({
  ...config,
  port: 0,
  host: '127.0.0.1',
  publicUrl: undefined,
  signUp: { kind: 'open' },
  passwordSignIn: true,
  smtpUrl: undefined,
  slack: null,
  oidc: null,
  rateLimits: false,
});

/** Everyone has the same password, so it is checked without hashing it again. */
async function samePasswords() {
  const passwords = await openPasswords();
  return { ...passwords, verify: async (_: string | null, password: string) => password === PASSWORD };
}
