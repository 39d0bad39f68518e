import type { ContractKey, RouteSpec } from '@stet/contract';
import {
  ORG_ROLES,
  type OrgRole,
  PERMISSIONS,
  PERMISSION_NAMES,
  type Permission,
  scopesFor,
} from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../testing/api-tokens.ts';
import { ACCESS_TABLE } from '../testing/isolation/access-table.ts';
import { contentTitled, teamOf } from '../testing/organization.ts';
import { addressOf, fieldsOf, routes, tenantRoutes } from '../testing/routes.ts';
import { type Client, type TestServer, startTestServer } from '../testing/server.ts';
import { MATRIX } from '../testing/permission-matrix.ts';
import { type Team, newKey } from '../testing/permission-subjects.ts';

/** The refusal code for a call whose ids don't exist, or an empty string if it isn't refused. */
async function knock(client: Client, key: ContractKey, spec: RouteSpec): Promise<string> {
  const missing = { key: 'nothing-here', stepId: 'x', version: '9' };
  const nobody = '01890000-0000-7000-8000-000000000001';
  const params = Object.fromEntries(
    fieldsOf(spec.params).map((name) => [name, missing[name as keyof typeof missing] ?? nobody]),
  );
  // Exporting all runs takes a long time, and a nonexistent run is enough to check the permission.
  const query: Record<string, string> = fieldsOf(spec.query).includes('runId') ? { runId: nobody } : {};
  const { method, path } = addressOf(key, { params, query });
  const { body } = await client.call(method, path, spec.body && { nobodyDeclaredThis: 1 });
  return (body as { code?: string } | null)?.code ?? '';
}

describe('the permissions of each role', () => {
  let server: TestServer;
  let team: Team;

  beforeAll(async () => {
    server = await startTestServer();
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const author = await server.signUp();
    const orgId = owner.user.currentOrgId ?? '';
    await server.sql(`insert into memberships (org_id, user_id, role) values ($1, $2, 'editor')`, [
      orgId,
      author.user.id,
    ]);
    await server.sql('update users set current_org_id = $1 where id = $2', [orgId, author.user.id]);
    team = { owner, admin, editor, reviewer, viewer, author };
  });
  afterAll(() => server.stop());

  it('are all covered by the table of permissions', () => {
    const rows = new Set(MATRIX.map(([permission]) => permission));
    expect(PERMISSION_NAMES.filter((name) => !rows.has(name))).toEqual([]);
  });

  for (const [permission, what, given, call] of MATRIX) {
    const cells = given.split(' ');
    it.each(ORG_ROLES.map((role, column) => [role, cells[column] === 'Y' ? 'can' : 'can’t'] as const))(
      `${permission}: the role %s %s ${what}`,
      async (role, may) => {
        const { status, body } = await call(team[role], team, role);
        if (may === 'can') expect(status, JSON.stringify(body)).toBeLessThan(300);
        else
          expect({ status, body }).toMatchObject({
            status: 403,
            body: { code: /step/.test(permission) ? 'not_assigned' : 'forbidden' },
          });
      },
    );
  }

  it('match the separately written table of routes', () => {
    const declared = Object.fromEntries(
      routes.map(([key, { access, tokens = access === 'session' || access === 'installation' ? 'none' : 'any' }]) => [
        key,
        { access, tokens },
      ]),
    );
    const written = Object.fromEntries(
      ACCESS_TABLE.flatMap(({ access, tokens, routes: keys }) => keys.map((key) => [key, { access, tokens }])),
    );
    expect(declared).toEqual(written);
  });

  it.each(tenantRoutes)('%s accepts exactly the roles that have its permission', async (key, spec) => {
    const holders: readonly OrgRole[] = PERMISSIONS[spec.access as Permission];
    for (const role of ORG_ROLES) {
      const code = await knock(team[role], key, spec);
      expect({ role, forbidden: code === 'forbidden' }).toEqual({ role, forbidden: !holders.includes(role) });
    }
  });

  it.each(tenantRoutes)('%s accepts exactly the allowed API tokens that have its permission', async (key, spec) => {
    const permission = spec.access as Permission;
    const kinds = ['personal', 'organization'] as const;
    for (const kind of kinds) {
      const given = scopesFor(kind, kind === 'personal' ? 'owner' : 'admin');
      const others = given.filter((scope) => scope !== permission);
      const make = (scopes: readonly Permission[]) =>
        kind === 'personal'
          ? personalToken(server, team.owner, scopes)
          : organizationToken(server, team.owner, 'admin', scopes);
      const takesNone = spec.tokens === 'none' || (spec.tokens === 'personal' && kind === 'organization');
      const withoutIt = await knock(await make(others), key, spec);
      expect({ kind, code: withoutIt }).toEqual({ kind, code: takesNone ? 'not_for_tokens' : 'token_scope' });
      if (!given.includes(permission)) continue;
      const withIt = await knock(await make([permission]), key, spec);
      const isClosed = ['not_for_tokens', 'token_scope', 'forbidden'].includes(withIt);
      expect({ kind, code: withIt, isClosed }).toEqual({ kind, code: withIt, isClosed: takesNone });
    }
    await server.sql('delete from api_tokens');
  });

  it.each(routes.filter(([, { access }]) => access === 'session'))(
    '%s refuses API tokens unless it declares otherwise',
    async (key, spec) => {
      const token = await personalToken(server, team.viewer);
      expect(await knock(token, key, spec)).toBe(spec.tokens === 'any' ? '' : 'not_for_tokens');
    },
  );

  it('are never extended by the global role', async () => {
    await server.sql(`update users set role = 'editor' where id = $1`, [team.viewer.user.id]);
    expect((await team.viewer.call('POST', `/api/workflows/${newKey()}/drafts`, contentTitled('Mine'))).status).toBe(
      403,
    );
    expect(await team.viewer.get('/api/auth/me')).toMatchObject({
      orgRole: 'viewer',
      orgPermissions: ['workflow.read', 'run.note', 'step.act_assigned'],
    });
  });

  it('end as soon as the membership ends', async () => {
    const guest = await server.signUp();
    const orgId = team.owner.user.currentOrgId;
    await server.sql(`insert into memberships (org_id, user_id, role) values ($1, $2, 'admin')`, [
      orgId,
      guest.user.id,
    ]);
    await server.sql('update users set current_org_id = $1 where id = $2', [orgId, guest.user.id]);
    expect((await guest.call('GET', '/api/workflows')).status).toBe(200);
    await server.sql('delete from memberships where org_id = $1 and user_id = $2', [orgId, guest.user.id]);
    expect((await guest.call('GET', `/api/organizations/${orgId}/users`)).status).toBe(404);
    expect(JSON.stringify((await guest.call('GET', '/api/auth/me')).body)).not.toContain(orgId);
  });
});
