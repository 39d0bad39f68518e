import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '@stet/contract';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Database } from '../../kernel/database.ts';
import { openLog } from '../../kernel/log.ts';
import { noteRestore, restoredFile } from '../../modules/audit/note-restore.ts';
import { sealTrails } from '../../modules/audit/seal-trails.job.ts';
import { endOrganizations, referencingFirst } from '../../modules/housekeeping/end-organizations.job.ts';
import { watchClocks } from '../../modules/runs/watch-clocks.ts';
import { personalToken } from '../../testing/api-tokens.ts';
import { FILE_FIELD, upload } from '../../testing/files.ts';
import { mailTo } from '../../testing/mailbox.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';

const server: TestServer = await startTestServer();
const folder = mkdtempSync(join(tmpdir(), 'stet-end-'));
const env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
const { deps } = server.server;

/** A team with a workflow and a draft of it, a run with a file and a note, a group and an API token. */
async function aTeam() {
  const team = await teamOf(server, ['editor', 'reviewer', 'admin']);
  const { owner, editor, reviewer, orgId } = team;
  await publish(owner, reviewer, 'offers', [
    { id: 'offer', title: 'Offer', config: { fields: [FILE_FIELD] } },
    ...stepsNamed('Check'),
  ]);
  await owner.post('/api/workflows/offers/drafts', { metadata: { title: 'Draft' }, steps: stepsNamed('Only') });
  const run = await start(owner, 'offers');
  const fileId = await upload(server, editor, { runId: run.id, stepId: 'offer' }, Buffer.alloc(600_000, 'x'));
  await act(editor, run.id, 'offer', 'complete', { output: { fields: { offer: [fileId] } } });
  await editor.post(`/api/runs/${run.id}/notes`, { text: 'A note' });
  await owner.post('/api/groups', { slug: 'finance', name: 'Finance', members: [editor.user.id] });
  const token = await personalToken(server, owner);
  await sealTrails(deps);
  return { ...team, orgId, run, token };
}
type Team = Awaited<ReturnType<typeof aTeam>>;

const end = (orgId: string, ...more: string[]) => stet(['admin', 'end-organization', orgId, ...more], env);
let archives = 0;
const newArchive = (): string => join(folder, `archive-${(archives += 1)}.tar`);
/** Moves the end so that the server has known for 25 hours, or another time, that its date has passed. */
const moveToItsEnd = ({ orgId }: Team, hours = 25) =>
  server.sql(
    `update ending_organizations set ends_at = now() - interval '25 hours', passed_since = now() - make_interval(hours => $2)
     where org_id = $1`,
    [orgId, hours],
  );
/** Begins the end of an organization and returns its date. */
const ended = async ({ orgId }: Team): Promise<{ endsAt: string }> => {
  expect(await end(orgId, newArchive())).toMatchObject({ code: 0 });
  const [row] = await server.sql<{ at: Date }>('select ends_at as at from ending_organizations where org_id = $1', [
    orgId,
  ]);
  return { endsAt: row?.at.toISOString() ?? '' };
};
const lastEvent = async ({ owner }: Team) =>
  (await owner.get<{ action: string; data: object }[]>('/api/audit/events?limit=1'))[0];
const canChange = async ({ owner }: Team): Promise<boolean> =>
  (await owner.call('POST', '/api/runs', { key: 'offers', name: 'Another' })).status < 400;

/** Counts the rows of each table that refer to an organization, including the tables of the job queue. */
async function mentionsOf(orgId: string): Promise<Record<string, number>> {
  const tables = await server.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(60);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await server.sql<{ n: number }>(`select count(*)::int as n from ${name} t where t::text like $1`, [
      `%${orgId}%`,
    ]);
    if (row && row.n > 0) found[name] = row.n;
  }
  return found;
}

/** Removes the counts of rows that the server writes in the background: figures and jobs. */
const lasting = (found: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !/^insight_|^outbox$|^graphile_worker\./.test(name)));

