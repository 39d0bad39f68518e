import type { Confirmation, Group } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { chanceOf } from '../../testing/governance/random.ts';
import { removalsBy } from '../../testing/groups.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

declare const process: { env: Record<string, string | undefined> };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const CHECK = { id: 'check', title: 'Check', type: 'approval', assignee: 'group:finance', next: [] as string[] };
const STEPS = [{ id: 'work', title: 'Work', next: ['check'] }, CHECK];

/** A team with the group Finance, to which the reviewer and the viewer belong. */
async function financeTeam() {
  const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
  const { owner, reviewer, viewer } = team;
  const members = [reviewer.user.id, viewer.user.id];
  const group = await owner.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members });
  return { ...team, group };
}
const removed = (by: Person, { id }: Group, ...people: Person[]) =>
  by.call<Group>('PATCH', `/api/groups/${id}`, { removeMembers: people.map(({ user }) => user.id) });
const membersOf = async (by: Person, { id }: Group): Promise<string[] | undefined> =>
  (await by.get<Group[]>('/api/groups')).find((group) => group.id === id)?.members;
const confirm = (who: Person, proposal: Confirmation | undefined) =>
  who.call('POST', `/api/confirmations/${proposal?.id}/confirm`);
const plain = (text: string | undefined) => text?.replaceAll(/[\u2068\u2069]/g, '');
const eventsOf = async (orgId: string, action: string) =>
  (
    await server.sql<{ payload: string }>(
      'select payload from audit_events where org_id = $1 and action = $2 order by seq',
      [orgId, action],
    )
  ).map(({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);

type Team = Awaited<ReturnType<typeof financeTeam>>;

/** The things that can name a group, each with its description in the proposal. */
const NAMING: Record<string, { name: (team: Team) => Promise<unknown>; words: string }> = {
  'a live version': {
    name: ({ editor, reviewer }) => publish(editor, reviewer, 'pay', STEPS),
    words: 'which is used in Title of pay',
  },
  'an open draft': {
    name: ({ editor }) => editor.post('/api/workflows/pay/drafts', { metadata: { title: 'Payment' }, steps: STEPS }),
    words: 'which is used in Payment',
  },
  'an open run of an older version': {
    name: async ({ editor, reviewer }) => {
      await publish(editor, reviewer, 'pay', STEPS);
      await start(editor, 'pay');
      await publish(editor, reviewer, 'pay');
    },
    words: 'which is used in Title of pay',
  },
  'a step that was handed over to it, even if its input waits for approval': {
    name: async ({ owner, editor, reviewer, viewer }) => {
      const work = { id: 'work', title: 'Work', assignee: 'editor', config: { requiresApproval: true } };
      await publish(owner, reviewer, 'pay', [work]);
      const { id } = await start(owner, 'pay');
      await act(editor, id, 'work', 'hand-over', { to: 'group:finance', reason: 'Busy' });
      expect((await complete(viewer, id, 'work')).status).toBe(200);
    },
    words: 'which is used in Title of pay',
  },
  'a rule about reviews': {
    name: ({ owner, orgId }) =>
      owner.patch(`/api/organizations/${orgId}/routes`, { routes: [{ if: 'loss', tag: null, group: 'finance' }] }),
    words: 'which is used in a rule about reviews',
  },
};

describe.each(Object.keys(NAMING))('removing members of a group that is named by %s', (what) => {
  const { name, words } = NAMING[what] ?? { name: () => Promise.resolve(), words: '' };

  it('waits until a second manager confirms it', async () => {
    const team = await financeTeam();
    const { owner, admin, orgId, reviewer, viewer, editor, group } = team;
    await name(team);
    const reply = await owner.patch<Group>(`/api/groups/${group.id}`, {
      name: 'Money',
      addMembers: [editor.user.id],
      removeMembers: [viewer.user.id],
    });
    // The name and the new member change immediately.
    expect(reply).toMatchObject({
      name: 'Money',
      pendingRemovals: [{ members: [viewer.user.id], proposedBy: { id: owner.user.id } }],
    });
    expect(reply.members).toContain(viewer.user.id);
    expect(reply.members).toContain(editor.user.id);
    const [proposal] = await removalsBy(owner, admin);
    expect(plain(proposal?.sentence)).toBe(`Remove The viewer from the group Finance, ${words}.`);
    expect((await confirm(owner, proposal)).status).not.toBe(200);
    expect(await membersOf(admin, group)).toContain(viewer.user.id);
    expect((await confirm(admin, proposal)).status).toBe(200);
    expect(await membersOf(admin, group)).not.toContain(viewer.user.id);
    expect((await eventsOf(orgId, 'group.changed')).at(-1)).toMatchObject({
      removed: [{ id: viewer.user.id }],
      proposedBy: owner.user.id,
    });
    expect((await owner.get<Group[]>('/api/groups'))[0]?.pendingRemovals).toEqual([]);
    expect((await owner.call('DELETE', `/api/groups/${group.id}`)).status).toBe(409);
    expect(await membersOf(admin, group)).toContain(reviewer.user.id);
  });
});

describe('removing members of a group', () => {
  it('takes effect immediately if nothing names the group, even if a draft named it earlier', async () => {
    const { owner, group, reviewer, viewer, editor } = await financeTeam();
    expect((await removed(owner, group, viewer)).body).toMatchObject({ members: [reviewer.user.id] });
    const { draftId } = await editor.post<{ draftId: string }>('/api/workflows/pay/drafts', {
      metadata: { title: 'Payment' },
      steps: STEPS,
    });
    expect((await removed(owner, group, reviewer)).body.pendingRemovals).toHaveLength(1);
    await editor.call('DELETE', `/api/workflows/pay/drafts/${draftId}`);
    expect((await removed(owner, group, reviewer)).body).toMatchObject({ members: [], pendingRemovals: [] });
  });

  it('adds to an earlier proposal by the same person, and a repeated proposal has no effect', async () => {
    const { owner, admin, orgId, group, reviewer, viewer, editor } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    await removed(owner, group, viewer);
    const [first] = await removalsBy(owner, admin);
    const second = await removed(owner, group, reviewer);
    expect(second.body.pendingRemovals).toMatchObject([{ members: [viewer.user.id, reviewer.user.id] }]);
    await removed(owner, group, viewer);
    await removed(owner, group, reviewer, viewer);
    expect(await eventsOf(orgId, 'confirmation.proposed')).toHaveLength(2);
    // The first proposal has been replaced.
    expect(await confirm(admin, first)).toMatchObject(refused(409, 'not_waiting'));
    const now = await removalsBy(owner, admin);
    expect(now).toHaveLength(1);
    expect((await confirm(admin, now[0])).status).toBe(200);
    expect(await membersOf(owner, group)).toEqual([]);
  });

  it('has a separate proposal for each manager, so nobody confirms their own proposal', async () => {
    const { owner, admin, group, reviewer, viewer, editor } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    await removed(owner, group, viewer);
    const both = await removed(admin, group, reviewer);
    expect(both.body.pendingRemovals).toMatchObject([{ members: [viewer.user.id] }, { members: [reviewer.user.id] }]);
    const [byOwner] = await removalsBy(owner, admin);
    const [byAdmin] = await removalsBy(admin, owner);
    // The owner confirms the admin's proposal, which doesn't contain the owner's own.
    expect((await confirm(owner, byAdmin)).status).toBe(200);
    expect(await membersOf(owner, group)).toEqual([viewer.user.id]);
    expect((await confirm(admin, byOwner)).status).toBe(200);
    expect(await membersOf(owner, group)).toEqual([]);
  });

  it('can’t be confirmed by another account of the same person', async () => {
    const { owner, admin, orgId, group, reviewer, viewer, editor } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    const twin = await server.signUp();
    const address = owner.user.email.replace('@', '+twin@');
    await server.sql('update users set email = $2 where id = $1', [twin.user.id, address]);
    await joinOrganization(server, twin, orgId, 'admin');
    await removed(twin, group, viewer);
    const [proposal] = await removalsBy(twin, admin);
    expect(await confirm(owner, proposal)).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect(await membersOf(owner, group)).toContain(viewer.user.id);
    expect((await confirm(admin, proposal)).status).toBe(200);
    expect(await membersOf(owner, group)).not.toContain(viewer.user.id);
  });

  it('takes effect immediately, with a note in the trail, if there is only one manager', async () => {
    const { owner, orgId, editor, reviewer, viewer } = await teamOf(server, ['editor', 'reviewer', 'viewer']);
    const members = [viewer.user.id];
    const group = await owner.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members });
    await publish(editor, reviewer, 'pay', STEPS);
    expect((await removed(owner, group, viewer)).body).toMatchObject({ members: [], pendingRemovals: [] });
    expect((await eventsOf(orgId, 'group.changed')).at(-1)).toMatchObject({
      removed: [{ id: viewer.user.id }],
      note: 'alone: no other proved owner or admin',
    });
    const titles = (await editor.get<{ title: string }[]>('/api/notifications')).map(({ title }) => title);
    expect(titles).toContain('Changed without a second person');
  });

  it('by someone who became the only manager applies only to people in the request, not to earlier proposals', async () => {
    const { owner, admin, orgId, group, reviewer, viewer, editor } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    await removed(owner, group, reviewer, viewer);
    await admin.call('DELETE', `/api/organizations/${orgId}/users/${admin.user.id}`);
    const earlier = `- 8 * interval '1 day'`;
    await server.sql(`update role_history set since = since ${earlier}, until = until ${earlier} where org_id = $1`, [
      orgId,
    ]);
    expect((await removed(owner, group, viewer)).body).toMatchObject({
      members: [reviewer.user.id],
      pendingRemovals: [{ members: [reviewer.user.id], proposedBy: { id: owner.user.id } }],
    });
    const change = (await eventsOf(orgId, 'group.changed')).at(-1);
    expect(change).toMatchObject({ removed: [{ id: viewer.user.id }], note: 'alone: no other proved owner or admin' });
    const bodies = (await editor.get<{ title: string; body: string }[]>('/api/notifications'))
      .filter(({ title }) => title === 'Changed without a second person')
      .map(({ body }) => plain(body));
    expect(bodies).toEqual([expect.stringContaining('Remove The viewer from the group Finance')]);
    // A new manager can confirm the rest.
    const next = await server.signUp();
    await joinOrganization(server, next, orgId, 'admin');
    const [proposal] = await removalsBy(owner, next);
    expect(plain(proposal?.sentence)).toBe(
      'Remove The reviewer from the group Finance, which is used in Title of pay.',
    );
    expect((await confirm(next, proposal)).status).toBe(200);
    expect(await membersOf(owner, group)).toEqual([]);
  });

  it('is no longer proposed once the group is deleted, and doesn’t affect a new group with its slug', async () => {
    const { owner, admin, group, reviewer, viewer, editor } = await financeTeam();
    const { draftId } = await editor.post<{ draftId: string }>('/api/workflows/pay/drafts', {
      metadata: { title: 'Payment' },
      steps: STEPS,
    });
    await removed(owner, group, viewer);
    const [proposal] = await removalsBy(owner, admin);
    await owner.patch(`/api/groups/${group.id}`, { name: 'Money' });
    expect((await owner.call('DELETE', `/api/groups/${group.id}`)).status).toBe(409);
    await editor.call('DELETE', `/api/workflows/pay/drafts/${draftId}`);
    expect((await owner.call('DELETE', `/api/groups/${group.id}`)).status).toBe(200);
    expect(await removalsBy(owner, admin)).toEqual([]);
    const members = [viewer.user.id];
    const again = await owner.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members });
    await publish(editor, reviewer, 'other', STEPS);
    expect(await confirm(admin, proposal)).toMatchObject(refused(409, 'not_waiting'));
    expect(await membersOf(admin, again)).toEqual(members);
  });

  it('doesn’t apply to someone who left the group in the meantime and was added again', async () => {
    const { owner, admin, orgId, group, reviewer, viewer, editor } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    await removed(owner, group, viewer);
    const [proposal] = await removalsBy(owner, admin);
    await viewer.call('DELETE', `/api/organizations/${orgId}/users/${viewer.user.id}`);
    expect((await owner.get<Group[]>('/api/groups'))[0]?.pendingRemovals).toEqual([]);
    await joinOrganization(server, viewer, orgId, 'viewer');
    await admin.patch(`/api/groups/${group.id}`, { addMembers: [viewer.user.id] });
    expect((await confirm(admin, proposal)).status).toBe(200);
    expect(await membersOf(admin, group)).toEqual([reviewer.user.id, viewer.user.id]);
  });

  it('needs no confirmation if they are removed from the organization, and managers are notified that the group is empty', async () => {
    const { owner, admin, orgId, group, reviewer, viewer, editor } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    const { id } = await start(editor, 'pay');
    await complete(editor, id, 'work');
    const remove = (person: Person) => owner.call('DELETE', `/api/organizations/${orgId}/users/${person.user.id}`);
    await owner.patch('/api/workflows/pay/people', { owners: [editor.user.id] });
    expect((await remove(viewer)).status).toBe(200);
    const titles = async () =>
      (await admin.get<{ title: string }[]>('/api/notifications')).map(({ title }) => plain(title));
    // The other manager and the workflow's owner are notified, and the trail says that nobody confirmed the removal.
    const gone = 'The viewer is no longer in Finance';
    expect(await titles()).toContain(gone);
    const [toOwner] = (await editor.get<{ title: string; body: string }[]>('/api/notifications')).filter(
      ({ title }) => plain(title) === gone,
    );
    expect(plain(toOwner?.body)).toContain(
      'removed The viewer from the organization, so The viewer is no longer in the group Finance, which is used in Title of pay.',
    );
    const lastChange = (await eventsOf(orgId, 'group.changed')).at(-1);
    expect(lastChange).toMatchObject({ because: 'member_removed', removed: [{ id: viewer.user.id }] });
    expect(plain(String(lastChange?.['note']))).toBe(
      'not confirmed by a second manager, although the group is used in Title of pay',
    );
    expect(await titles()).not.toContain('Nobody is in Finance any more');
    expect((await remove(reviewer)).status).toBe(200);
    expect(await membersOf(owner, group)).toEqual([]);
    expect(await titles()).toContain('Nobody is in Finance any more');
    expect((await act(admin, id, 'check', 'approve', { comments: 'Nobody is left' })).status).toBe(200);
  });

  it('through their departure from the organization is recorded with a note only if something names the group', async () => {
    const { owner, orgId, group, reviewer, viewer, editor } = await financeTeam();
    const members = [viewer.user.id];
    await owner.post<Group>('/api/groups', { name: 'Legal', slug: 'legal', members });
    await owner.post<Group>('/api/groups', { name: 'Tax', slug: 'tax', members });
    await publish(editor, reviewer, 'pay', STEPS);
    await publish(editor, reviewer, 'legal', [{ ...CHECK, assignee: 'Group:LEGAL, group:finance' }]);
    await viewer.call('DELETE', `/api/organizations/${orgId}/users/${viewer.user.id}`);
    const changes = (await eventsOf(orgId, 'group.changed')).filter(({ because }) => because === 'member_left');
    expect(changes.map(({ slug, note }) => [slug, plain(note as string | undefined) ?? null])).toEqual([
      [
        group.slug,
        'not confirmed by a second manager, although the group is used in Title of legal and other workflows',
      ],
      ['legal', 'not confirmed by a second manager, although the group is used in Title of legal'],
      ['tax', null],
    ]);
  });

  it('through their departure from the organization causes a notification only if something names the group', async () => {
    const { admin, orgId, group, reviewer, viewer, editor } = await financeTeam();
    const leave = (person: Person) => person.call('DELETE', `/api/organizations/${orgId}/users/${person.user.id}`);
    const all = () => admin.get<{ title: string; body: string }[]>('/api/notifications');
    const titles = async () => (await all()).map(({ title }) => plain(title));
    await leave(viewer);
    expect(await titles()).not.toContain('The viewer is no longer in Finance');
    await joinOrganization(server, viewer, orgId, 'viewer');
    await admin.patch(`/api/groups/${group.id}`, { addMembers: [viewer.user.id] });
    await publish(editor, reviewer, 'pay', STEPS);
    await leave(viewer);
    expect(await titles()).toContain('The viewer is no longer in Finance');
    expect((await all()).map(({ body }) => plain(body))).toContainEqual(
      expect.stringContaining(
        'The viewer left the organization, so they are no longer in the group Finance, which is used in Title of pay.',
      ),
    );
  });

  it('frees places in the group only when it is confirmed', async () => {
    const { owner, orgId, group, reviewer, editor, admin } = await financeTeam();
    await publish(editor, reviewer, 'pay', STEPS);
    const ids = await server.sql<{ id: string }>(
      `insert into users (id, name, email, password_hash, role)
       select gen_random_uuid(), 'Many', 'many-' || gen_random_uuid() || '@example.com', '', 'viewer' from generate_series(1, 498)
       returning id`,
    );
    await server.sql(`insert into memberships (org_id, user_id, role) select $1, unnest($2::uuid[]), 'viewer'`, [
      orgId,
      ids.map(({ id }) => id),
    ]);
    expect((await owner.call('PATCH', `/api/groups/${group.id}`, { addMembers: ids.map(({ id }) => id) })).status).toBe(
      200,
    );
    const swap = { addMembers: [admin.user.id], removeMembers: [reviewer.user.id] };
    expect(await owner.call('PATCH', `/api/groups/${group.id}`, swap)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'addMembers' }] },
    });
  });
});

