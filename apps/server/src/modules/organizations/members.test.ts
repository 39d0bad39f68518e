import type { AuditEventView, Member, User } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

describe('members', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const setRole = (
    by: Person,
    orgId: string,
    whom: Person,
    role: OrgRole,
  ): Promise<Reply<Member & { code?: string }>> =>
    by.call('PATCH', `/api/organizations/${orgId}/users/${whom.user.id}`, { role });
  const remove = (by: Person, orgId: string, whom: Person): Promise<Reply<{ code?: string }>> =>
    by.call('DELETE', `/api/organizations/${orgId}/users/${whom.user.id}`);
  const me = (who: Person): Promise<User> => who.get('/api/auth/me');
  const trail = async (orgId: string): Promise<string[]> =>
    (
      await server.sql<{ action: string }>(
        `select action from audit_events where org_id = $1 and action like 'member.%' order by seq`,
        [orgId],
      )
    ).map(({ action }) => action);

  it('can be given a different role that takes effect with their next request', async () => {
    const { owner, admin, orgId, viewer } = await teamOf(server, ['admin', 'viewer']);
    expect(await viewer.call('POST', '/api/workflows/mine/drafts', { steps: [] })).toMatchObject({ status: 403 });
    expect(await setRole(admin, orgId, viewer, 'editor')).toMatchObject({
      status: 200,
      body: { id: viewer.user.id, role: 'editor' },
    });
    expect(
      await viewer.call('POST', '/api/workflows/mine/drafts', { metadata: { title: 'Mine' }, steps: stepsNamed('Do') }),
    ).toMatchObject({ status: 201 });
    expect(await me(viewer)).toMatchObject({ orgRole: 'editor' });
    expect(await setRole(owner, orgId, viewer, 'viewer')).toMatchObject({ status: 200 });
    expect((await me(viewer)).orgPermissions).not.toContain('draft.edit');
    await setRole(owner, orgId, viewer, 'viewer');
    const { id, name, email } = viewer.user;
    const [last] = await owner.get<AuditEventView[]>('/api/audit/events?action=member.role_changed');
    expect(last).toMatchObject({ subject: { type: 'user', id, name }, data: { name, email } });
    expect(await trail(orgId)).toEqual(['member.role_changed', 'member.role_changed']);
  });

  it('can become owners or lose that role only through an owner', async () => {
    const { owner, admin, orgId, editor } = await teamOf(server, ['admin', 'editor']);
    expect(await setRole(admin, orgId, editor, 'owner')).toMatchObject({ status: 403, body: { code: 'owners_only' } });
    expect(await setRole(admin, orgId, owner, 'viewer')).toMatchObject({ status: 403, body: { code: 'owners_only' } });
    expect(await remove(admin, orgId, owner)).toMatchObject({ status: 403, body: { code: 'owners_only' } });
    expect(await setRole(editor, orgId, editor, 'admin')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await remove(editor, orgId, admin)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await setRole(owner, orgId, editor, 'owner')).toMatchObject({ status: 200 });
    expect(await setRole(editor, orgId, owner, 'admin')).toMatchObject({ status: 200 });
    expect(await setRole(owner, orgId, editor, 'admin')).toMatchObject({ status: 403, body: { code: 'owners_only' } });
  });

  it('always include an owner, so the last owner can neither leave nor get a different role', async () => {
    const { owner, orgId } = await teamOf(server, []);
    expect(await setRole(owner, orgId, owner, 'admin')).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    expect(await remove(owner, orgId, owner)).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    const alone = await server.signUp();
    expect(await remove(alone, alone.user.currentOrgId ?? '', alone)).toMatchObject({
      status: 409,
      body: { code: 'last_owner' },
    });
  });

  it("always include an owner, even if all owners concurrently leave or change each other's roles", async () => {
    for (const attempt of ['leave', 'demote'] as const) {
      const { owner, orgId } = await teamOf(server, []);
      const owners = [owner];
      for (let n = 0; n < 3; n += 1) {
        const another = await server.signUp();
        await joinOrganization(server, another, orgId, 'owner');
        owners.push(another);
      }
      const replies = await Promise.all(
        owners.map((who, n) =>
          attempt === 'leave'
            ? remove(who, orgId, who)
            : setRole(who, orgId, owners[(n + 1) % owners.length] ?? who, 'viewer'),
        ),
      );
      const left = await server.sql(`select 1 from memberships where org_id = $1 and role = 'owner'`, [orgId]);
      expect(left.length).toBeGreaterThanOrEqual(1);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(owners.length - left.length);
      for (const { status } of replies) expect([200, 403, 409]).toContain(status);
    }
  });

  it('can leave, even as viewers, and continue in their other organizations', async () => {
    const { orgId, viewer } = await teamOf(server, ['viewer']);
    const own = viewer.user.currentOrgId;
    expect(await remove(viewer, orgId, viewer)).toMatchObject({ status: 200 });
    expect(await me(viewer)).toMatchObject({ currentOrgId: own, orgRole: 'owner' });
    expect(await viewer.call('GET', `/api/organizations/${orgId}/users`)).toMatchObject({ status: 404 });
    expect(await trail(orgId)).toEqual(['member.left']);
  });

  it('lose access with their next request after they are removed', async () => {
    const { admin, orgId, editor } = await teamOf(server, ['admin', 'editor']);
    expect(await editor.call('GET', '/api/workflows')).toMatchObject({ status: 200 });
    expect(await remove(admin, orgId, editor)).toMatchObject({ status: 200 });
    expect(await editor.call('GET', '/api/workflows')).toMatchObject({ status: 401, body: { code: 'session_ended' } });
    const again = await server.anyone.post<{ token: string; user: User }>('/api/auth/login', {
      email: editor.user.email,
      password: 'a long enough one',
    });
    expect(again.user.organizations.map(({ id }) => id)).not.toContain(orgId);
    expect(again.user.currentOrgId).toBe(editor.user.currentOrgId);
    expect(
      await server.as(again.token).call('POST', '/api/users/switch-organization', { organizationId: orgId }),
    ).toMatchObject({ status: 403 });
    expect(await remove(admin, orgId, editor)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await trail(orgId)).toEqual(['member.removed']);
  });

  it('stay signed in if they are working in another organization when they are removed', async () => {
    const { owner, orgId, editor } = await teamOf(server, ['editor']);
    const own = editor.user.currentOrgId;
    await editor.post('/api/users/switch-organization', { organizationId: own });
    expect(await remove(owner, orgId, editor)).toMatchObject({ status: 200 });
    expect((await me(editor)).organizations.map(({ id }) => id)).toEqual([own]);
  });

  it('get an explanation, and can create an organization, if they no longer have one', async () => {
    const { owner, orgId, viewer } = await teamOf(server, ['viewer']);
    await server.sql('delete from memberships where user_id = $1 and org_id <> $2', [viewer.user.id, orgId]);
    await remove(viewer, orgId, viewer);
    expect(await me(viewer)).toMatchObject({ currentOrgId: null, orgRole: null, organizations: [] });
    expect(await viewer.call('GET', '/api/workflows')).toMatchObject({
      status: 409,
      body: { code: 'no_organization' },
    });
    const slug = `fresh-${process.pid}`;
    expect(await viewer.post('/api/organizations', { name: 'Fresh', slug })).toMatchObject({ orgRole: 'owner' });
    expect(
      await owner.call('PATCH', `/api/organizations/${orgId}/users/${viewer.user.id}`, { role: 'editor' }),
    ).toMatchObject({ status: 404 });
  });
});

