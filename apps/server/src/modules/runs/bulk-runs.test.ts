import type { Run } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { publish } from '../../testing/organization.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import { complete, runOf } from '../../testing/runs.ts';
import type { Person } from '../../testing/server.ts';

const { server, owner, editor, reviewer, viewer, startOf } = await startRunScene();
afterAll(() => server.stop());

type Answer = { results: { id: string; refusal: { code: string; error: string } | null }[] };
const bulk = (person: Person, body: object, key?: string) =>
  person.call<Answer>('POST', '/api/runs/bulk', body, key === undefined ? {} : { 'idempotency-key': key });
const STEP = { id: 'step-1', title: 'First', assignee: 'editor' } as const;
const actionsOf = async (id: string): Promise<string[]> =>
  (await runOf(owner, id)).history.filter(({ stepId }) => stepId === null).map(({ action }) => action);

describe('POST /api/runs/bulk', () => {
  it('changes each run independently, with a reason for each run that it refuses to change', async () => {
    const [one, done, paused] = [await startOf(STEP), await startOf(STEP), await startOf(STEP)];
    await complete(editor, done.id, 'step-1');
    await owner.post(`/api/runs/${paused.id}/pause`, { reason: 'Holiday' });
    const stranger = await server.signUp();
    await publish(stranger, stranger, 'theirs');
    const theirs = await stranger.post<Run>('/api/runs', { key: 'theirs', name: 'Not yours' });

    const ids = [one.id, done.id, paused.id, theirs.id];
    const { status, body } = await bulk(editor, { ids, action: 'pause', reason: 'Audit week' });
    expect(status).toBe(200);
    expect(body.results.map(({ id }) => id)).toEqual(ids);
    expect(body.results.map(({ refusal }) => refusal?.code ?? null)).toEqual([
      null,
      'run_finished',
      'run_paused',
      'not_found',
    ]);
    expect(body.results[2]?.refusal?.error).toBe('This run is paused');
    expect((await runOf(owner, one.id)).paused).toMatchObject({ reason: 'Audit week', by: { id: editor.user.id } });
    expect((await runOf(stranger, theirs.id)).status).toBe('running');
    expect(await actionsOf(paused.id)).toEqual(['run_started', 'run_paused']);
  });

  it('changes priorities, records the reason, and reorders the list', async () => {
    const [one, other] = [await startOf(STEP), await startOf(STEP)];
    const ids = [one.id, other.id];
    await bulk(reviewer, { ids, action: 'set_priority', priority: 'critical', reason: 'The customer is waiting' });
    for (const id of ids) {
      const run = await runOf(owner, id);
      expect(run.priority).toBe('critical');
      expect(run.history.at(-1)).toMatchObject({
        action: 'run_priority_changed',
        actor: { id: reviewer.user.id },
        data: { from: 'medium', to: 'critical', reason: 'The customer is waiting' },
      });
    }
    const first = await owner.get<Run[]>('/api/runs?sort=priority&limit=2');
    expect(first.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const mine = await owner.get<Run[]>('/api/runs?with=editor&sort=priority&limit=2');
    expect(mine.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const again = await bulk(owner, { ids: [one.id], action: 'set_priority', priority: 'critical' });
    expect(again.body.results[0]?.refusal?.code).toBe('priority_unchanged');
  });

  it('executes only once per idempotency key, even if requests are repeated or concurrent', async () => {
    const ids = [(await startOf(STEP)).id, (await startOf(STEP)).id];
    const body = { ids, action: 'cancel', reason: 'Duplicate' };
    const twice = await Promise.all([bulk(owner, body, 'cancel-both'), bulk(owner, body, 'cancel-both')]);
    const later = await bulk(owner, body, 'cancel-both');
    for (const { status, body: answer } of [...twice, later])
      expect({ status, answer }).toEqual({
        status: 200,
        answer: { results: ids.map((id) => ({ id, refusal: null })) },
      });
    for (const id of ids) expect(await actionsOf(id)).toEqual(['run_started', 'run_cancelled']);
    expect(await bulk(owner, { ...body, reason: 'Other' }, 'cancel-both')).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('changes a run only once if it is listed twice or if two requests are concurrent', async () => {
    const { id } = await startOf(STEP);
    expect((await bulk(owner, { ids: [id, id], action: 'pause' })).body.results).toEqual([{ id, refusal: null }]);
    await owner.post(`/api/runs/${id}/resume`);
    const both = await Promise.all([
      bulk(owner, { ids: [id], action: 'pause' }),
      bulk(editor, { ids: [id], action: 'pause' }),
    ]);
    expect(both.map(({ body }) => body.results[0]?.refusal?.code ?? '').toSorted()).toEqual(['', 'run_paused']);
  });

  it('refuses viewers and invalid requests, such as too many runs or a missing reason or priority', async () => {
    const { id } = await startOf(STEP);
    expect(await bulk(viewer, { ids: [id], action: 'pause' })).toMatchObject({ status: 403 });
    const invalid = [
      { ids: [id], action: 'cancel' },
      { ids: [id], action: 'cancel', reason: ' ' },
      { ids: [], action: 'pause' },
      { ids: Array.from({ length: 101 }, () => id), action: 'pause' },
      { ids: [id], action: 'set_priority' },
      { ids: [id], action: 'pause', priority: 'high' },
    ];
    for (const body of invalid)
      expect(await bulk(owner, body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect((await runOf(owner, id)).status).toBe('running');
  });
});
