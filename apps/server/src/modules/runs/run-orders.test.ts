import type { Run, RunSummary } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, publish } from '../../testing/organization.ts';
import { act, complete, letTimePass, listRuns, runOf, start } from '../../testing/runs.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import type { Reply } from '../../testing/server.ts';
import { watchClocks } from './watch-clocks.ts';

const HOUR = 3_600_000;
const { server, orgId, owner, reviewer, viewer } = await startRunScene();
const sam = await server.signUp({ name: 'Sam' });
await joinOrganization(server, sam, orgId, 'editor');
afterAll(() => server.stop());

const names = async (query: string): Promise<string[]> => (await listRuns(viewer, query)).map(({ name }) => name);
const startAs = (key: string, name: string, priority: string) => owner.post<Run>('/api/runs', { key, name, priority });

/** The names on all pages, with one run per page. */
async function paged(query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null && seen.length < 30;) {
    const page: Reply<RunSummary[]> = await viewer.call<RunSummary[]>(
      'GET',
      `/api/runs?limit=1&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    seen.push(...page.body.map(({ name }) => name));
    cursor = page.headers.get('x-next-cursor');
  }
  return seen;
}

describe('the list of runs', () => {
  beforeAll(async () => {
    await publish(owner, reviewer, 'slow', [{ id: 'step-1', title: 'Collect', sla: '10h', assignee: sam.user.email }]);
    await publish(owner, reviewer, 'fast', [{ id: 'step-1', title: 'Check', sla: '2h', assignee: 'reviewer' }]);
    await publish(owner, reviewer, 'idle', [
      { id: 'step-1', title: 'Decide', type: 'approval', sla: '', assignee: 'reviewer' },
    ]);
    await startAs('slow', 'banana', 'low');
    await startAs('fast', 'Apple', 'critical');
    await startAs('idle', 'cherry', 'high');
    const late = await startAs('slow', 'Late', 'medium');
    await letTimePass(server, late.id, 11 * HOUR);
    const done = await startAs('fast', 'done', 'urgent');
    await act(reviewer, done.id, 'step-1', 'complete', { output: { text: 'Done' } });
    const failed = await startAs('idle', 'Failed', 'low');
    await act(reviewer, failed.id, 'step-1', 'reject', { comments: 'No' });
    const paused = await startAs('slow', 'Paused', 'high');
    await owner.post(`/api/runs/${paused.id}/pause`, { reason: 'Holiday' });
    await watchClocks(server.server.deps);
  });

  it.each([
    ['newest', ['Paused', 'Failed', 'done', 'cherry', 'Apple', 'banana', 'Late']],
    ['oldest', ['Late', 'banana', 'Apple', 'cherry', 'done', 'Failed', 'Paused']],
    ['name', ['Apple', 'banana', 'cherry', 'done', 'Failed', 'Late', 'Paused']],
    ['priority', ['Apple', 'done', 'Paused', 'cherry', 'Late', 'Failed', 'banana']],
    // Open runs without a due time come after the others, oldest first, and completed ones last.
    ['due', ['Late', 'Apple', 'banana', 'cherry', 'Failed', 'Paused', 'done']],
    ['attention', ['Late', 'Failed', 'Paused', 'done', 'cherry', 'Apple', 'banana']],
  ])('can be sorted by %s, with the same order across pages', async (sort, expected) => {
    expect(await names(`?sort=${sort}`)).toEqual(expected);
    expect(await paged(`sort=${sort}`)).toEqual(expected);
  });

  it.each([
    ['priority=high', ['Paused', 'cherry']],
    ['workflow=slow&version=1', ['Paused', 'banana', 'Late']],
    ['workflow=slow&version=2', []],
    ['status=running', ['cherry', 'Apple', 'banana', 'Late']],
    ['sla=breached', ['Late']],
    ['q=a&status=running', ['Apple', 'banana', 'Late']],
    // A paused run waits for nobody.
    [`with=${sam.user.email.toUpperCase()}`, ['banana', 'Late']],
    ['with=reviewer', ['cherry', 'Apple']],
    ['with=reviewer&priority=high', ['cherry']],
    ['with=reviewer&q=app', ['Apple']],
    ['with=nobody@example.com', []],
  ])('can be filtered by %s in every order', async (filter, expected) => {
    expect(await names(`?${filter}`)).toEqual(expected);
    for (const sort of ['newest', 'oldest', 'due', 'priority', 'name', 'attention']) {
      expect((await names(`?${filter}&sort=${sort}`)).toSorted()).toEqual(expected.toSorted());
      expect((await paged(`${filter}&sort=${sort}`)).toSorted()).toEqual(expected.toSorted());
    }
  });

  it('can be limited to a period when sorted by name or due time', async () => {
    const from = new Date(Date.now() - HOUR).toISOString();
    expect(await names(`?sort=name&from=${from}`)).toEqual(['Apple', 'banana', 'cherry', 'done', 'Failed', 'Paused']);
    expect(await names(`?sort=due&to=${from}`)).toEqual(['Late']);
  });

  it('shows a run’s current step, whom it waits for, and when it is due', async () => {
    const [late] = await listRuns(viewer, '?sort=due&limit=1');
    expect(late).toMatchObject({
      name: 'Late',
      currentSteps: [{ id: 'step-1', name: 'Collect', waitsFor: [sam.user.email] }],
    });
    expect(Date.parse(late?.dueAt ?? '')).toBeLessThan(Date.now());
    const detail = await runOf(viewer, late?.id ?? '');
    expect(detail).toMatchObject({ currentSteps: late?.currentSteps, dueAt: late?.dueAt });
    const [failed] = await listRuns(viewer, '?status=failed');
    expect(failed).toMatchObject({ currentSteps: [{ name: 'Decide', waitsFor: [] }], dueAt: null });
    const [done] = await listRuns(viewer, '?status=completed');
    expect(done).toMatchObject({ currentSteps: [], dueAt: null });
  });

  it('counts running runs by SLA state', async () => {
    expect(await viewer.get('/api/runs/summary')).toMatchObject({ bySla: { on_track: 2, at_risk: 0, breached: 1 } });
  });

  it('moves a run in the list when its step is completed and when its SLA is breached', async () => {
    await publish(owner, reviewer, 'two', [
      { id: 'step-1', title: 'First', sla: '1h', assignee: sam.user.email },
      { id: 'step-2', title: 'Second', sla: '100h', assignee: 'editor' },
    ]);
    const { id } = await start(owner, 'two', 'Moving');
    expect((await names('?sort=due'))[1]).toBe('Moving');
    await complete(sam, id, 'step-1');
    expect((await names('?sort=due')).indexOf('Moving')).toBe(3);
    expect(await names(`?with=${sam.user.email}`)).not.toContain('Moving');
    expect(await names('?with=editor')).toEqual(['Moving']);
    await letTimePass(server, id, 101 * HOUR);
    await watchClocks(server.server.deps);
    // The server's own check may have locked the run. In this case, this check doesn't wait for it.
    await expect.poll(async () => (await names('?sort=attention')).slice(0, 2).toSorted()).toEqual(['Late', 'Moving']);
    await complete(sam, id, 'step-2');
    expect((await names('?sort=attention')).slice(0, 2)).toEqual(['Late', 'Failed']);
  });

  it('refuses invalid cursors and cursors for a different order', async () => {
    const { headers } = await viewer.call('GET', '/api/runs?limit=1&sort=name');
    const cursor = headers.get('x-next-cursor') ?? '';
    for (const query of [`sort=due&cursor=${cursor}`, `cursor=${cursor}`, 'sort=name&cursor=x', 'sort=name&cursor=e30'])
      expect(await viewer.call('GET', `/api/runs?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid' } });
  });

  it('shows nothing from another organization', async () => {
    const other = await server.signUp();
    for (const sort of ['newest', 'name', 'due', 'attention'])
      expect(await listRuns(other, `?sort=${sort}&with=${sam.user.email}`)).toEqual([]);
    for (const sort of ['newest', 'oldest', 'due', 'priority', 'name', 'attention'])
      for (const filter of ['', '&q=a', '&status=running', '&workflow=slow'])
        expect(await listRuns(other, `?sort=${sort}${filter}`)).toEqual([]);
  });

  it('exports only the requested runs of the organization', async () => {
    const [one, two] = await listRuns(owner, '?sort=name');
    const csv = await owner.call<string>('GET', `/api/runs/export.csv?ids=${one?.id},${two?.id}`);
    expect(csv.body.trim().split('\r\n')).toHaveLength(3);
    const other = await server.signUp();
    const theirs = await other.call<string>('GET', `/api/runs/export.csv?ids=${one?.id}`);
    expect(theirs.body.trim().split('\r\n')).toHaveLength(1);
  });

  describe('with a tag', () => {
    const tag = (key: string, ...tags: string[]) => owner.call('PATCH', `/api/workflows/${key}`, { tags });
    beforeAll(async () => {
      await tag('slow', 'payments', 'eu');
      await tag('idle', 'eu');
    });

    it.each([
      ['tag=Payments', ['Paused', 'banana', 'Late']],
      ['tag=eu', ['Paused', 'Failed', 'cherry', 'banana', 'Late']],
      ['tag=eu&status=running', ['cherry', 'banana', 'Late']],
      ['tag=eu&sla=breached', ['Late']],
      ['tag=eu&priority=high', ['Paused', 'cherry']],
      ['tag=eu&q=a', ['Paused', 'Failed', 'banana', 'Late']],
      ['tag=eu&with=reviewer', ['cherry']],
      ['tag=eu&workflow=idle', ['Failed', 'cherry']],
      ['tag=eu&workflow=slow&version=1', ['Paused', 'banana', 'Late']],
      ['tag=eu&workflow=fast', []],
      [`tag=eu&to=${new Date(Date.now() - HOUR).toISOString()}`, ['Late']],
      ['tag=none', []],
    ])('can be filtered by %s in every order', async (filter, expected) => {
      expect(await names(`?${filter}`)).toEqual(expected);
      for (const sort of ['newest', 'oldest', 'due', 'priority', 'name', 'attention']) {
        const sorted = await names(`?${filter}&sort=${sort}`);
        expect(sorted.toSorted(), sort).toEqual(expected.toSorted());
        expect(await paged(`${filter}&sort=${sort}`), sort).toEqual(sorted);
      }
    });

    it.each(['newest', 'oldest', 'due', 'priority', 'name', 'attention'])(
      'has the order %s of the whole list',
      async (sort) => {
        const tagged = await names('?tag=eu');
        expect(await names(`?tag=eu&sort=${sort}`)).toEqual(
          (await names(`?sort=${sort}`)).filter((name) => tagged.includes(name)),
        );
      },
    );

    it('shows nothing from another organization', async () => {
      expect(await listRuns(await server.signUp(), '?tag=eu')).toEqual([]);
    });

    it('contains a run whose SLA state changed since the last check', async () => {
      const { id } = await startAs('slow', 'Crossing', 'low');
      await letTimePass(server, id, 11 * HOUR);
      expect((await names('?tag=eu&sla=breached')).toSorted()).toEqual(['Crossing', 'Late']);
      await owner.post(`/api/runs/${id}/cancel`, { reason: 'No' });
    });

    it('is exported with the same filter, and follows a change of tags', async () => {
      const lines = async () =>
        (await owner.call<string>('GET', '/api/runs/export.csv?tag=eu')).body.trim().split('\r\n');
      expect((await lines()).slice(1).map((line) => line.split(',')[1])).toEqual(
        (await names('?tag=eu')).map((name) => `"${name}"`),
      );
      await tag('idle');
      expect(await names('?tag=eu')).toEqual(['Paused', 'banana', 'Crossing', 'Late']);
    });
  });
});
