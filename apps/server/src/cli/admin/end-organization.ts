import { existsSync } from 'node:fs';
import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { appendInEach } from '../../modules/audit/index.ts';
import type pg from 'pg';
import { openAuditSigner } from '../../modules/audit/audit-signer.ts';
import { counted, shown } from '../client/shown.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { exportOrganization } from '../organization/export.ts';
import { verifyOpenedArchive } from '../organization/verify.ts';
import { cancelEnd, lockEnd, setEnd } from './ending.sql.ts';
import { type Administration, administer, findOrganizationOrRefuse, minute } from './administration.ts';

/** Minimum number of days during which the end can be cancelled. */
const GRACE_DAYS = 30;

const HELP = `Usage: stet admin end-organization PREFIX ARCHIVE
       stet admin end-organization PREFIX --cancel

Ends the organization with this URL prefix (or id): its members can read everything but change nothing from now on, and
in ${GRACE_DAYS} to ${GRACE_DAYS + 1} days all its data is deleted: workflows, runs, files, the audit trail. Accounts are kept. All owners are notified.

ARCHIVE is written first, as by stet organization export; nothing ends without it. If it exists, it must be an intact
archive of this organization, and nothing may have changed since. If the command is interrupted, run it again.

Until the ${GRACE_DAYS} days are over, --cancel cancels the end. Then retry steps that failed in the meantime: stet jobs retry.

Options:
  --cancel    cancel the end, so that the organization continues
  -h, --help  show this help

Example: stet admin end-organization acme /exports/acme.tar
`;

export const adminEndOrganization: Command = {
  name: 'admin end-organization',
  summary: 'Export an organization and delete its data after 30 days, or cancel this',
  help: HELP,
  options: { cancel: { type: 'boolean' } },
  positionals: { min: 1, max: 2 },
  run: async ({ positionals: [prefix = '', archive], options }, terminal) => {
    const isCancelled = options['cancel'] === true;
    if (isCancelled !== (archive === undefined))
      throw new CommandProblem('admin end-organization: give a path for the archive, or --cancel.', USAGE);
    const said = await administer(terminal.env, async (admin) => {
      const organization = await findOrganizationOrRefuse(admin.client, prefix);
      return archive === undefined ? cancel(admin, organization) : end(admin, organization, archive);
    });
    terminal.say(shown(said));
    return 0;
  },
};

type Organization = { id: string; name: string };

async function cancel({ ownerDb }: Administration, { id: orgId, name }: Organization): Promise<string> {
  const isNotified = await ownerDb.transaction(null, async (tx) => {
    const ending = await tx.maybeOne(lockEnd, { orgId });
    if (!ending) throw new CommandProblem(`${name} isn't being ended.`);
    if (ending.has_ended) throw new CommandProblem(`${name} has ended, and is being deleted.`);
    tx.write(cancelEnd, { orgId });
    // If the command was interrupted before it set the date, nobody has been notified yet.
    if (ending.ends_at === null) return false;
    const subject = { type: 'organization' as const, id: orgId };
    const event = {
      actor: SYSTEM_ACTOR,
      action: 'organization.end_cancelled' as const,
      subject,
      data: { name, endsAt: ending.ends_at.toISOString(), by: 'administrator' },
    };
    appendInEach(tx, new Map([[orgId, [event]]]));
    return true;
  });
  return `${name} continues.${isNotified ? ' Its owners are notified.' : ''}`;
}

async function end(admin: Administration, { id: orgId, name }: Organization, archive: string): Promise<string> {
  const { client, ownerDb } = admin;
  const isNew = await close(client, { id: orgId, name });
  const said: string[] = [];
  try {
    if (existsSync(archive)) {
      await refuseOldArchive(admin, orgId, archive);
      said.push(`${archive} is intact and complete.`);
    } else {
      const { files, bytes } = await exportOrganization(admin, orgId, { file: archive, replace: false });
      said.push(`${archive}: ${counted(files, 'file')}, ${counted(bytes, 'byte')}.`);
    }
  } catch (error) {
    if (isNew) await client.query('delete from ending_organizations where org_id = $1 and ends_at is null', [orgId]);
    throw error;
  }
  const endsAt = await ownerDb.transaction(null, async (tx) => {
    const set = await tx.maybeOne(setEnd, { orgId, days: GRACE_DAYS });
    if (!set) throw new CommandProblem(`Another command has ended ${name}, or cancelled its end, in the meantime.`);
    const at = set.ends_at.toISOString();
    const event = {
      actor: SYSTEM_ACTOR,
      action: 'organization.ending' as const,
      subject: { type: 'organization' as const, id: orgId },
      data: { name, endsAt: at, by: 'administrator' },
    };
    appendInEach(tx, new Map([[orgId, [event]]]));
    return set.ends_at;
  });
  said.push(
    `${name} can only be read from now on, and is deleted after ${minute(endsAt)} UTC. Its owners are notified.`,
    `To cancel the end: stet admin end-organization ${orgId} --cancel`,
  );
  return said.join('\n');
}

/**
 * Closes the organization for changes. Returns false if another command, which was interrupted or is still running, has
 * already done so. Refuses if the date of the end is set.
 */
async function close(client: pg.Client, { id, name }: Organization): Promise<boolean> {
  const { rowCount } = await client.query(
    'insert into ending_organizations (org_id) values ($1) on conflict (org_id) do nothing',
    [id],
  );
  const { rows } = await client.query<{ ends_at: Date | null }>(
    'select ends_at from ending_organizations where org_id = $1',
    [id],
  );
  const at = rows[0]?.ends_at ?? null;
  if (at) throw new CommandProblem(`${name} already ends on ${minute(at)} UTC.`);
  return rowCount === 1;
}

/**
 * Refuses an archive that isn't intact, belongs to another organization, or lacks events that were recorded after it
 * was written. Events that are still recorded in a closed organization don't count.
 */
async function refuseOldArchive({ client, config }: Administration, orgId: string, path: string): Promise<void> {
  const keys = openAuditSigner(config.dataDir).trustedKeysOf(orgId);
  const { verdict, trail } = verifyOpenedArchive(path, { checkpoints: [], keysFor: () => keys, isMac: null });
  if (trail?.header?.org.id !== orgId) throw new CommandProblem(`${path} is not an archive of this organization.`);
  if (verdict !== 'intact') throw new CommandProblem(`${path} is not intact. See: stet organization verify ${path}`);
  // Waits for changes that began before the organization was closed.
  await client.query('select from audit_heads where org_id = $1 for share', [orgId]);
  const { rows } = await client.query<{ seq: string | null }>(
    `select min(seq)::text as seq from audit_events where org_id = $1 and seq > $2 and not is_recorded_at_the_end(action)`,
    [orgId, trail.header.last],
  );
  if (typeof rows[0]?.seq === 'string')
    throw new CommandProblem(`The organization has changed since ${path} was written. Give a path for a new archive.`);
}