/**
 * To run more attempts or repeat a run: `STET_ATTACKS=500 STET_SEED=1 npx vitest run --project integration <this
 * file>`.
 */
const attempts = Number(process.env['STET_ATTACKS'] ?? 40);
const seed = Number(process.env['STET_SEED'] ?? Date.now() % 1_000_000);

describe(`${attempts} attempts of one person to get someone out of a named group (seed ${seed})`, () => {
  it('all fail, with two manager accounts, whatever they do in between', { timeout: 800_000 }, async () => {
    const chance = chanceOf(seed);
    const { owner, admin, orgId, editor, reviewer, viewer, group } = await financeTeam();
    const twin = await server.signUp();
    await server.sql('update users set email = $2 where id = $1', [
      twin.user.id,
      owner.user.email.replace('@', '+two@'),
    ]);
    await joinOrganization(server, twin, orgId, 'admin');
    // The admin wants the reviewer to leave the group and proposes this, but confirms nothing.
    await publish(editor, admin, 'pay', STEPS);
    await removed(admin, group, reviewer);
    const accounts = [owner, twin];
    const people = [reviewer, viewer, editor, owner];
    const moves: ((by: Person) => Promise<unknown>)[] = [
      (by) => removed(by, group, chance.pick(people)),
      (by) => by.call('PATCH', `/api/groups/${group.id}`, { members: [chance.pick(people).user.id] }),
      (by) => by.call('PATCH', `/api/groups/${group.id}`, { addMembers: [chance.pick(people).user.id] }),
      (by) => by.call('PATCH', `/api/groups/${group.id}`, { name: `Name ${chance.below(9)}` }),
      (by) => by.call('DELETE', `/api/groups/${group.id}`),
      (by) => by.call('POST', '/api/groups', { name: 'Finance', slug: 'finance', members: [] }),
      (by) => start(by, 'pay'),
      async (by) => {
        const waiting = await by.get<Confirmation[]>('/api/confirmations');
        const own = waiting.filter(
          ({ kind, proposedBy }) => kind === 'group_members' && proposedBy.id !== admin.user.id,
        );
        if (own.length > 0) await confirm(by, chance.pick(own));
      },
      async (by) => {
        const waiting = await by.get<Confirmation[]>('/api/confirmations');
        if (waiting.length > 0) await by.call('POST', `/api/confirmations/${chance.pick(waiting).id}/refuse`, {});
      },
      async () => {
        const { draftId } = (await editor.call<{ draftId: string }>('POST', '/api/workflows/pay/versions/1/restore'))
          .body;
        await editor.call('DELETE', `/api/workflows/pay/drafts/${draftId}`);
      },
    ];
    for (let n = 0; n < attempts; n += 1) {
      const before = await membersOf(admin, group);
      await Promise.all([chance.pick(moves)(chance.pick(accounts)), chance.pick(moves)(chance.pick(accounts))]);
      const after = await membersOf(admin, group);
      expect({ seed, n, lost: before?.filter((id) => !after?.includes(id)) }).toEqual({ seed, n, lost: [] });
    }
    // A confirmation by the other manager is enough.
    await removed(owner, group, viewer);
    const [proposal] = await removalsBy(owner, admin);
    expect((await confirm(admin, proposal)).status).toBe(200);
    expect(await membersOf(admin, group)).not.toContain(viewer.user.id);
  });
});
