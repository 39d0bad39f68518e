import type pg from 'pg';
import { canonicalEmail } from '@stet/domain/access';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../db/migration-files.ts';
import { findPending } from '../../db/migrate.ts';
import { sendOnce } from '../../db/live-channel.ts';
import { openPool } from '../../db/pool.ts';
import { refusalOf } from '../../db/refusal-of.ts';
import { openDatabase } from '../../db/transaction.ts';
import { writeMessage } from '../../http/events/message.ts';
import { type Config, readConfig } from '../../kernel/config.ts';
import type { Database } from '../../kernel/database.ts';
import type { Administration as ServerAdministration, AuditMac } from '../../kernel/deps.ts';
import type { Account } from '../../modules/administration/people.ts';
import { openAuditMac } from '../../modules/audit/audit-mac.ts';
import { openAuditSigner } from '../../modules/audit/audit-signer.ts';
import { react } from '../../modules/notifications/reactions.ts';
import { CommandProblem, type Terminal } from '../command.ts';
import { withInstallation } from '../installation-database.ts';

export type Administration = ServerAdministration & {
  config: Config;
  /** A connection as the owner of the schema, which sees all organizations. */
  client: pg.Client;
};

/**
 * Runs an administrator's command with the installation's database and keys, and then notifies open pages of its
 * changes. Refuses a database without an installation or with one of another version, because its tables may differ.
 */
export async function administer<T>(env: Terminal['env'], work: (a: Administration) => Promise<T>): Promise<T> {
  const config = readConfig(env);
  return withInstallation(config, async (client, connection) => {
    await refuseOtherSchema(client);
    let auditMac: AuditMac | null = null;
    const announced = new Set<string>();
    const opened = new Map<'app' | 'owner', Database>();
    // Opened on demand, because this requires the keys, which read-only commands don't need.
    const open = (as: 'app' | 'owner'): Database => {
      auditMac ??= openAuditMac(config.dataDir, openAuditSigner(config.dataDir));
      const pool = openPool(connection, { size: 2, onError: () => {}, asOwner: as === 'owner' });
      const db = openDatabase(pool, refusalOf, {
        macOf: auditMac.macOf,
        follow: react,
        onCommitted: (org, changes) => {
          for (const { subject, id } of changes) announced.add(writeMessage({ t: 'changed', org, subject, id }));
        },
      });
      opened.set(as, db);
      return db;
    };
    const admin: Administration = {
      config,
      client,
      query: async <Row extends object>(text: string, values?: unknown[]) =>
        (await client.query<Row>(text, values)).rows,
      get db() {
        return opened.get('app') ?? open('app');
      },
      get ownerDb() {
        return opened.get('owner') ?? open('owner');
      },
    };
    try {
      return await work(admin);
    } finally {
      for (const db of opened.values()) await db.close();
      // Best effort: the changes are already committed.
      await sendOnce(client, [...announced]).catch(() => undefined);
    }
  });
}

async function refuseOtherSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('stet_migrations') is not null as there`);
  const applied = rows[0]?.there
    ? await client.query<Parameters<typeof findPending>[1][number]>(
        'select number, name, sha256 from stet_migrations order by number',
      )
    : null;
  if (!applied || findPending(readMigrations(MIGRATIONS_DIRECTORY), applied.rows).length > 0)
    throw new CommandProblem(
      'This database contains no Stet installation, or one of an older version. Check DATABASE_URL and DATA_DIR. If they are right, start this version of Stet once.',
    );
}

/** Finds the organization with this URL prefix or id. Refuses an unknown one. */
export async function findOrganizationOrRefuse(
  client: pg.Client,
  named: string,
): Promise<{ id: string; name: string; slug: string | null }> {
  const { rows } = await client.query<{ id: string; name: string; slug: string | null }>(
    'select id, name, slug from organizations where slug = $1 or id::text = $1 order by slug = $1 desc nulls last limit 1',
    [named],
  );
  const [organization] = rows;
  if (!organization) throw new CommandProblem(`There is no organization with the URL prefix or id ${named}.`);
  return organization;
}

/** Finds the account with this address. Refuses an unknown address. */
export async function findAccountOrRefuse(client: pg.Client, email: string): Promise<Account> {
  const typed = email.trim().toLowerCase();
  const { rows } = await client.query<Account>(
    `select id, email, name, selected_org(id) as "orgId", disabled_at is not null as "isDisabled" from users where email = any ($1) order by email = $2 desc limit 1`,
    [[typed, canonicalEmail(typed) ?? typed], typed],
  );
  const [account] = rows;
  if (!account) throw new CommandProblem(`There is no account with the address ${email}.`);
  return account;
}

/** Like `findAccountOrRefuse`, but also refuses a disabled account, because its person can't sign in. */
export async function findEnabledAccountOrRefuse(client: pg.Client, email: string): Promise<Account> {
  const account = await findAccountOrRefuse(client, email);
  if (account.isDisabled)
    throw new CommandProblem(
      `${account.email} is disabled. Enable the account first: stet admin enable ${account.email}`,
    );
  return account;
}

/** Formats a moment in UTC to the minute. Returns a dash for null. */
export const minute = (at: Date | null): string => at?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';
