import type { FoundWorkflow, WorkflowCounts, WorkflowDetail, WorkflowSummary } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refused, startDraftBench } from '../../testing/drafts.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, create } = bench;
afterAll(() => server.stop());

const tagsOf = async (key: string): Promise<string[]> =>
  (await editor.get<WorkflowDetail>(`/api/workflows/${key}`)).tags;
const save = (key: string, ...tags: string[]) => owner.call('PATCH', `/api/workflows/${key}`, { tags });

describe('the tags of a workflow', () => {
  let key: string;
  let other: string;
  beforeAll(async () => {
    other = bench.newKey();
    await create();
    key = bench.newKey();
    await create();
  });

  it('are normalized, and recorded once in the audit trail', async () => {
    expect(await save(key, ' Payments ', 'EU  customers', 'payments')).toMatchObject({
      status: 200,
      body: { tags: ['eu customers', 'payments'] },
    });
    await save(key, 'payments', 'eu customers');
    expect(await tagsOf(key)).toEqual(['eu customers', 'payments']);
    const events = await server.sql<{ payload: string }>(
      `select payload from audit_events where action = 'workflow.tags_changed'`,
    );
    expect(events.map(({ payload }) => (JSON.parse(payload) as { data: object }).data)).toEqual([
      { key, before: { tags: [] }, after: { tags: ['eu customers', 'payments'] } },
    ]);
  });

  it('filter every list of workflows, and are counted', async () => {
    await save(key, 'payments', 'eu');
    await save(other, 'eu');
    const listed = async (tag: string) =>
      (await editor.get<WorkflowSummary[]>(`/api/workflows?tag=${tag}`)).map((each) => each.key);
    const found = async (tag: string) =>
      (await editor.get<FoundWorkflow[]>(`/api/workflow-search?q=hiring&tag=${tag}`)).map((each) => each.key);
    for (const list of [listed, found]) {
      expect(await list('Payments')).toEqual([key]);
      expect((await list('eu')).toSorted()).toEqual([key, other].toSorted());
      expect(await list('none')).toEqual([]);
      expect(await list('')).toHaveLength(2);
    }
    expect((await editor.get<WorkflowCounts>('/api/workflow-counts')).tags).toEqual([
      { tag: 'eu', count: 2 },
      { tag: 'payments', count: 1 },
    ]);
  });

  it('are included in the search for workflows', async () => {
    await save(key, 'payments', 'eu customers');
    const listed = async (q: string) =>
      (await editor.get<WorkflowSummary[]>(`/api/workflows?q=${q}`)).map((each) => each.key);
    expect(await listed('PAYM')).toEqual([key]);
    expect(await listed('eu+cust')).toEqual([key]);
    expect(await listed('%25')).toEqual([]);
  });

  it('don’t move the workflow to the top of the list', async () => {
    await save(other, 'moved');
    expect((await editor.get<WorkflowSummary[]>('/api/workflows')).map((each) => each.key)).toEqual([key, other]);
  });

  it('can only be changed by owners and admins, within limits', async () => {
    for (const person of [editor, reviewer])
      expect((await person.call('PATCH', `/api/workflows/${key}`, { tags: [] })).status).toBe(403);
    const many = Array.from({ length: 21 }, (_, n) => `t${n}`);
    for (const tags of [many, ['x'.repeat(41)], ['a,b'], ['a\nb'], [' ']])
      expect(await save(key, ...tags)).toMatchObject(refused(400, 'invalid'));
    expect((await save('unknown', 'a')).status).toBe(404);
  });
});
