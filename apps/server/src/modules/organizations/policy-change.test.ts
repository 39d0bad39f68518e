import type { OrganizationSettings } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, stepsNamed, teamOf } from '../../testing/organization.ts';
import { letDaysPass } from '../../testing/people/time.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

type Answer = Reply<OrganizationSettings & { code?: string }>;

describe('proposals to lower the number of required approvals', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const lower = (by: Person, orgId: string, requiredApprovals: number): Promise<Answer> =>
    by.call('PATCH', `/api/organizations/${orgId}`, { requiredApprovals });
  const confirm = (by: Person, orgId: string, body?: object): Promise<Answer> =>
    by.call('POST', `/api/organizations/${orgId}/policy-change/confirm`, body);
  const end = (by: Person, orgId: string): Promise<Answer> =>
    by.call('DELETE', `/api/organizations/${orgId}/policy-change`);
  const settings = (by: Person, orgId: string): Promise<OrganizationSettings> => by.get(`/api/organizations/${orgId}`);
  const trail = async (orgId: string): Promise<[action: string, data: object][]> =>
    (
      await server.sql<{ action: string; payload: string }>(
        `select action, payload from audit_events where org_id = $1 and action like 'policy.%' order by seq`,
        [orgId],
      )
    ).map(({ action, payload }) => [action, (JSON.parse(payload) as { data: object }).data]);
  const setRole = (by: Person, orgId: string, whom: Person, role: OrgRole): Promise<Reply<unknown>> =>
    by.call('PATCH', `/api/organizations/${orgId}/users/${whom.user.id}`, { role });

  it('wait for a second owner or admin, and change nothing until then', async () => {
    const { owner, admin, viewer, orgId } = await teamOf(server, ['admin', 'viewer']);
    const proposed = await lower(owner, orgId, 0);
    expect(proposed).toMatchObject({
      status: 200,
      body: { requiredApprovals: 1, pendingPolicy: { requiredApprovals: 0, proposedBy: { id: owner.user.id } } },
    });
    expect(await settings(viewer, orgId)).toMatchObject(proposed.body);
    expect(await confirm(admin, orgId)).toMatchObject({
      status: 200,
      body: { requiredApprovals: 0, pendingPolicy: null },
    });
    expect(await settings(viewer, orgId)).toMatchObject({ requiredApprovals: 0, pendingPolicy: null });
    const change = { before: { requiredApprovals: 1 }, after: { requiredApprovals: 0 } };
    expect(await trail(orgId)).toEqual([
      ['policy.change_proposed', change],
      ['policy.changed', { ...change, proposedBy: owner.user.id, proposedAt: proposed.body.pendingPolicy?.proposedAt }],
    ]);
  });

  it("can never be confirmed by their proposer, even in a different role, or by people who aren't managers", async () => {
    const { owner, admin, reviewer, orgId } = await teamOf(server, ['admin', 'reviewer']);
    await lower(admin, orgId, 0);
    expect(await confirm(admin, orgId)).toMatchObject({ status: 403, body: { code: 'proposer_cannot_confirm' } });
    await setRole(owner, orgId, admin, 'owner');
    expect(await confirm(admin, orgId)).toMatchObject({ status: 403, body: { code: 'proposer_cannot_confirm' } });
    expect(await confirm(reviewer, orgId)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await settings(owner, orgId)).toMatchObject({ requiredApprovals: 1 });
    // The owner can't be the second person yet, because they gave the proposer this role less than seven days ago.
    expect(await confirm(owner, orgId)).toMatchObject({ status: 409, body: { code: 'reviewer_not_counted_yet' } });
    await letDaysPass(server, orgId, 8);
    expect((await confirm(owner, orgId)).status).toBe(200);
  });

  it('apply immediately, with a note in the trail, if nobody else could confirm them', async () => {
    const { owner, orgId } = await teamOf(server, ['editor', 'reviewer']);
    expect(await lower(owner, orgId, 0)).toMatchObject({ body: { requiredApprovals: 0, pendingPolicy: null } });
    expect(await trail(orgId)).toMatchObject([['policy.changed', { note: 'alone: no other proved owner or admin' }]]);
  });

  it('are refused if the second manager has just left or lost the role', async () => {
    for (const taking of ['demoted', 'removed', 'left'] as const) {
      const { owner, admin, orgId } = await teamOf(server, ['admin']);
      const path = `/api/organizations/${orgId}/users/${admin.user.id}`;
      if (taking === 'demoted') await setRole(owner, orgId, admin, 'reviewer');
      else await (taking === 'removed' ? owner : admin).call('DELETE', path);
      const alone = await lower(owner, orgId, 0);
      expect({ taking, ...alone }).toMatchObject({
        status: 409,
        body: {
          code: 'reviewer_not_counted_yet',
          error: expect.stringMatching(
            /^Until recently, another owner or admin could have confirmed this, so you can’t decide it alone yet\. It counts from .+ UTC\.$/,
          ) as string,
        },
      });
      expect(await settings(owner, orgId)).toMatchObject({ requiredApprovals: 1, pendingPolicy: null });
      expect((await lower(owner, orgId, 2)).status).toBe(200);
      if (taking !== 'demoted') continue;
      await setRole(owner, orgId, admin, 'admin');
      expect(await lower(owner, orgId, 1)).toMatchObject({ body: { pendingPolicy: { requiredApprovals: 1 } } });
    }
  });

  it('can be refused by another manager or withdrawn by the proposer', async () => {
    const { owner, admin, orgId } = await teamOf(server, ['admin']);
    await lower(owner, orgId, 0);
    expect(await end(admin, orgId)).toMatchObject({ status: 200, body: { requiredApprovals: 1, pendingPolicy: null } });
    expect(await confirm(admin, orgId)).toMatchObject({ status: 409, body: { code: 'no_policy_change' } });
    await lower(owner, orgId, 0);
    expect((await end(owner, orgId)).status).toBe(200);
    expect(await end(owner, orgId)).toMatchObject({ status: 409, body: { code: 'no_policy_change' } });
    expect((await trail(orgId)).map(([action]) => action)).toEqual([
      'policy.change_proposed',
      'policy.change_refused',
      'policy.change_proposed',
      'policy.change_withdrawn',
    ]);
  });

  it('can’t be confirmed if they have changed since they were shown', async () => {
    const { owner, admin, orgId } = await teamOf(server, ['admin']);
    await lower(owner, orgId, 5);
    await lower(owner, orgId, 3);
    await lower(owner, orgId, 0);
    expect(await confirm(admin, orgId, { requiredApprovals: 3 })).toMatchObject({
      status: 409,
      body: { code: 'other_policy_change', error: expect.stringContaining('0 required approvals') as string },
    });
    expect(await settings(admin, orgId)).toMatchObject({ requiredApprovals: 5 });
    expect((await confirm(admin, orgId, { requiredApprovals: 0 })).status).toBe(200);
  });

  it('are replaced by a higher number that applies immediately', async () => {
    const { owner, admin, orgId } = await teamOf(server, ['admin']);
    await lower(owner, orgId, 0);
    expect(await lower(admin, orgId, 2)).toMatchObject({ body: { requiredApprovals: 2, pendingPolicy: null } });
    expect(await trail(orgId)).toMatchObject([
      ['policy.change_proposed', {}],
      ['policy.changed', { ended: { requiredApprovals: 0, by: owner.user.id } }],
    ]);
  });

  it("don't delay a name change in the same request, and are recorded only once", async () => {
    const { owner, orgId } = await teamOf(server, ['admin']);
    const body = { name: 'Renamed', requiredApprovals: 0 };
    for (const _ of [1, 2]) {
      expect(await owner.patch(`/api/organizations/${orgId}`, body)).toMatchObject({
        name: 'Renamed',
        requiredApprovals: 1,
        pendingPolicy: { requiredApprovals: 0 },
      });
    }
    expect(await trail(orgId)).toHaveLength(1);
  });

  it('are confirmed only once if two people confirm concurrently', async () => {
    const { owner, admin, orgId } = await teamOf(server, ['admin']);
    const third = await server.signUp();
    await joinOrganization(server, third, orgId, 'owner');
    for (let round = 0; round < 5; round += 1) {
      await lower(owner, orgId, 2);
      await lower(owner, orgId, 1);
      const answers = await Promise.all([confirm(admin, orgId), confirm(third, orgId)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
    expect((await trail(orgId)).filter(([, data]) => 'proposedBy' in data)).toHaveLength(5);
  });

  it('allow a draft to go live without approval only after confirmation', async () => {
    const { owner, admin, editor, orgId } = await teamOf(server, ['admin', 'editor']);
    const { draftId } = await editor.post<{ draftId: string }>('/api/workflows/lowered/drafts', {
      metadata: { title: 'Lowered' },
      steps: stepsNamed('First'),
    });
    const merge = (): Promise<Reply<unknown>> => owner.call('POST', `/api/workflows/lowered/drafts/${draftId}/merge`);
    await lower(owner, orgId, 0);
    expect((await merge()).status).toBe(409);
    await confirm(admin, orgId);
    expect((await merge()).status).toBe(200);
  });
});
