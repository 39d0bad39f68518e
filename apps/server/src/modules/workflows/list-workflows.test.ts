import type { WorkflowSummary } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

describe('GET /api/workflows', () => {
  let server: TestServer;
  let many: Person;
  let person: Person;

  const draft = (who: Person, key: string, title: string, description = '') =>
    who.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title, description },
      steps: stepsNamed('First', 'Second'),
    });
  const list = (query = '', who = person): Promise<WorkflowSummary[]> => who.get(`/api/workflows${query}`);
  const keys = async (query: string): Promise<string[]> => (await list(query)).map(({ key }) => key);
  const q = (text: string, more = '') => keys(`?q=${encodeURIComponent(text)}${more}`);

  beforeAll(async () => {
    server = await startTestServer();
    many = await server.signUp();
    person = await server.signUp();
    await draft(many, 'flow-0', 'Flow 0');
    await server.sql(
      `insert into workflows (org_id, id, key, title, description, steps_count, created_by, updated_at)
       select org_id, gen_random_uuid(), 'flow-' || n, 'Flow ' || n, '', 1, created_by,
              updated_at - (n / 10) * interval '7 microseconds'
       from workflows cross join generate_series(1, 240) n where org_id = $1`,
      [many.user.currentOrgId],
    );

    await draft(person, 'refund', 'Возврат денег', 'Кто решает');
    await draft(person, 'in-review', '100% of %_them');
    const { draftId } = await draft(person, 'in-review', 'Second draft of it');
    await person.post(`/api/workflows/in-review/drafts/${draftId}/submit`);
    await publish(person, person, 'live-one');
    await draft(person, 'live-one', 'Ignored until it is merged');
    await publish(person, person, 'Archived.One');
    await person.call('DELETE', '/api/workflows/Archived.One');
    await draft(person, 'gone', 'Deleted before it was live');
    await person.call('DELETE', '/api/workflows/gone');
  });
  afterAll(() => server.stop());

  it.each([7, 100, 200])(
    'has pages of %i workflows that together contain all 241 without gaps or duplicates',
    async (limit) => {
      const seen: WorkflowSummary[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null; pages++) {
        expect(pages).toBeLessThan(40);
        const page: Reply<WorkflowSummary[]> = await many.call(
          'GET',
          `/api/workflows?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        expect(page.body.length).toBeLessThanOrEqual(limit);
        seen.push(...page.body);
        cursor = page.headers.get('x-next-cursor');
      }
      expect(new Set(seen.map(({ key }) => key)).size).toBe(241);
      expect(seen).toHaveLength(241);
      const order = seen.map(({ updatedAt }) => updatedAt);
      expect(order).toEqual(order.toSorted().toReversed());
    },
  );

  it('can be sorted by title, ignoring case, in pages without gaps or duplicates', async () => {
    const titles: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Reply<WorkflowSummary[]> = await many.call(
        'GET',
        `/api/workflows?sort=title&limit=50${cursor && `&cursor=${cursor}`}`,
      );
      titles.push(...page.body.map(({ metadata }) => metadata.title));
      cursor = page.headers.get('x-next-cursor');
    }
    const expected = Array.from({ length: 241 }, (_, n) => `Flow ${n}`);
    expect(titles).toEqual(expected.toSorted());
    expect(await keys('?sort=title&status=draft,in_review')).toEqual(['in-review', 'live-one', 'refund']);
    const byTime = (await many.call('GET', '/api/workflows?limit=1')).headers.get('x-next-cursor');
    expect(await many.call('GET', `/api/workflows?sort=title&cursor=${byTime}`)).toMatchObject({ status: 400 });
  });

  it('returns at most 200 workflows by default, with a cursor if there are more', async () => {
    const { body, headers } = await many.call<WorkflowSummary[]>('GET', '/api/workflows');
    expect(body).toHaveLength(200);
    expect(headers.get('x-next-cursor')).not.toBeNull();
    expect((await person.call('GET', '/api/workflows')).headers.get('x-next-cursor')).toBeNull();
  });

  it('returns the most recently updated workflow first, with each workflow’s status, open drafts and live version', async () => {
    const all = await list();
    expect(all.map(({ key, status }) => [key, status])).toEqual([
      ['Archived.One', 'archived'],
      ['live-one', 'live'],
      ['in-review', 'in_review'],
      ['refund', 'draft'],
    ]);
    expect(all.map(({ versions }) => versions.map(({ status }) => status))).toEqual([
      ['live'],
      ['draft', 'live'],
      ['in_review', 'draft'],
      ['draft'],
    ]);
    await draft(person, 'refund', 'Возврат денег');
    expect((await keys(''))[0]).toBe('refund');
  });

  it('can be filtered by one or more statuses', async () => {
    // Open drafts count too: a workflow with a draft matches `draft` even if it is live or in review.
    expect(await keys('?status=draft')).toEqual(['refund', 'live-one', 'in-review']);
    expect(await keys('?status=in_review')).toEqual(['in-review']);
    expect(await keys('?status=live')).toEqual(['live-one']);
    expect(await keys('?status=archived')).toEqual(['Archived.One']);
    expect(await keys('?status=draft,in_review,live')).toHaveLength(3);
    expect(await keys('?status=')).toHaveLength(4);
  });

  it('finds parts of titles and keys, ignores case in any alphabet, and takes % and _ literally', async () => {
    expect(await q('ВОЗВРАТ')).toEqual(['refund']);
    expect(await q('REFU')).toEqual(['refund']);
    expect(await q('archived.o')).toEqual(['Archived.One']);
    expect(await q('%_')).toEqual([]);
    await draft(person, 'patterns', '100% of %_them');
    expect(await q('%_')).toEqual(['patterns']);
    expect(await q('_')).toEqual(['patterns']);
    expect(await q('live', '&status=archived')).toEqual([]);
    await person.call('DELETE', '/api/workflows/patterns');
  });

  it('searches descriptions on request', async () => {
    await draft(person, 'described', 'Plain', 'Кто решает');
    expect(await q('решает')).toEqual([]);
    expect(await q('РЕШАЕТ', '&in=text')).toContain('described');
    await person.call('DELETE', '/api/workflows/described');
  });

  it('returns filtered results in pages', async () => {
    const first = await many.call<WorkflowSummary[]>('GET', '/api/workflows?q=flow-1&limit=60&status=draft');
    const cursor = encodeURIComponent(first.headers.get('x-next-cursor') ?? '');
    const second = await many.call<WorkflowSummary[]>(
      'GET',
      `/api/workflows?q=flow-1&limit=60&status=draft&cursor=${cursor}`,
    );
    const found = [...first.body, ...second.body].map(({ key }) => key);
    expect(found).toHaveLength(111);
    expect(new Set(found).size).toBe(111);
    expect(second.headers.get('x-next-cursor')).toBeNull();
  });

  it('has counts by status, in which open drafts count too', async () => {
    expect(await person.get('/api/workflow-counts')).toEqual({
      total: 4,
      draft: 3,
      in_review: 1,
      live: 1,
      archived: 1,
      tags: [],
    });
    expect(await many.get('/api/workflow-counts')).toEqual({
      total: 241,
      draft: 241,
      in_review: 0,
      live: 0,
      archived: 0,
      tags: [],
    });
  });

  it.each([
    'status=unknown',
    'status=live,unknown',
    'limit=0',
    'limit=201',
    'in=steps',
    'cursor=abc',
    'cursor=2026-99-99T00:00:00.000000Z_00000000-0000-0000-0000-000000000000',
    'cursor=2026-01-01T00:00:00.000000Z_------------------------------------',
    `q=${'x'.repeat(101)}`,
    'offset=3',
  ])('refuses the query %s', async (query) => {
    expect(await person.call('GET', `/api/workflows?${query}`)).toMatchObject({ status: 400 });
  });
});
