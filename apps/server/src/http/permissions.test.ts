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
import { publish, stepsNamed, teamOf } from '../testing/organization.ts';
import { addressOf, fieldsOf, routes, tenantRoutes } from '../testing/routes.ts';
import { type Client, type Person, type Reply, type TestServer, startTestServer } from '../testing/server.ts';

type Team = Record<OrgRole, Person> & { author: Person };
type Call = (person: Person, team: Team, role: OrgRole) => Promise<Reply<unknown>>;

const Y = true;
const n = false;

let keys = 0;
const newKey = (): string => `subject-${(keys += 1)}`;
const content = (title: string): object => ({ metadata: { title }, steps: stepsNamed('First', 'Second') });

/** A draft of someone else's, in review, approved by the owner where asked for. */
async function draftInReview({ author, owner }: Team, { approved = false, live = false } = {}): Promise<string> {
  const key = newKey();
  if (live) await publish(author, owner, key);
  const { draftId } = await author.post<{ draftId: string }>(
    `/api/workflows/${key}/drafts`,
    content(live ? 'Changed' : 'New'),
  );
  const path = `/api/workflows/${key}/drafts/${draftId}`;
  await author.post(`${path}/submit`);
  if (approved) await owner.post(`${path}/approve`);
  return path;
}

async function liveWorkflow({ author, owner }: Team, steps = stepsNamed('First', 'Second')): Promise<string> {
  const key = newKey();
  await publish(author, owner, key, steps);
  return key;
}

async function running(team: Team, step: Partial<ReturnType<typeof stepsNamed>[number]> = {}): Promise<string> {
  const key = await liveWorkflow(team, [{ id: 'step-1', title: 'First', ...step }]);
  const { id } = await team.owner.post<{ id: string }>('/api/runs', { key, name: 'A run' });
  return `/api/runs/${id}`;
}

const completing =
  (step: (person: Person, role: OrgRole) => Partial<ReturnType<typeof stepsNamed>[number]>): Call =>
  async (person, team, role) =>
    person.call('POST', `${await running(team, step(person, role))}/steps/step-1/complete`, {
      output: { text: 'Done' },
    });

async function rolledBack(person: Person, team: Team): Promise<Reply<unknown>> {
  const key = await liveWorkflow(team);
  const { draftId } = await team.author.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content('Second'));
  await team.owner.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
  await team.owner.post(`/api/workflows/${key}/drafts/${draftId}/merge`);
  return person.call('POST', `/api/workflows/${key}/versions/1/rollback`);
}

