import type { WorkflowSummary } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, at, create, act } = bench;

describe('deleting a workflow', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it('deletes it if it was never live and archives it otherwise; its key can’t be reused, and the archived one can’t be changed', async () => {
    const { draftId } = await create();
    expect(await editor.call('DELETE', `/api/workflows/${key}`)).toMatchObject({
      status: 200,
      body: { outcome: 'deleted' },
    });
    expect(await editor.call('GET', at(draftId))).toMatchObject(refused(404, 'not_found'));
    expect(await editor.call('DELETE', `/api/workflows/${key}`)).toMatchObject(refused(404, 'not_found'));
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, content('Again'))).toMatchObject(
      refused(409, 'key_taken'),
    );
    expect((await editor.get<WorkflowSummary[]>('/api/workflows')).map((workflow) => workflow.key)).not.toContain(key);

    key = bench.use(`${key}-merged`);
    await publish(editor, reviewer, key);
    const open = await create();
    expect(await editor.call('DELETE', `/api/workflows/${key}`)).toMatchObject(refused(403, 'forbidden'));
    expect(await owner.call('DELETE', `/api/workflows/${key}`)).toMatchObject({
      status: 200,
      body: { outcome: 'archived' },
    });
    expect(await owner.call('DELETE', `/api/workflows/${key}`)).toMatchObject(refused(409, 'workflow_archived'));
    expect(await editor.get(`/api/workflows/${key}`)).toMatchObject({ status: 'archived', version: { number: 1 } });
    for (const [action, body] of [
      ['submit'],
      ['approve'],
      ['merge'],
      ['request-changes', { comment: 'No' }],
      ['comments', { body: 'No' }],
    ] as const) {
      expect(await act(owner, open.draftId, action, body)).toMatchObject(refused(409, 'workflow_archived'));
    }
    expect(await editor.call('PATCH', at(open.draftId), content('No'))).toMatchObject(
      refused(409, 'workflow_archived'),
    );
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, content('No'))).toMatchObject(
      refused(409, 'workflow_archived'),
    );
    expect(await owner.call('POST', `/api/workflows/${key}/versions/1/rollback`)).toMatchObject(
      refused(409, 'workflow_archived'),
    );
  });
});
