import type { Confirmation, OrganizationSettings } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish, teamOf } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { startTestServer } from '../../testing/server.ts';

const server = await startTestServer({ SIMULATED_FAILURE_RATE: '0' });
const { owner, editor, reviewer, orgId } = await teamOf(server, ['editor', 'reviewer']);
afterAll(() => server.stop());

const path = `/api/organizations/${orgId}`;
const steps = [{ id: 'robot', title: 'Robot', type: 'automated' }];

describe('the policies on runs', () => {
  it('can be changed only by managers, and the trail records each change', async () => {
    expect(await editor.call('PATCH', path, { simulatedSteps: 'refused' })).toMatchObject(refused(403, 'forbidden'));
    expect(await owner.get(path)).toMatchObject({
      simulatedSteps: 'allowed',
      editorsMayHelp: true,
      simulatedWorkflows: [],
    });
    await owner.patch(path, { editorsMayHelp: false });
    await owner.patch(path, { editorsMayHelp: true });
    const [event] = await owner.get<{ action: string; data: object }[]>('/api/audit/events?action=policy.changed');
    expect(event?.data).toMatchObject({ before: { editorsMayHelp: false }, after: { editorsMayHelp: true } });
  });

  it('list the affected live workflows when simulated steps are refused, and block merges but not runs', async () => {
    await publish(owner, reviewer, 'simulated', steps);
    await publish(owner, reviewer, 'scripted', [{ ...steps[0], id: 'a', title: 'A', config: { script: 'return 1' } }]);
    const concerned = [{ key: 'simulated', title: 'Title of simulated' }];
    expect((await owner.patch<OrganizationSettings>(path, { simulatedSteps: 'refused' })).simulatedWorkflows).toEqual(
      concerned,
    );
    expect((await editor.get<OrganizationSettings>(path)).simulatedWorkflows).toEqual(concerned);
    expect((await start(owner, 'simulated')).status).toBe('running');

    const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/another/drafts', {
      metadata: { title: 'Another' },
      steps,
    });
    const draft = `/api/workflows/another/drafts/${draftId}`;
    await reviewer.post(`${draft}/approve`);
    expect((await reviewer.get<{ blockers: object[] }>(draft)).blockers).toMatchObject([
      { code: 'simulated_steps', hint: expect.stringContaining('Robot') as unknown },
    ]);
    expect(await reviewer.call('POST', `${draft}/merge`)).toMatchObject({
      status: 409,
      body: { code: 'simulated_steps', details: [{ code: 'simulated_steps', stepIds: ['robot'] }] },
    });
    await owner.patch(path, { simulatedSteps: 'allowed' });
    expect((await reviewer.call('POST', `${draft}/merge`)).status).toBe(200);
  });
});

describe('a policy in an organization with a second manager', () => {
  it.each([
    ['editorsMayHelp', false, true, 'Let editors help on steps assigned to others.'],
    ['simulatedSteps', 'refused', 'allowed', 'Allow simulated steps in workflows that go live.'],
  ])('isn’t loosened until that manager confirms the change: %s', async (name, tight, loose, sentence) => {
    const { owner: first, admin, orgId: id } = await teamOf(server, ['admin']);
    const organization = `/api/organizations/${id}`;
    const holds = async (): Promise<unknown> => (await first.get<Record<string, unknown>>(organization))[name];
    expect(await first.patch(organization, { [name]: tight })).toMatchObject({ [name]: tight });
    expect(await first.patch(organization, { [name]: loose })).toMatchObject({ [name]: tight });
    const [waiting] = await admin.get<Confirmation[]>('/api/confirmations');
    expect(waiting).toMatchObject({ kind: 'policy', sentence, abilities: { confirm: true } });
    await first.patch(organization, { [name]: tight });
    expect(await holds()).toBe(tight);
    await admin.post(`/api/confirmations/${waiting?.id}/confirm`);
    expect(await holds()).toBe(loose);
    const [event] = await first.get<{ data: object }[]>('/api/audit/events?action=policy.changed');
    expect(event?.data).toMatchObject({ before: { [name]: tight }, after: { [name]: loose } });
  });
});
