import type { Group } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const create = (by: Person, slug: string, members: Person[] = []): Promise<Group> =>
  by.post<Group>('/api/groups', { name: `Group ${slug}`, slug, members: members.map(({ user }) => user.id) });

const events = async (orgId: string, groupId: string) =>
  (
    await server.sql<{ action: string; payload: string }>(
      `select action, payload from audit_events where org_id = $1 and subject_id = $2 order by seq`,
      [orgId, groupId],
    )
  ).map(({ action, payload }) => ({ action, data: (JSON.parse(payload) as { data: object }).data }));

describe('groups', () => {
  it('are listed by name for every member, and managed by owners and admins', async () => {
    const { owner, admin, viewer } = await teamOf(server, ['admin', 'viewer']);
    expect(await viewer.get('/api/groups')).toEqual([]);
    await create(owner, 'quality');
    const { id } = await create(admin, 'finance', [viewer, owner]);
    const members = [viewer.user.id, owner.user.id].toSorted();
    const finance = { id, slug: 'finance', name: 'Group finance', members, pendingRemovals: [] };
    const listed = await viewer.get<Group[]>('/api/groups');
    expect(listed.map(({ slug }) => slug)).toEqual(['finance', 'quality']);
    expect({ ...listed[0], members: listed[0]?.members.toSorted() }).toEqual(finance);
    for (const [method, path] of [
      ['PATCH', `/api/groups/${id}`],
      ['DELETE', `/api/groups/${id}`],
    ] as const)
      expect(await viewer.call(method, path, {})).toMatchObject({ status: 403 });
  });

  it('are created once if a request with the same key is repeated', async () => {
    const { owner } = await teamOf(server, []);
    const body = { name: 'Finance', slug: 'finance' };
    const replies = [1, 2].map(() => owner.call('POST', '/api/groups', body, { 'idempotency-key': 'one-group' }));
    const [first, second] = await Promise.all(replies);
    expect(first).toMatchObject({ status: 201, body: { slug: 'finance', members: [] } });
    expect(second?.body).toEqual(first?.body);
  });

  it('have a slug that is unique in the organization and never changes', async () => {
    const { owner } = await teamOf(server, []);
    const other = await teamOf(server, []);
    const { id } = await create(owner, 'finance');
    expect(await owner.call('POST', '/api/groups', { name: 'Again', slug: 'Finance' })).toMatchObject({
      status: 409,
      body: { code: 'group_slug_taken', details: [{ field: 'slug' }] },
    });
    expect(await create(other.owner, 'finance')).toMatchObject({ slug: 'finance' });
    expect(await owner.call('PATCH', `/api/groups/${id}`, { slug: 'money' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'slug' }] },
    });
    expect(await owner.patch(`/api/groups/${id}`, { slug: 'finance', name: 'Money' })).toMatchObject({
      slug: 'finance',
      name: 'Money',
    });
  });

  it.each([
    ['a slug with a space', { name: 'A', slug: 'a b' }, 'slug'],
    ['an empty name', { name: ' ', slug: 'a' }, 'name'],
    ['a name of two lines', { name: 'A\nB', slug: 'a' }, 'name'],
    ['a member without a valid id', { name: 'A', slug: 'a', members: ['sam@example.com'] }, 'members.0'],
  ])('can’t have %s', async (_, body, field) => {
    const { owner } = await teamOf(server, []);
    expect(await owner.call('POST', '/api/groups', body)).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    });
  });

  it('can’t contain people who aren’t members of the organization; the refusal names the field', async () => {
    const { owner, editor } = await teamOf(server, ['editor']);
    const stranger = await server.signUp();
    const members = [editor.user.id, stranger.user.id];
    const refusal = {
      status: 400,
      body: { details: [{ field: 'members.1', problem: 'This person is not a member of the organization' }] },
    };
    expect(await owner.call('POST', '/api/groups', { name: 'A', slug: 'a', members })).toMatchObject(refusal);
    const { id } = await create(owner, 'b');
    expect(await owner.call('PATCH', `/api/groups/${id}`, { members })).toMatchObject(refusal);
    expect(await owner.get<Group[]>('/api/groups')).toMatchObject([{ slug: 'b', members: [] }]);
  });

  it('can’t get members whose account is disabled; those who are in the group can stay', async () => {
    const { owner, reviewer, editor } = await teamOf(server, ['reviewer', 'editor']);
    const members = [reviewer.user.id, editor.user.id];
    const disabled = (field: string, who: Person) => ({
      status: 400,
      body: {
        code: 'invalid',
        details: [{ field, problem: expect.stringContaining(`${who.user.name} is disabled`) as unknown }],
      },
    });
    const group = await owner.post<Group>('/api/groups', { name: 'Early', slug: 'early', members });
    await server.sql('update users set disabled_at = now() where id = $1', [editor.user.id]);
    const create = { name: 'Finance', slug: 'finance', members };
    expect(await owner.call('POST', '/api/groups', create)).toMatchObject(disabled('members.1', editor));
    const finance = await owner.post<Group>('/api/groups', { ...create, members: [reviewer.user.id] });
    const change = (id: string, body: object) => owner.call<Group>('PATCH', `/api/groups/${id}`, body);
    expect(await change(finance.id, { members })).toMatchObject(disabled('members.1', editor));
    expect(await change(finance.id, { addMembers: [editor.user.id] })).toMatchObject(disabled('addMembers.0', editor));
    for (const body of [{ members: [...members, owner.user.id] }, { addMembers: [editor.user.id], name: 'Renamed' }])
      expect((await change(group.id, body)).body.members.toSorted()).toEqual([...members, owner.user.id].toSorted());
    await server.sql('update users set disabled_at = null where id = $1', [editor.user.id]);
    expect((await change(finance.id, { addMembers: [editor.user.id] })).body.members.toSorted()).toEqual(
      members.toSorted(),
    );
  });

  it('can’t be created in an individual organization', async () => {
    const alone = await server.signUp();
    expect(await alone.call('POST', '/api/groups', { name: 'A', slug: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'no_groups_alone' },
    });
  });

  it('are limited to 200 per organization', async () => {
    const { owner, orgId } = await teamOf(server, []);
    await server.sql(
      `insert into groups (org_id, id, slug, name) select $1, gen_random_uuid(), 'g' || n, 'G' from generate_series(1, 200) n`,
      [orgId],
    );
    expect(await owner.call('POST', '/api/groups', { name: 'A', slug: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'too_many_groups' },
    });
  });

  it('record the people who were added and removed, and notify them', async () => {
    const { owner, orgId, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
    const { id } = await create(owner, 'finance', [editor]);
    await owner.patch(`/api/groups/${id}`, { members: [reviewer.user.id], name: 'Money' });
    await owner.patch(`/api/groups/${id}`, { members: [reviewer.user.id], name: 'Money' });
    const addedBy = [owner.user.id];
    expect(await events(orgId, id)).toMatchObject([
      { action: 'group.created', data: { slug: 'finance', added: [{ id: editor.user.id }], addedBy } },
      {
        action: 'group.changed',
        data: {
          name: 'Group finance',
          after: { name: 'Money' },
          added: [{ id: reviewer.user.id, email: reviewer.user.email }],
          removed: [{ id: editor.user.id }],
        },
      },
    ]);
    const titles = async (person: Person) =>
      (await person.get<{ title: string }[]>('/api/notifications')).map(({ title }) => title);
    expect(await titles(editor)).toEqual(['You are no longer in Money', 'You are in Group finance']);
    expect(await titles(reviewer)).toEqual(['You are in Money']);
  });

  it('preserve the joining time of members who stay', async () => {
    const { owner, orgId, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
    const { id } = await create(owner, 'finance', [editor]);
    const since = () =>
      server.sql<{ added_at: Date }>('select added_at from group_members where org_id = $1 and user_id = $2', [
        orgId,
        editor.user.id,
      ]);
    const before = await since();
    await owner.patch(`/api/groups/${id}`, { members: [reviewer.user.id, editor.user.id] });
    expect(await since()).toEqual(before);
  });

  it('contain the changes of both managers if two change them at the same time', async () => {
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const { id } = await create(owner, 'finance', [editor]);
    const change = (by: Person, body: object) => by.call('PATCH', `/api/groups/${id}`, body);
    const replies = await Promise.all([
      change(owner, { addMembers: [viewer.user.id] }),
      change(admin, { addMembers: [reviewer.user.id], removeMembers: [editor.user.id] }),
      change(owner, { name: 'Money' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [group] = await owner.get<Group[]>('/api/groups');
    expect(group?.name).toBe('Money');
    expect(group?.members.toSorted()).toEqual([viewer.user.id, reviewer.user.id].toSorted());
    // Repeating a change, or removing someone who isn't in the group, has no effect.
    const again = await change(admin, { addMembers: [reviewer.user.id], removeMembers: [editor.user.id] });
    expect(again).toMatchObject({ status: 200, body: { members: group?.members } });

    const stranger = await server.signUp();
    expect(await change(owner, { addMembers: [reviewer.user.id, stranger.user.id] })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'addMembers.1' }] },
    });
    expect(await change(owner, { members: [], addMembers: [editor.user.id] })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'members' }] },
    });
  });

  it('lose a member who leaves the organization, with an event for each group', async () => {
    const { owner, orgId, editor, viewer } = await teamOf(server, ['editor', 'viewer']);
    const groups = [await create(owner, 'finance', [editor, viewer]), await create(owner, 'legal', [editor])];
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${editor.user.id}`);
    expect((await owner.get<Group[]>('/api/groups')).map(({ members }) => members)).toEqual([[viewer.user.id], []]);
    for (const { id } of groups)
      expect((await events(orgId, id)).at(-1)).toMatchObject({
        action: 'group.changed',
        data: { removed: [{ id: editor.user.id }], because: 'member_removed' },
      });
    // Someone who returns to the organization isn't in the groups any more.
    await joinOrganization(server, editor, orgId, 'editor');
    expect((await owner.get<Group[]>('/api/groups'))[1]?.members).toEqual([]);
  });

  it('never contain someone who leaves while they are being added', async () => {
    const { owner, admin, orgId } = await teamOf(server, ['admin']);
    for (let n = 0; n < 5; n += 1) {
      const leaver = await server.signUp();
      await joinOrganization(server, leaver, orgId, 'viewer');
      const { id } = await create(owner, `race-${n}`);
      const [added, left] = await Promise.all([
        admin.call('PATCH', `/api/groups/${id}`, { members: [leaver.user.id] }),
        leaver.call('DELETE', `/api/organizations/${orgId}/users/${leaver.user.id}`),
      ]);
      expect([200, 400]).toContain(added.status);
      expect(left.status).toBe(200);
      expect((await owner.get<Group[]>('/api/groups')).find((group) => group.id === id)?.members).toEqual([]);
    }
  });
});

describe('deleting a group', () => {
  const assigned = (slug: string) => [{ id: 'step-1', title: 'Pay', assignee: `sam@example.com, Group:${slug}` }];

  it('removes it permanently, and its slug can be used again', async () => {
    const { owner, editor } = await teamOf(server, ['editor']);
    const { id } = await create(owner, 'finance', [editor]);
    expect(await owner.call('DELETE', `/api/groups/${id}`)).toMatchObject({ status: 200 });
    expect(await owner.call('DELETE', `/api/groups/${id}`)).toMatchObject({ status: 404 });
    expect(await owner.call('PATCH', `/api/groups/${id}`, { name: 'A' })).toMatchObject({ status: 404 });
    expect(await create(owner, 'finance')).toMatchObject({ members: [] });
  });

  it('is refused while live versions, open drafts or open runs name it, and the refusal lists them', async () => {
    const { owner, reviewer } = await teamOf(server, ['reviewer']);
    const { id } = await create(owner, 'finance');
    await create(owner, 'finance-2');
    const refused = async () => owner.call<{ error: string; details: object[] }>('DELETE', `/api/groups/${id}`);
    await owner.post('/api/workflows/drafted/drafts', { metadata: { title: 'Drafted' }, steps: assigned('finance') });
    await publish(owner, reviewer, 'paid', assigned('finance'));
    await publish(owner, reviewer, 'other', assigned('finance-2'));
    const run = await start(owner, 'paid');
    expect(await refused()).toMatchObject({
      status: 409,
      body: {
        code: 'group_in_use',
        error: expect.stringContaining('Drafted') as string,
        details: [
          { key: 'drafted', title: 'Drafted', isLive: false, drafts: 1, runs: 0 },
          { key: 'paid', title: 'Title of paid', isLive: true, drafts: 0, runs: 1 },
        ],
      },
    });
    await owner.call('DELETE', '/api/workflows/drafted');
    await publish(owner, reviewer, 'paid', [{ id: 'step-1', title: 'Pay', assignee: 'editor' }]);
    expect((await refused()).body.details).toEqual([
      { key: 'paid', title: 'Title of paid', isLive: false, drafts: 0, runs: 1 },
    ]);
    await owner.post(`/api/runs/${run.id}/cancel`, { reason: 'Over' });
    expect(await refused()).toMatchObject({ status: 200 });
  });
});