describe('an organization', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('has a name and policies, and records changes to them in its trail', async () => {
    const { admin, orgId, editor } = await teamOf(server, ['admin', 'editor']);
    expect(await editor.get(`/api/organizations/${orgId}`)).toMatchObject({
      id: orgId,
      type: 'team',
      requiredApprovals: 1,
    });
    expect(await editor.call('PATCH', `/api/organizations/${orgId}`, { name: 'Mine' })).toMatchObject({ status: 403 });
    expect(await admin.patch(`/api/organizations/${orgId}`, { name: 'Renamed', requiredApprovals: 3 })).toMatchObject({
      name: 'Renamed',
      requiredApprovals: 3,
    });
    expect(await admin.patch(`/api/organizations/${orgId}`, { requiredApprovals: 3 })).toMatchObject({
      name: 'Renamed',
    });
    expect(await editor.get(`/api/organizations/${orgId}`)).toMatchObject({ name: 'Renamed', requiredApprovals: 3 });
    const events = await server.sql<{ action: string; payload: string }>(
      `select action, payload from audit_events where org_id = $1 and action in ('organization.changed', 'policy.changed') order by seq`,
      [orgId],
    );
    expect(events.map(({ action, payload }) => [action, (JSON.parse(payload) as { data: unknown }).data])).toEqual([
      ['organization.changed', { before: { name: expect.any(String) as string }, after: { name: 'Renamed' } }],
      ['policy.changed', { before: { requiredApprovals: 1 }, after: { requiredApprovals: 3 } }],
    ]);
    for (const requiredApprovals of [-1, 21, 1.5, '2']) {
      expect(await admin.call('PATCH', `/api/organizations/${orgId}`, { requiredApprovals })).toMatchObject({
        status: 400,
      });
    }
  });

  it('can’t require approvals if it is individual', async () => {
    const alone = await server.signUp();
    const path = `/api/organizations/${alone.user.currentOrgId}`;
    expect(await alone.call('PATCH', path, { requiredApprovals: 1 })).toMatchObject({
      status: 409,
      body: { code: 'individual_organization' },
    });
    expect(await alone.patch(path, { name: 'Renamed', requiredApprovals: 0 })).toMatchObject({
      name: 'Renamed',
      requiredApprovals: 0,
    });
  });
});
