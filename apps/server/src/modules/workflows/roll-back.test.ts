import type { VersionRecord, WorkflowDetail } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';

const bench = await startDraftBench();
const { server, editor, reviewer, orgId, read, create, act } = bench;

describe('a version', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it('that was merged can be gone back to; its number stays, and the next merge takes the next one', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      const { draftId } = await create(editor, content(title));
      await act(reviewer, draftId, 'approve');
      await act(reviewer, draftId, 'merge');
    }
    const path = `/api/workflows/${key}/versions`;
    expect(await reviewer.call('POST', `${path}/1/rollback`, { reason: 'Better' })).toMatchObject({
      status: 200,
      body: { version: { version: 1, status: 'live' } },
    });
    expect((await editor.get<WorkflowDetail>(`/api/workflows/${key}`)).metadata.title).toBe('One');
    const versions = await editor.get<VersionRecord[]>(path);
    expect(versions.map(({ version, status }) => [version, status])).toEqual([
      [3, 'superseded'],
      [2, 'superseded'],
      [1, 'live'],
    ]);
    expect(await reviewer.call('POST', `${path}/1/rollback`)).toMatchObject(refused(409, 'already_live'));
    expect(await reviewer.call('POST', `${path}/9/rollback`)).toMatchObject(refused(404, 'not_found'));
    expect((await reviewer.call('POST', `${path}/${versions[1]?.id}/rollback`)).status).toBe(200);
    const { draftId } = await create(editor, content('Four'));
    expect(await read(draftId)).toMatchObject({ baseVersion: 2 });
    expect(await reviewer.call('POST', `${path}/${draftId}/rollback`)).toMatchObject(refused(404, 'not_found'));
    await act(reviewer, draftId, 'approve');
    expect(await act(reviewer, draftId, 'merge')).toMatchObject({ body: { version: { version: 4 } } });
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'version.rolled_back' order by seq limit 1`,
      [orgId],
    );
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject({ data: { key, to: 1, reason: 'Better' } });
  });
});
