import type { Run, VersionRecord, WorkflowDetail } from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

const PLAIN = [{ id: 'pay', title: 'Pay', sla: '1 day' }];
const GUARDED = [
  { id: 'cfo', title: 'CFO approval', type: 'approval', sla: '1 day', next: ['pay'] },
  { id: 'pay', title: 'Pay', sla: '1 day' },
];

describe('rolling back in several steps', () => {
  let server: TestServer;
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let key: string;
  let keys = 0;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, editor, reviewer } = await teamOf(server, ['admin', 'editor', 'reviewer']));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    key = `steps-${(keys += 1)}`;
  });

  const rollBack = (to: number, body?: object): Promise<Reply<{ code?: string }>> =>
    owner.call('POST', `/api/workflows/${key}/versions/${to}/rollback`, body);
  const emergencyMerge = async (steps: object[]): Promise<number | undefined> => {
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'At once' },
      steps,
    });
    const path = `/api/workflows/${key}/drafts/${draftId}/merge`;
    const { version } = await owner.post<{ version: VersionRecord }>(path, { emergency: { reason: 'It burns' } });
    return version.version ?? undefined;
  };
  const live = async (): Promise<number | undefined> =>
    (await owner.get<WorkflowDetail>(`/api/workflows/${key}`)).version?.number;

  it("can't remove a control with an emergency merge that nobody has ratified", async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, GUARDED);
    expect(await rollBack(1)).toMatchObject({ status: 409, body: { code: 'rollback_needs_review' } });
    await emergencyMerge(stepsNamed('Anything'));
    // Otherwise v1 would be live without the CFO's approval and without a mark, because only v3 has the emergency's
    // mark.
    expect(await rollBack(1)).toMatchObject({ status: 409, body: { code: 'rollback_needs_review' } });
    expect(await live()).toBe(3);
  });

  it("can't remove a control through an intermediate version", async () => {
    const pay = (id: string, guarded: boolean) => [
      { id: 'cfo', title: 'CFO approval', type: 'approval', sla: '1 day', next: guarded ? [id] : [] },
      { id, title: id === 'pay' ? 'Pay' : 'Transfer', sla: '1 day', next: [] },
    ];
    await publish(editor, reviewer, key, pay('pay', false));
    await publish(editor, reviewer, key, pay('transfer', false));
    await publish(editor, reviewer, key, pay('pay', true));
    expect(await rollBack(1)).toMatchObject({ status: 409, body: { code: 'rollback_needs_review' } });
    await rollBack(2);
    await rollBack(1);
    expect(await live()).not.toBe(1);
  });

  it('preserves the mark on an emergency’s runs when the same version goes live again in a second emergency', async () => {
    await publish(editor, reviewer, key, PLAIN);
    const bad = (await emergencyMerge(stepsNamed('Anything'))) ?? 0;
    const { id } = await owner.post<Run>('/api/runs', { key, name: 'In the emergency' });
    const marked = async () => (await owner.get<Run & { emergency: unknown }>(`/api/runs/${id}`)).emergency;
    expect(await marked()).toMatchObject({ ratified: null, reason: 'It burns' });
    await rollBack(1);
    expect(await marked()).toMatchObject({ ratified: null, reason: 'It burns' });
    expect((await rollBack(bad, { emergency: true, reason: 'Again' })).status).toBe(200);
    expect(await marked()).toMatchObject({ ratified: null });
  });
});
