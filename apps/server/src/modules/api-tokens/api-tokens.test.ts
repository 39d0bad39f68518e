import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiToken, Run, WholeDraft } from '@stet/contract';
import { type CreatedToken, organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('API tokens', () => {
  let server: TestServer;
  let owner: Person;
  let admin: Person;
  let editor: Person;
  let viewer: Person;
  let orgId: string;
  let tokensOfOrg: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, admin, editor, viewer, orgId } = await teamOf(server, ['admin', 'editor', 'viewer']));
    tokensOfOrg = `/api/organizations/${orgId}/tokens`;
    await publish(editor, owner, 'flow', stepsNamed('First', 'Second'));
  });
  afterAll(() => server.stop());

  const ask = { name: 'CI', scopes: ['workflow.read'], expiresInDays: 30 };

  it('are shown only once, and neither lists nor the database contain their secrets', async () => {
    const { secret, token } = await editor.post<CreatedToken>('/api/tokens', ask);
    expect(secret).toMatch(/^stet_pat_[\w-]{43}$/);
    const listed = await editor.get<ApiToken[]>('/api/tokens');
    expect(listed.find(({ id }) => id === token.id)).toMatchObject({
      name: 'CI',
      ending: secret.slice(-4),
      role: null,
    });
    expect(JSON.stringify([listed, await owner.get(tokensOfOrg)])).not.toContain(secret);
    const stored = await server.sql<{ row: string }>('select t::text as row from api_tokens t');
    const events = await server.sql<{ row: string }>('select payload as row from audit_events');
    const savedKeys = await server.sql<{ row: string }>('select k::text as row from idempotency_keys k');
    for (const { row } of [...stored, ...events, ...savedKeys]) expect(row).not.toContain(secret.slice(9, -4));
  });

  it('are not stored under an idempotency key', async () => {
    const key = { 'idempotency-key': 'again' };
    const first = await editor.call<CreatedToken>('POST', '/api/tokens', ask, key);
    const second = await editor.call<CreatedToken>('POST', '/api/tokens', ask, key);
    expect(first.body.secret).not.toBe(second.body.secret);
    expect(await server.sql(`select 1 from idempotency_keys where key = 'again'`)).toEqual([]);
  });

  it('act in the organization they were created in, even if their owner has since selected a different one', async () => {
    const person = await server.signUp();
    const home = person.user.currentOrgId;
    const token = await personalToken(server, person);
    await person.post('/api/organizations', { name: 'Elsewhere', slug: 'elsewhere-tokens' });
    expect(await token.get('/api/auth/me')).toMatchObject({ currentOrgId: home, organizations: [{ id: home }] });
    expect((await person.get<{ currentOrgId: string }>('/api/auth/me')).currentOrgId).not.toBe(home);
  });

  it('allow only the actions within their scopes', async () => {
    const token = await personalToken(server, editor, ['workflow.read']);
    expect((await token.call('GET', '/api/workflows')).status).toBe(200);
    const refused = await token.call('POST', '/api/runs', { key: 'flow', name: 'A run' });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'token_scope', details: [{ permission: 'run.start' }] },
    });
  });

  it("lose permissions with their owner's role, and never exceed their scopes when the role gains some", async () => {
    const person = await server.signUp();
    await joinOrganization(server, person, orgId, 'editor');
    const token = await personalToken(server, person, ['workflow.read', 'draft.edit']);
    const permissions = async () => (await token.get<{ orgPermissions: string[] }>('/api/auth/me')).orgPermissions;
    await joinOrganization(server, person, orgId, 'viewer');
    expect(await permissions()).toEqual(['workflow.read']);
    await joinOrganization(server, person, orgId, 'owner');
    expect(await permissions()).toEqual(['workflow.read', 'draft.edit']);
  });

  it("can't get a scope that their owner lacks or that isn't available to tokens", async () => {
    const wish = (person: Person, scopes: string[]) => person.call('POST', '/api/tokens', { ...ask, scopes });
    expect(await wish(viewer, ['draft.edit'])).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect((await wish(owner, ['org.manage'])).status).toBe(400);
    expect((await wish(owner, ['everything'])).status).toBe(400);
    for (const scope of ['draft.review', 'step.act_approval', 'org.manage']) {
      const body = { ...ask, role: 'admin', scopes: [scope] };
      expect((await owner.call('POST', tokensOfOrg, body)).status).toBe(400);
    }
    expect((await owner.call('POST', tokensOfOrg, { ...ask, role: 'owner' })).status).toBe(400);
  });

  it('end when they are revoked, expire or lose their owner, even if they belong to the organization', async () => {
    const ended = { status: 401, body: { code: 'token_ended' } };
    const revoked = await personalToken(server, editor);
    await editor.call('DELETE', `/api/tokens/${revoked.id}`);
    expect(await revoked.call('GET', '/api/auth/me')).toMatchObject(ended);
    expect((await editor.call('DELETE', `/api/tokens/${revoked.id}`)).status).toBe(404);

    const expired = await personalToken(server, editor);
    await server.sql(`update api_tokens set expires_at = now() where id = $1`, [expired.id]);
    expect(await expired.call('GET', '/api/workflows')).toMatchObject(ended);

    const leaving = await server.signUp();
    await joinOrganization(server, leaving, orgId, 'admin');
    const theirs = await personalToken(server, leaving);
    const robot = await organizationToken(server, leaving, 'editor');
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${leaving.user.id}`);
    expect(await theirs.call('GET', '/api/workflows')).toMatchObject(ended);
    expect(await robot.call('GET', '/api/workflows')).toMatchObject(ended);
    expect(await server.as(`stet_pat_${'x'.repeat(43)}`).call('GET', '/api/workflows')).toMatchObject(ended);
  });

  it('continue to work for the organization if the manager who removes their creator takes them over', async () => {
    const leaving = await server.signUp();
    await joinOrganization(server, leaving, orgId, 'admin');
    const theirs = await personalToken(server, leaving);
    const robot = await organizationToken(server, leaving, 'editor');
    const membership = `/api/organizations/${orgId}/users/${leaving.user.id}`;
    const body = { takeOverTokens: true };
    expect(await leaving.call('DELETE', membership, body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await viewer.call('DELETE', membership, body)).toMatchObject({ status: 403 });
    expect((await owner.get<ApiToken[]>(tokensOfOrg)).find(({ id }) => id === robot.id)?.owner.id).toBe(
      leaving.user.id,
    );
    expect((await owner.call('DELETE', membership, body)).status).toBe(200);
    expect((await theirs.call('GET', '/api/workflows')).status).toBe(401);
    expect((await owner.get<ApiToken[]>(tokensOfOrg)).find(({ id }) => id === robot.id)?.owner.id).toBe(owner.user.id);
    const { draftId } = await robot.post<{ draftId: string }>('/api/workflows/by-robot/drafts', {
      metadata: { title: 'Created by a token' },
      steps: stepsNamed('First'),
    });
    const draft = await owner.get<WholeDraft>(`/api/workflows/by-robot/drafts/${draftId}`);
    // Only the creator was shown the secret, so the changes count as the creator's and also as the new owner's.
    const maker = { id: leaving.user.id, saves: 1, through: null, tokens: ['Robot'] };
    const holder = { id: owner.user.id, saves: 0, through: { id: leaving.user.id } };
    expect(draft.contributors).toMatchObject([maker, holder]);
    await owner.call('PATCH', `/api/workflows/by-robot/drafts/${draftId}`, {
      metadata: { title: 'Also created by a person' },
      steps: stepsNamed('First'),
    });
    const saved = await owner.get<WholeDraft>(`/api/workflows/by-robot/drafts/${draftId}`);
    expect(saved.contributors).toMatchObject([{ id: owner.user.id, saves: 1, through: null, tokens: [] }, maker]);
    const events = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'token.taken_over' and subject_id = $2`,
      [orgId, robot.id],
    );
    expect(events.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
      { data: { name: 'Robot', before: { ownerId: leaving.user.id }, after: { ownerId: owner.user.id } } },
    ]);
  });

  it('stay revoked if their owner leaves or is removed and later returns', async () => {
    for (const because of ['member_removed', 'member_left']) {
      const person = await server.signUp();
      await joinOrganization(server, person, orgId, 'editor');
      const theirs = await personalToken(server, person);
      const by = because === 'member_left' ? person : owner;
      await by.call('DELETE', `/api/organizations/${orgId}/users/${person.user.id}`);
      await server.sql(`insert into memberships (org_id, user_id, role) values ($1, $2, 'editor')`, [
        orgId,
        person.user.id,
      ]);
      expect(await theirs.call('GET', '/api/workflows')).toMatchObject({ status: 401, body: { code: 'token_ended' } });
      const recorded = await server.sql<{ payload: string }>(
        `select payload from audit_events where org_id = $1 and action = 'token.revoked' and subject_id = $2`,
        [orgId, theirs.id],
      );
      expect(recorded.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
        { actor: { id: by.user.id }, data: { because, ownerId: person.user.id } },
      ]);
    }
  });

  it('of all members can be listed and revoked by owners and admins, but not by other people', async () => {
    const token = await personalToken(server, editor);
    const listed = await admin.get<ApiToken[]>(tokensOfOrg);
    expect(listed.find(({ id }) => id === token.id)?.owner.email).toBe(editor.user.email);
    expect((await viewer.call('DELETE', `/api/tokens/${token.id}`)).status).toBe(404);
    expect((await editor.call('GET', tokensOfOrg)).status).toBe(403);
    expect((await admin.call('DELETE', `${tokensOfOrg}/${token.id}`)).status).toBe(200);
    expect((await token.call('GET', '/api/workflows')).status).toBe(401);
  });

  it('are recorded as actors in the audit trail, with the responsible person and without a session', async () => {
    const token = await personalToken(server, editor);
    const robot = await organizationToken(server, owner, 'editor');
    const names: [typeof token, object][] = [
      [token, { kind: 'token', name: `CI (token of ${editor.user.name})`, personId: editor.user.id }],
      [robot, { kind: 'token', name: 'Robot (organization token)', personId: owner.user.id }],
    ];
    for (const [client, actor] of names) {
      const { id } = await client.post<Run>('/api/runs', { key: 'flow', name: 'Created by a token' });
      const [event] = await server.sql<{ actor: string; payload: string }>(
        `select actor, payload from audit_events where run_id = $1 and action = 'run.started'`,
        [id],
      );
      expect(event?.actor).toBe(client.id);
      expect(JSON.parse(event?.payload ?? '')).toMatchObject({ actor });
      expect(event?.payload).not.toContain('sessionId');
      const run = await owner.get<{ history: { actor: object }[] }>(`/api/runs/${id}`);
      expect(run.history[0]?.actor).toMatchObject({ id: client.id, kind: 'token' });
    }
    const actions = await server.sql<{ action: string }>(
      `select action from audit_events where subject_type = 'token' and subject_id = $1`,
      [token.id],
    );
    expect(actions).toEqual([{ action: 'token.created' }]);
  });

  it("count as their owner, so people can't approve their own work with a token, or their token's work", async () => {
    const mine = await personalToken(server, admin);
    const robot = await organizationToken(server, admin, 'admin');
    for (const hands of [mine, robot]) {
      const key = `by-${hands.id}`;
      const { draftId } = await hands.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
        metadata: { title: 'Mine' },
        steps: stepsNamed('First'),
      });
      await hands.post(`/api/workflows/${key}/drafts/${draftId}/submit`);
      for (const again of [admin, mine])
        expect(
          await again.call('POST', `/api/workflows/${key}/drafts/${draftId}/approve`, undefined, { 'if-match': '"1"' }),
        ).toMatchObject({
          status: 403,
          body: { code: 'contributor_cannot_approve' },
        });
    }
    const checked = { requiresApproval: true };
    await publish(editor, owner, 'checked', [{ id: 'a', title: 'A', config: checked }]);
    const { id } = await owner.post<Run>('/api/runs', { key: 'checked', name: 'A run' });
    await robot.post(`/api/runs/${id}/steps/a/complete`, { output: { text: 'Done' } });
    const { revision } = await owner.get<Run>(`/api/runs/${id}`);
    const seen = { 'if-match': `"${revision}"` };
    for (const again of [admin, mine])
      expect(await again.call('POST', `/api/runs/${id}/steps/a/approve`, undefined, seen)).toMatchObject({
        status: 403,
        body: { code: 'own_submission' },
      });
    expect((await owner.call('POST', `/api/runs/${id}/steps/a/approve`)).status).toBe(200);
  });

  it('can neither approve nor skip steps, and can’t read notifications, if they belong to the organization', async () => {
    const robot = await organizationToken(server, owner, 'admin');
    await publish(editor, owner, 'vote', [{ id: 'a', title: 'A', type: 'approval' }]);
    const { id } = await owner.post<Run>('/api/runs', { key: 'vote', name: 'A run' });
    for (const [method, path] of [
      ['POST', `/api/runs/${id}/steps/a/approve`],
      ['POST', `/api/runs/${id}/steps/a/skip`],
      ['GET', '/api/notifications'],
    ] as const)
      expect(await robot.call(method, path)).toMatchObject({ status: 403, body: { code: 'not_for_tokens' } });
  });

  it('are limited to 50 personal ones per member', async () => {
    const person = await server.signUp();
    await server.sql(
      `insert into api_tokens (org_id, id, kind, user_id, name, scopes, hash, ending)
       select $1, gen_random_uuid(), 'personal', $2, 'n', '{}', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'abcd' from generate_series(1, 50)`,
      [person.user.currentOrgId, person.user.id],
    );
    expect(await person.call('POST', '/api/tokens', ask)).toMatchObject({
      status: 409,
      body: { code: 'too_many_tokens' },
    });
  });

  it('record when they were last used', async () => {
    const token = await personalToken(server, editor);
    await token.get('/api/auth/me');
    await expect
      .poll(async () => (await editor.get<ApiToken[]>('/api/tokens')).find(({ id }) => id === token.id)?.lastUsedAt)
      .toMatch(/^20/);
  });
});
