import type { Delegation } from '@stet/contract';
import { DAY_MS } from '@stet/domain/sla';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { changeBefore } from '../../testing/delayed-change.ts';
import { absence, delegate } from '../../testing/delegations.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const after = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const listOf = (person: Person): Promise<Delegation[]> => person.get<Delegation[]>('/api/delegations');
const titlesOf = async (person: Person): Promise<string[]> =>
  (await person.get<{ title: string }[]>('/api/notifications')).map(({ title }) => title);
const eventsOf = async (orgId: string, id: string) =>
  (
    await server.sql<{ action: string; payload: string }>(
      'select action, payload from audit_events where org_id = $1 and subject_id = $2 order by seq',
      [orgId, id],
    )
  ).map(({ action, payload }) => ({ action, data: (JSON.parse(payload) as { data: unknown }).data }));

describe('delegations', () => {
  it('are listed for both people, recorded, and can be ended only by the delegator', async () => {
    const { owner, orgId, editor, viewer } = await teamOf(server, ['editor', 'viewer']);
    const { id } = await delegate(editor, viewer, { kinds: ['votes', 'tasks'] });
    const [delegator, substitute] = [editor, viewer].map(({ user }) => ({ id: user.id, name: user.name }));
    const shown = {
      id,
      delegator,
      delegate: substitute,
      kinds: ['tasks', 'votes'],
      workflowKeys: null,
      isActive: true,
    };
    expect(await listOf(editor)).toMatchObject([shown]);
    expect(await listOf(viewer)).toMatchObject([shown]);
    expect(await listOf(owner)).toEqual([]);
    expect(await viewer.call('DELETE', `/api/delegations/${id}`)).toMatchObject({ status: 404 });
    expect(await editor.call('DELETE', `/api/delegations/${id}`)).toMatchObject({ status: 200 });
    expect(await editor.call('DELETE', `/api/delegations/${id}`)).toMatchObject({ status: 404 });
    expect(await listOf(editor)).toEqual([]);
    expect(await eventsOf(orgId, id)).toMatchObject([
      { action: 'delegation.created', data: { delegator, delegate: substitute, reason: 'On holiday' } },
      { action: 'delegation.ended', data: { delegator, delegate: substitute } },
    ]);
  });

  it('notify the delegate, and the owners too if decisions are delegated', async () => {
    const { owner, editor, viewer } = await teamOf(server, ['editor', 'viewer']);
    const tasks = await delegate(editor, viewer);
    expect(await titlesOf(viewer)).toEqual(['You do the work of The editor']);
    expect(await titlesOf(owner)).toEqual([]);
    await delegate(editor, viewer, { kinds: ['votes'] });
    expect(await titlesOf(owner)).toEqual(['The editor delegates decisions']);
    await editor.call('DELETE', `/api/delegations/${tasks.id}`);
    expect((await titlesOf(viewer))[0]).toBe('The viewer no longer does the work of The editor');
    expect(await titlesOf(editor)).toEqual([]);
  });

  it('end with either person’s membership, and don’t start again if the person returns', async () => {
    const { owner, orgId, editor, reviewer, viewer } = await teamOf(server, ['editor', 'reviewer', 'viewer']);
    const from = await delegate(editor, viewer);
    const to = await delegate(reviewer, editor);
    const other = await delegate(reviewer, viewer, { kinds: ['votes'] });
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${editor.user.id}`);
    await joinOrganization(server, editor, orgId, 'editor');
    expect(await server.sql('select id from delegations where org_id = $1', [orgId])).toEqual([{ id: other.id }]);
    expect(await listOf(reviewer)).toMatchObject([{ id: other.id }]);
    for (const { id } of [from, to])
      expect(await eventsOf(orgId, id)).toMatchObject([
        {},
        { action: 'delegation.ended', data: { because: 'member_removed' } },
      ]);
    expect(await titlesOf(reviewer)).toEqual(['The editor no longer does the work of The reviewer']);
  });

  it('end or are refused if the delegate leaves while they are created', async () => {
    const { orgId, editor } = await teamOf(server, ['editor']);
    for (let n = 0; n < 5; n += 1) {
      const leaver = await server.signUp();
      await joinOrganization(server, leaver, orgId, 'viewer');
      const [created, left] = await Promise.all([
        editor.call('POST', '/api/delegations', absence(leaver)),
        leaver.call('DELETE', `/api/organizations/${orgId}/users/${leaver.user.id}`),
      ]);
      expect([201, 400]).toContain(created.status);
      expect(left.status).toBe(200);
      expect(await listOf(editor)).toEqual([]);
    }
    const [open] = await server.sql<{ open: number }>(
      `select (count(*) filter (where action = 'delegation.created') - count(*) filter (where action = 'delegation.ended'))::int as open
       from audit_events where org_id = $1`,
      [orgId],
    );
    expect(open).toEqual({ open: 0 });
  });

  it('are refused if the delegator’s account is disabled at the same moment', async () => {
    const { orgId, editor, viewer } = await teamOf(server, ['editor', 'viewer']);
    const disabling = {
      text: 'update users set disabled_at = now() where id = $1',
      values: [editor.user.id],
      alone: true,
    };
    const created = await changeBefore(server, orgId, disabling, () =>
      editor.call('POST', '/api/delegations', absence(viewer)),
    );
    expect(created).toMatchObject({ status: 403 });
    await server.sql('update users set disabled_at = null where id = $1', [editor.user.id]);
    expect(await listOf(editor)).toEqual([]);
    expect((await editor.call('POST', '/api/delegations', absence(viewer))).status).toBe(201);
  });

  it('are created once if a request is repeated with the same key, or sent several times at once without one', async () => {
    const { editor, viewer } = await teamOf(server, ['editor', 'viewer']);
    const body = absence(viewer);
    const again = [1, 2].map(() => editor.call('POST', '/api/delegations', body, { 'idempotency-key': 'away' }));
    const [first, second] = await Promise.all(again);
    expect(first).toMatchObject({ status: 201 });
    expect(second?.body).toEqual(first?.body);
    const votes = await Promise.all(
      [1, 2, 3].map(() => editor.call('POST', '/api/delegations', absence(viewer, { kinds: ['votes'] }))),
    );
    expect(votes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it('can’t be created or ended with a token', async () => {
    const { editor, viewer } = await teamOf(server, ['editor', 'viewer']);
    const { id } = await delegate(editor, viewer);
    const byToken = await personalToken(server, editor);
    expect(await byToken.call('POST', '/api/delegations', absence(viewer, { kinds: ['votes'] }))).toMatchObject({
      status: 403,
    });
    expect(await byToken.call('DELETE', `/api/delegations/${id}`)).toMatchObject({ status: 403 });
  });
});

describe('an invalid delegation', () => {
  it.each<[string, object, string]>([
    ['a start in the past', { from: after(-1) }, 'from'],
    ['a start in more than a year', { from: after(366), until: after(367) }, 'from'],
    ['an end before the start', { from: after(3), until: after(2) }, 'until'],
    ['an end in the past', { until: after(-1) }, 'until'],
    ['more than 180 days', { from: after(1), until: after(182) }, 'until'],
    ['no work', { kinds: [] }, 'kinds'],
    ['unknown work', { kinds: ['managing'] }, 'kinds.0'],
    ['no workflow', { workflowKeys: [] }, 'workflowKeys'],
    ['an unknown workflow', { workflowKeys: ['pay', 'unknown'] }, 'workflowKeys.1'],
    ['no reason', { reason: ' ' }, 'reason'],
    ['a date without a time', { until: '2030-01-01' }, 'until'],
  ])('is refused with the name of the invalid field: %s', async (_, change, field) => {
    const { owner, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
    await publish(owner, reviewer, 'pay');
    expect(await editor.call('POST', '/api/delegations', absence(reviewer, change))).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    });
    expect(await listOf(editor)).toEqual([]);
  });

  it('is refused if the delegate is the delegator or isn’t a member', async () => {
    const { editor } = await teamOf(server, ['editor']);
    const stranger = await server.signUp();
    for (const to of [editor, stranger])
      expect(await editor.call('POST', '/api/delegations', absence(to))).toMatchObject({
        status: 400,
        body: { details: [{ field: 'toUserId' }] },
      });
  });

  it('is refused if it overlaps another, or if it is the 21st', async () => {
    const { owner, editor, reviewer, viewer } = await teamOf(server, ['editor', 'reviewer', 'viewer']);
    await publish(owner, reviewer, 'pay');
    await delegate(editor, reviewer);
    expect(await editor.call('POST', '/api/delegations', absence(viewer, { workflowKeys: ['pay'] }))).toMatchObject({
      status: 409,
      body: { code: 'delegation_overlaps', details: [{ field: 'from' }] },
    });
    for (let n = 10; n < 29; n += 1) await delegate(editor, viewer, { from: after(n), until: after(n + 1) });
    expect(
      await editor.call('POST', '/api/delegations', absence(viewer, { from: after(50), until: after(51) })),
    ).toMatchObject({ status: 409, body: { code: 'too_many_delegations' } });
  });
});