describe('the end of an organization', () => {
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('begins with an archive, and until its date, everyone can read the organization but nobody can change it', async () => {
    const team = await aTeam();
    const { owner, editor, token, orgId, run } = team;
    const archive = newArchive();
    const { code, stderr } = await end(orgId, archive);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('can only be read from now on') as string,
    });
    expect(await stet(['organization', 'verify', archive])).toMatchObject({ code: 0 });
    expect(await lastEvent(team)).toMatchObject({
      action: 'organization.ending',
      actor: { kind: 'system' },
      data: { by: 'administrator' },
    });

    const refused = { status: 403, body: { code: 'organization_ends' } };
    expect(await owner.call('POST', '/api/runs', { key: 'offers', name: 'Another' })).toMatchObject(refused);
    expect(await token.call('POST', '/api/runs', { key: 'offers', name: 'Another' })).toMatchObject(refused);
    expect(await editor.call('POST', `/api/runs/${run.id}/notes`, { text: 'More' })).toMatchObject(refused);
    expect(await owner.call('PATCH', `/api/organizations/${orgId}`, { name: 'Renamed' })).toMatchObject(refused);
    await server.sql(`update run_crossings set at = now() - interval '1 day' where org_id = $1`, [orgId]);
    await watchClocks(deps);
    expect(await lastEvent(team)).toMatchObject({ action: 'organization.ending' });

    expect(await owner.get(`/api/runs/${run.id}`)).toMatchObject({ id: run.id });
    const login = { email: editor.user.email, password: 'a long enough one' };
    expect((await server.anyone.call('POST', '/api/auth/login', login)).status).toBe(200);
    expect((await owner.call('GET', '/api/audit/export.ndjson')).status).toBe(200);
    await endOrganizations(deps);
    expect((await owner.call('GET', '/api/workflows/offers')).status).toBe(200);
  });

  it('is shown with its date to the members, and to nobody else, when the app loads', async () => {
    const team = await aTeam();
    const other = await teamOf(server, ['editor']);
    const { endsAt } = await ended(team);
    expect(Math.abs(Date.parse(endsAt) - Date.now() - 30 * 24 * 3_600_000)).toBeLessThan(60_000);
    for (const person of [team.owner, team.editor, team.reviewer, team.admin]) {
      const { organizations } = await person.get<User>('/api/auth/me');
      expect(organizations.filter((each) => 'endsAt' in each)).toEqual([
        expect.objectContaining({ id: team.orgId, endsAt }),
      ]);
    }
    for (const person of [other.owner, other.editor])
      expect(JSON.stringify(await person.get<User>('/api/auth/me'))).not.toContain('endsAt');
    // A person who belongs to both organizations sees it only in the one that ends.
    await server.sql(`insert into memberships (org_id, user_id, role) values ($1, $2, 'viewer')`, [
      other.orgId,
      team.editor.user.id,
    ]);
    const both = (await team.editor.get<User>('/api/auth/me')).organizations;
    expect(both.filter(({ id }) => id === other.orgId)).toMatchObject([{ role: 'viewer' }]);
    expect(both.filter((each) => 'endsAt' in each).map(({ id }) => id)).toEqual([team.orgId]);
    await end(team.orgId, '--cancel');
    expect(JSON.stringify(await team.owner.get<User>('/api/auth/me'))).not.toContain('endsAt');
  });

  it('can’t be read in the database by another organization', async () => {
    const team = await aTeam();
    const other = await teamOf(server, ['editor']);
    await end(team.orgId, newArchive());
    const seen = statement({
      name: 'see_ending_organizations',
      params: [],
      row: z.object({ org_id: z.uuid() }),
      text: 'select org_id from ending_organizations',
    });
    const seenBy = (orgId: string) => deps.db.snapshot({ orgId, userId: null }, (tx) => tx.many(seen, {}));
    expect(await seenBy(other.orgId)).toEqual([]);
    expect(await seenBy(team.orgId)).toEqual([{ org_id: team.orgId }]);
  });

  it('is announced to all owners and to nobody else', async () => {
    const team = await aTeam();
    await server.sql(`update memberships set role = 'owner' where org_id = $1 and user_id = $2`, [
      team.orgId,
      team.reviewer.user.id,
    ]);
    await end(team.orgId, newArchive());
    for (const person of [team.owner, team.reviewer]) {
      const title = expect.stringMatching(/^This organization ends on 20\d\d-\d\d-\d\d$/) as string;
      expect(await person.get('/api/notifications')).toContainEqual(
        expect.objectContaining({ kind: 'organization_ending', title }),
      );
      await mailTo(server.dataDir, person.user.email, ({ text }) => text.includes('all its data is deleted'));
    }
    for (const person of [team.editor, team.admin])
      expect(await person.get('/api/notifications')).not.toContainEqual(
        expect.objectContaining({ kind: 'organization_ending' }),
      );
  });

  it('is cancelled once if two commands cancel it at the same time, after which people can make changes again', async () => {
    const team = await aTeam();
    expect(await end(team.orgId, '--cancel')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("isn't being ended") as string,
    });
    await end(team.orgId, newArchive());
    expect(await canChange(team)).toBe(false);
    const both = await Promise.all([end(team.orgId, '--cancel'), end(team.orgId, '--cancel')]);
    expect(both.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([0, 1]);
    expect(await lastEvent(team)).toMatchObject({ action: 'organization.end_cancelled' });
    expect(await canChange(team)).toBe(true);
    await complete(team.editor, team.run.id, 'step-1');
  });

  it('can be cancelled before its date is set, when nobody has been notified yet', async () => {
    const team = await aTeam();
    await end(team.orgId, newArchive());
    await server.sql('update ending_organizations set ends_at = null where org_id = $1', [team.orgId]);
    expect(await end(team.orgId, '--cancel')).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('notified') as string,
    });
    expect(await lastEvent(team)).toMatchObject({ action: 'organization.ending' });
    expect(await canChange(team)).toBe(true);
  });

  it('begins only once if two commands are executed at the same time', async () => {
    const team = await aTeam();
    const both = await Promise.all([end(team.orgId, newArchive()), end(team.orgId, newArchive())]);
    expect(both.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([0, 1]);
    const events = await team.owner.get<{ action: string }[]>('/api/audit/events?limit=10');
    expect(events.filter(({ action }) => action === 'organization.ending')).toHaveLength(1);
    expect(await end(team.orgId, newArchive())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already ends on') as string,
    });
  });

  it('leaves the organization open if its archive can’t be written or isn’t the right one', async () => {
    const team = await aTeam();
    const other = await aTeam();
    const [own, foreign] = [newArchive(), newArchive()];
    await stet(['organization', 'export', team.orgId, own], env);
    await stet(['organization', 'export', other.orgId, foreign], env);
    expect(await end(team.orgId, join(folder, 'nowhere', 'x.tar'))).toMatchObject({ code: 1 });
    expect(await end(team.orgId, foreign)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not an archive of this organization') as string,
    });
    expect(await end(team.orgId)).toMatchObject({ code: 2 });
    expect(await canChange(team)).toBe(true);
    // The archive doesn't contain the new run.
    expect(await end(team.orgId, own)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has changed since') as string,
    });
    expect(await canChange(team)).toBe(true);
    const newer = newArchive();
    await stet(['organization', 'export', team.orgId, newer], env);
    // Someone signs in. This changes nothing that the archive must contain.
    await server.anyone.post('/api/auth/login', { email: team.editor.user.email, password: 'a long enough one' });
    expect(await end(team.orgId, newer)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is intact and complete') as string,
    });
  });

  it('begins if the command is repeated after it was killed before it set the date', async () => {
    const team = await aTeam();
    await server.sql('insert into ending_organizations (org_id) values ($1)', [team.orgId]);
    expect(await canChange(team)).toBe(false);
    await endOrganizations(deps);
    expect((await team.owner.call('GET', '/api/workflows/offers')).status).toBe(200);
    expect(await end(team.orgId, newArchive())).toMatchObject({ code: 0 });
    expect(await lastEvent(team)).toMatchObject({ action: 'organization.ending' });
  });

  it('deletes all of the organization’s data and nothing of others, even if the job is interrupted or runs twice at once', async () => {
    const [team, other] = [await aTeam(), await aTeam()];
    const { orgId } = team;
    await end(orgId, newArchive());
    // This job of the organization is still waiting.
    await server.sql(
      `insert into outbox (task, payload, run_at) values ('seal_audit', jsonb_build_object('orgId', $1::text), now() + interval '1 year')`,
      [orgId],
    );
    const before = await mentionsOf(other.orgId);
    const own = await mentionsOf(orgId);
    expect(Object.keys(own)).toEqual(
      expect.arrayContaining(['audit_events', 'file_chunks', 'runs', 'outbox', 'users', 'workflow_versions']),
    );
    expect(existsSync(join(server.dataDir, 'checkpoints', `${orgId}.txt`))).toBe(true);
    await moveToItsEnd(team);
    expect(await end(orgId, '--cancel')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is being deleted') as string,
    });
    expect(await stet(['organization', 'export', orgId, newArchive()], env)).not.toMatchObject({ code: 0 });

    let queries = 0;
    const dying: Database = {
      ...deps.db,
      query: async (s, values) => {
        queries += 1;
        if (queries === 40) throw new Error('killed');
        return deps.db.query(s, values);
      },
    };
    await expect(endOrganizations({ ...deps, db: dying })).rejects.toThrow('killed');
    const halfway = await mentionsOf(orgId);
    expect(halfway['organizations']).toBe(1);
    expect(halfway['memberships']).toBeUndefined();
    expect((await team.owner.call('GET', '/api/workflows/offers')).status).toBeGreaterThanOrEqual(400);

    const lines: string[] = [];
    const log = openLog('silent');
    log.info = ((_: object, message: string) => void lines.push(message)) as typeof log.info;
    await Promise.all([endOrganizations({ ...deps, log }), endOrganizations({ ...deps, log })]);
    await endOrganizations({ ...deps, log });
    expect(lines).toEqual(['an organization was deleted']);
    expect(await mentionsOf(orgId)).toEqual({});
    expect(readdirSync(join(server.dataDir, 'checkpoints')).filter((name) => name.startsWith(orgId))).toEqual([]);

    expect(lasting(await mentionsOf(other.orgId))).toEqual(lasting(before));
    expect(await canChange(other)).toBe(true);
    // The people still have their accounts.
    const login = { email: team.owner.user.email, password: 'a long enough one' };
    expect((await server.anyone.call('POST', '/api/auth/login', login)).status).toBe(200);
  });

  it('deletes nothing until a day after the server first found that the date had passed', async () => {
    const team = await aTeam();
    const { orgId } = team;
    await end(orgId, newArchive());
    const passedSince = async (): Promise<Date | null> => {
      const [ending] = await server.sql<{ passed_since: Date | null }>(
        'select passed_since from ending_organizations where org_id = $1',
        [orgId],
      );
      return ending?.passed_since ?? null;
    };
    await server.sql(`update ending_organizations set ends_at = now() - interval '2 days' where org_id = $1`, [orgId]);
    await endOrganizations(deps);
    await endOrganizations(deps);
    expect(await passedSince()).not.toBeNull();
    expect((await team.owner.call('GET', '/api/workflows/offers')).status).toBe(200);
    await moveToItsEnd(team, 23);
    await endOrganizations(deps);
    expect((await team.owner.call('GET', '/api/workflows/offers')).status).toBe(200);
    await server.sql(`update ending_organizations set ends_at = now() + interval '2 days' where org_id = $1`, [orgId]);
    await endOrganizations(deps);
    expect(await passedSince()).toBeNull();
    // The end can still be cancelled during this day.
    await server.sql(`update ending_organizations set ends_at = now() - interval '1 hour' where org_id = $1`, [orgId]);
    await endOrganizations(deps);
    expect(await end(orgId, '--cancel')).toMatchObject({ code: 0 });
    expect(await canChange(team)).toBe(true);
  });

  it('lets people of several organizations sign in and work in another one while this one is being deleted', async () => {
    const team = await aTeam();
    const login = { email: team.owner.user.email, password: 'a long enough one' };
    const { currentOrgId: other } = await team.owner.post<User>('/api/organizations', {
      name: 'Other',
      slug: `other-${archives}`,
    });
    await team.owner.post('/api/users/switch-organization', { organizationId: team.orgId });
    await end(team.orgId, newArchive());
    await moveToItsEnd(team);
    expect(await team.owner.get('/api/auth/me')).toMatchObject({ currentOrgId: other });
    const { status, body } = await server.anyone.call<{ token: string }>('POST', '/api/auth/login', login);
    expect(status).toBe(200);
    const { organizations } = await server.as(body.token).get<User>('/api/auth/me');
    expect(organizations.map(({ id }) => id)).not.toContain(team.orgId);
    expect((await server.as(body.token).call('GET', '/api/workflows')).status).toBe(200);
  });

  it('can’t be cancelled while the organization is being deleted', async () => {
    const team = await aTeam();
    await end(team.orgId, newArchive());
    await moveToItsEnd(team);
    const deleting = new pg.Client(server.database.url);
    await deleting.connect();
    await deleting.query('begin');
    await deleting.query(`select delete_ended_rows($1, 'run_tasks', 1)`, [team.orgId]);
    const cancelled = end(team.orgId, '--cancel');
    await vi.waitFor(async () => {
      const waiting = await server.sql(`select from pg_locks where not granted`);
      expect(waiting.length).toBeGreaterThan(0);
    }, 20_000);
    await deleting.query('commit');
    await deleting.end();
    expect(await cancelled).toMatchObject({ code: 1, stderr: expect.stringContaining('is being deleted') as string });
  });

  it('can’t begin with an archive that lacks a change that was being committed', async () => {
    const team = await aTeam();
    const archive = newArchive();
    expect(await stet(['organization', 'export', team.orgId, archive], env)).toMatchObject({ code: 0 });
    const changing = new pg.Client(server.database.url);
    await changing.connect();
    await changing.query('begin');
    await changing.query(`select set_config('stet.org_id', $1, true)`, [team.orgId]);
    const event = {
      actor: 'x',
      action: 'run.started',
      subject_type: 'run',
      subject_id: 'x',
      payload: '{}',
      salt: '00'.repeat(16),
      mac: '00'.repeat(32),
      made_at: new Date().toISOString(),
    };
    await changing.query('select audit_append($1)', [JSON.stringify([event])]);
    const ended = end(team.orgId, archive);
    await vi.waitFor(async () => {
      const waiting = await server.sql(`select from pg_locks where not granted`);
      expect(waiting.length).toBeGreaterThan(0);
    }, 20_000);
    await changing.query('commit');
    await changing.end();
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('has changed since') as string });
  });

  it('doesn’t affect other organizations, where deleting a run updates the count of running runs', async () => {
    const { orgId, run } = await aTeam();
    const counted = async (): Promise<number> => {
      const [counts] = await server.sql<{ running: number }>('select running::int from run_counts where org_id = $1', [
        orgId,
      ]);
      return counts?.running ?? 0;
    };
    const before = await counted();
    const references = await server.sql<{ name: string; column: string }>(
      `select f.conrelid::regclass::text as name, a.attname as column from pg_constraint f
     join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname like '%run_id'
     where f.contype = 'f' and f.confrelid = 'runs'::regclass`,
    );
    await server.sql('alter table files disable trigger user');
    await server.sql('alter table file_chunks disable trigger user');
    await server.sql('delete from file_chunks where org_id = $1', [orgId]);
    for (const { name, column } of references) await server.sql(`delete from ${name} where ${column} = $1`, [run.id]);
    await server.sql('alter table files enable trigger user');
    await server.sql('alter table file_chunks enable trigger user');
    await server.sql('delete from runs where org_id = $1 and id = $2', [orgId, run.id]);
    expect(await counted()).toBe(before - 1);
  });

  it('is postponed by 30 days if the database was restored after its date', async () => {
    const { orgId } = await aTeam();
    await server.sql(`insert into ending_organizations (org_id, ends_at) values ($1, now() - interval '1 day')`, [
      orgId,
    ]);
    writeFileSync(restoredFile(server.dataDir), '2026-11-01T00:00:00.000Z');
    await noteRestore(deps);
    await endOrganizations(deps);
    const [ending] = await server.sql<{ is_later: boolean }>(
      `select ends_at > now() + interval '29 days' as is_later from ending_organizations where org_id = $1`,
      [orgId],
    );
    expect(ending).toEqual({ is_later: true });
    const events = await server.sql(`select from audit_events where org_id = $1 and action = 'installation.restored'`, [
      orgId,
    ]);
    expect(events).toHaveLength(1);
  });

  it('can’t be set by the server’s role, which can’t delete the rows of an organization that hasn’t ended either', async () => {
    const team = await aTeam();
    const other = await aTeam();
    const asServer = (text: string) =>
      server.sql(
        `begin; set local role stet_app; select set_config('stet.org_id', '${team.orgId}', true); ${text}; commit`,
      );
    for (const { orgId } of [team, other]) {
      await expect(
        asServer(`insert into ending_organizations (org_id, ends_at) values ('${orgId}', now())`),
      ).rejects.toThrow('permission denied');
      await server.sql('rollback');
      await expect(asServer(`select delete_ended_rows('${orgId}', 'runs', 10)`)).rejects.toThrow('has not ended');
      await server.sql('rollback');
    }
    await expect(server.sql(`delete from audit_events where org_id = $1`, [team.orgId])).rejects.toThrow('append only');
  });
});

describe('tables', () => {
  it('come before those that they reference, and circles are refused', () => {
    const tables = [
      { name: 'a', references: [] },
      { name: 'b', references: ['a', 'users'] },
      { name: 'c', references: ['b', 'a'] },
    ];
    expect(referencingFirst(tables)).toEqual(['c', 'b', 'a']);
    expect(() =>
      referencingFirst([
        { name: 'x', references: ['y'] },
        { name: 'y', references: ['x'] },
      ]),
    ).toThrow('reference each other');
  });
});