// Rulings, section 3, written out cell by cell: owner, admin, editor, reviewer, viewer.
const MATRIX: readonly (readonly [
  Permission,
  what: string,
  owner: boolean,
  admin: boolean,
  editor: boolean,
  reviewer: boolean,
  viewer: boolean,
  Call,
])[] = [
  ['workflow.read', 'count workflows', Y, Y, Y, Y, Y, (person) => person.call('GET', '/api/workflow-counts')],
  ['workflow.read', 'see workflows', Y, Y, Y, Y, Y, (person) => person.call('GET', '/api/workflows')],
  [
    'workflow.read',
    'see versions',
    Y,
    Y,
    Y,
    Y,
    Y,
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/versions/1`),
  ],
  ['workflow.read', 'search workflows', Y, Y, Y, Y, Y, (person) => person.call('GET', '/api/workflow-search?q=first')],
  [
    'workflow.read',
    'read a version',
    Y,
    Y,
    Y,
    Y,
    Y,
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/document`),
  ],
  [
    'workflow.read',
    'take a version along as a document',
    Y,
    Y,
    Y,
    Y,
    Y,
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/versions/1/document`),
  ],
  [
    'workflow.read',
    'see a draft',
    Y,
    Y,
    Y,
    Y,
    Y,
    async (person, team) => person.call('GET', await draftInReview(team)),
  ],
  [
    'workflow.read',
    'see runs and their history',
    Y,
    Y,
    Y,
    Y,
    Y,
    async (person, team) => person.call('GET', await running(team)),
  ],
  [
    'draft.edit',
    'create a draft',
    Y,
    Y,
    Y,
    n,
    n,
    (person) => person.call('POST', `/api/workflows/${newKey()}/drafts`, content('Mine')),
  ],
  [
    'draft.edit',
    'edit a draft',
    Y,
    Y,
    Y,
    n,
    n,
    async (person, team) => person.call('PATCH', await draftInReview(team), content('Edited')),
  ],
  [
    'org.manage',
    'refuse a change of policy',
    Y,
    Y,
    n,
    n,
    n,
    async (person, team) => {
      const path = `/api/organizations/${team.owner.user.currentOrgId}`;
      await team.owner.patch(path, { requiredApprovals: 0 });
      return person.call('DELETE', `${path}/policy-change`);
    },
  ],
  [
    'draft.edit',
    'rebase a draft',
    Y,
    Y,
    Y,
    n,
    n,
    async (person, team) => person.call('POST', `${await draftInReview(team)}/rebase`),
  ],
  [
    'draft.edit',
    'import a file',
    Y,
    Y,
    Y,
    n,
    n,
    (person) => person.call('POST', `/api/workflows/${newKey()}/import-yaml?format=json`, content('Mine')),
  ],
  [
    'draft.edit',
    'try a script',
    Y,
    Y,
    Y,
    n,
    n,
    (person) => person.call('POST', '/api/workflows/script-trial', { script: 'return 1' }),
  ],
  [
    'workflow.read',
    'export a file',
    Y,
    Y,
    Y,
    Y,
    Y,
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/export-yaml`),
  ],
  [
    'draft.edit',
    'withdraw a draft',
    Y,
    Y,
    Y,
    n,
    n,
    async (person, team) => person.call('POST', `${await draftInReview(team)}/withdraw`),
  ],
  [
    'draft.edit',
    'discard a draft one has edited',
    Y,
    Y,
    Y,
    n,
    n,
    async (person, team) => {
      const path = await draftInReview(team);
      await person.call('PATCH', path, content('Edited'));
      return person.call('DELETE', path);
    },
  ],
  [
    'draft.comment',
    'comment',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => person.call('POST', `${await draftInReview(team)}/comments`, { body: 'Well' }),
  ],
  [
    'draft.comment',
    'settle a comment',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => {
      const path = `${await draftInReview(team)}/comments`;
      const { id } = await team.author.post<{ id: string }>(path, { body: 'Well' });
      return person.call('POST', `${path}/${id}/resolve`);
    },
  ],
  [
    'draft.review',
    'approve',
    Y,
    Y,
    n,
    Y,
    n,
    async (person, team) => person.call('POST', `${await draftInReview(team)}/approve`),
  ],
  [
    'draft.review',
    'request changes',
    Y,
    Y,
    n,
    Y,
    n,
    async (person, team) => person.call('POST', `${await draftInReview(team)}/request-changes`, { comment: 'No' }),
  ],
  [
    'draft.merge',
    'merge',
    Y,
    Y,
    n,
    Y,
    n,
    async (person, team) => person.call('POST', `${await draftInReview(team, { approved: true })}/merge`),
  ],
  ['draft.merge', 'roll back', Y, Y, n, Y, n, rolledBack],
  [
    'workflow.archive',
    'archive a workflow',
    Y,
    Y,
    n,
    n,
    n,
    async (person, team) => person.call('DELETE', `/api/workflows/${await liveWorkflow(team)}`),
  ],
  [
    'workflow.archive_unmerged',
    'delete one that was never merged',
    Y,
    Y,
    Y,
    n,
    n,
    async (person, team) => {
      const path = await draftInReview(team);
      return person.call('DELETE', path.slice(0, path.indexOf('/drafts')));
    },
  ],
  [
    'run.start',
    'start a run',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => person.call('POST', '/api/runs', { key: await liveWorkflow(team), name: 'A run' }),
  ],
  ['run.control', 'pause', Y, Y, Y, Y, n, async (person, team) => person.call('POST', `${await running(team)}/pause`)],
  [
    'run.control',
    'resume',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => {
      const path = await running(team);
      await team.owner.post(`${path}/pause`);
      return person.call('POST', `${path}/resume`);
    },
  ],
  [
    'run.control',
    'cancel',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => person.call('POST', `${await running(team)}/cancel`, { reason: 'Over' }),
  ],
  [
    'run.control',
    'retry',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => {
      const path = await running(team, { type: 'approval' });
      await team.owner.post(`${path}/steps/step-1/reject`, { comments: 'No' });
      return person.call('POST', `${path}/steps/step-1/retry`);
    },
  ],
  ['step.act_any', 'complete any step', Y, Y, Y, n, n, completing(() => ({}))],
  [
    'step.act_any',
    'skip any step',
    Y,
    Y,
    Y,
    n,
    n,
    async (person, team) => person.call('POST', `${await running(team)}/steps/step-1/skip`),
  ],
  [
    'step.act_approval',
    'approve any approval step',
    Y,
    Y,
    Y,
    Y,
    n,
    async (person, team) => person.call('POST', `${await running(team, { type: 'approval' })}/steps/step-1/approve`),
  ],
  [
    'step.act_assigned',
    'complete a step that one is assigned',
    Y,
    Y,
    Y,
    Y,
    Y,
    completing((person) => ({ assignee: person.user.email.toUpperCase() })),
  ],
  ['step.act_assigned', 'complete a step of one’s role', Y, Y, Y, Y, Y, completing((_, role) => ({ assignee: role }))],
  [
    'step.act_assigned',
    'complete a step of one’s role in its settings',
    Y,
    Y,
    Y,
    Y,
    Y,
    completing((_, role) => ({ config: { assignedRole: role } })),
  ],
  [
    'org.manage',
    'see invitations',
    Y,
    Y,
    n,
    n,
    n,
    (person, team) => person.call('GET', `/api/organizations/${team.owner.user.currentOrgId}/invitations`),
  ],
  [
    'org.manage',
    'invite',
    Y,
    Y,
    n,
    n,
    n,
    (person, team) =>
      person.call('POST', `/api/organizations/${team.owner.user.currentOrgId}/invitations`, {
        email: `${newKey()}@example.com`,
        role: 'viewer',
      }),
  ],
  [
    'org.manage',
    'change a policy',
    Y,
    Y,
    n,
    n,
    n,
    (person, team) =>
      person.call('PATCH', `/api/organizations/${team.owner.user.currentOrgId}`, { requiredApprovals: 1 }),
  ],
  [
    'org.manage',
    'change a member’s role',
    Y,
    Y,
    n,
    n,
    n,
    (person, team) =>
      person.call('PATCH', `/api/organizations/${team.owner.user.currentOrgId}/users/${team.author.user.id}`, {
        role: 'editor',
      }),
  ],
  [
    'audit.export',
    'export the audit',
    Y,
    Y,
    Y,
    n,
    n,
    (person) => person.call('GET', '/api/audit/export.pdf?to=2001-01-01T00:00:00Z'),
  ],
];

/** The code of the refusal, empty where it is none, of a call that names nothing that is there. */
async function knock(client: Client, key: ContractKey, spec: RouteSpec): Promise<string> {
  const missing = { key: 'nothing-here', stepId: 'x', version: '9' };
  const nobody = '01890000-0000-7000-8000-000000000001';
  const params = Object.fromEntries(
    fieldsOf(spec.params).map((name) => [name, missing[name as keyof typeof missing] ?? nobody]),
  );
  // A document of all runs takes long to write; that of a run that isn't there says as much.
  const query: Record<string, string> = fieldsOf(spec.query).includes('runId') ? { runId: nobody } : {};
  const { method, path } = addressOf(key, { params, query });
  const { body } = await client.call(method, path, spec.body && { nobodyDeclaredThis: 1 });
  return (body as { code?: string } | null)?.code ?? '';
}

describe('who may do what', () => {
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

  it('has a row for every permission', () => {
    const rows = new Set(MATRIX.map(([permission]) => permission));
    expect(PERMISSION_NAMES.filter((name) => !rows.has(name))).toEqual([]);
  });

  for (const [permission, what, ...rest] of MATRIX) {
    const call = rest[5];
    it.each(ORG_ROLES.map((role, column) => [role, rest[column] === true] as const))(
      `${permission}: to ${what} is given to the %s: %s`,
      async (role, may) => {
        const { status, body } = await call(team[role], team, role);
        if (may) expect(status, JSON.stringify(body)).toBeLessThan(300);
        else
          expect({ status, body }).toMatchObject({
            status: 403,
            body: { code: /step/.test(permission) ? 'not_assigned' : 'forbidden' },
          });
      },
    );
  }

  it('is declared as it is written down apart from the routes', () => {
    const declared = Object.fromEntries(
      routes.map(([key, { access, tokens = access === 'session' ? 'none' : 'any' }]) => [key, { access, tokens }]),
    );
    const written = Object.fromEntries(
      ACCESS_TABLE.flatMap(({ access, tokens, routes: keys }) => keys.map((key) => [key, { access, tokens }])),
    );
    expect(declared).toEqual(written);
  });

  it.each(tenantRoutes)('%s is open to exactly the roles of its permission', async (key, spec) => {
    const holders: readonly OrgRole[] = PERMISSIONS[spec.access as Permission];
    for (const role of ORG_ROLES) {
      const code = await knock(team[role], key, spec);
      expect({ role, forbidden: code === 'forbidden' }).toEqual({ role, forbidden: !holders.includes(role) });
    }
  });

  it.each(tenantRoutes)('%s is open to exactly the API tokens that have its permission', async (key, spec) => {
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
    '%s takes no API token, unless it says so',
    async (key, spec) => {
      const token = await personalToken(server, team.viewer);
      expect(await knock(token, key, spec)).toBe(spec.tokens === 'any' ? '' : 'not_for_tokens');
    },
  );

  it('lets nobody widen an organization role by the global one', async () => {
    await server.sql(`update users set role = 'editor' where id = $1`, [team.viewer.user.id]);
    expect((await team.viewer.call('POST', `/api/workflows/${newKey()}/drafts`, content('Mine'))).status).toBe(403);
    expect(await team.viewer.get('/api/auth/me')).toMatchObject({
      orgRole: 'viewer',
      orgPermissions: ['workflow.read', 'step.act_assigned'],
    });
  });

  it('takes a right away with the membership, at once', async () => {
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
