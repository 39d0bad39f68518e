import type { Excerpt, FoundWorkflow } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const marked = (text: Excerpt): string => text.map((part) => (part.hit ? `[${part.text}]` : part.text)).join('');
const shown = ({ key, hits }: FoundWorkflow): string =>
  [
    key,
    ...hits.map((hit) =>
      hit.in === 'step'
        ? `${hit.version} ${hit.number} ${marked(hit.title)}: ${marked(hit.text)}`
        : `${hit.in} ${marked(hit.text)}`,
    ),
  ].join(' | ');

describe('the search for workflows', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let orgId: string;

  const search = (query: Record<string, string>): Promise<FoundWorkflow[]> =>
    owner.get(`/api/workflow-search?${new URLSearchParams(query).toString()}`);
  const found = async (q: string): Promise<string[]> => (await search({ q })).map(shown);
  const draft = (key: string, title: string, steps: object[], description = ''): Promise<{ draftId: string }> =>
    owner.post(`/api/workflows/${key}/drafts`, { metadata: { title, description }, steps });
  const step = (title: string, description = '', assignee = 'Unassigned'): object => ({
    id: `s-${title}`,
    title,
    description,
    assignee,
  });

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer, orgId } = await teamOf(server, ['reviewer']));
    await draft('vendor-onboarding', 'Vendor onboarding', [
      step('Register'),
      step(
        'Collect tax documents',
        'The W-8BEN form,\n\nor W-9. Approve/reject within the day.',
        'mara@halden.example',
      ),
      step('Résumé of the risk'),
    ]);
    await draft('tokyo', '東京の手順', [step('四半期の締め', '経費を精算する')], 'Quarter end in Tokyo');
    await draft('thai', 'ขั้นตอน', [step('สวัสดี')]);
    await draft('lift_50', 'Lift \\ 50% check', [step('Look at the ropes')]);
    await publish(owner, reviewer, 'live-one', [
      { id: 'step-1', title: 'Weigh the parcel', description: 'On the old scale' },
    ]);
    await draft('live-one', 'Title of live-one', [step('Weigh the parcel', 'On the hydraulic scale')]);
  });
  afterAll(() => server.stop());

  it('finds parts of titles and keys, ignores case, and takes special characters literally', async () => {
    expect(await found('ONBOARD')).toEqual(['vendor-onboarding | title Vendor [onboard]ing | key vendor-[onboard]ing']);
    expect(await found('京の手')).toEqual(['tokyo | title 東[京の手]順']);
    expect(await found('50%')).toEqual(['lift_50 | title Lift \\ [50%] check | key lift_[50]']);
    expect(await found('\\')).toEqual(['lift_50 | title Lift [\\] 50% check']);
    expect(await found('ift_5')).toEqual(['lift_50 | title Lift \\ [5]0% check | key l[ift_5]0']);
    expect(await found('%')).toEqual(['lift_50 | title Lift \\ 50[%] check']);
  });

  it('finds words in a step, ignoring accents, and returns the step’s title', async () => {
    expect(await found('w 8ben')).toEqual([
      'vendor-onboarding | Draft 2 Collect tax documents: The [W]-[8BEN] form, or [W]-9. Approve/reject [w]ithin the day.',
    ]);
    expect(await found('reject')).toEqual([
      'vendor-onboarding | Draft 2 Collect tax documents: The W-8BEN form, or W-9. Approve/[reject] within the day.',
    ]);
    expect(await found('resume')).toEqual(['vendor-onboarding | Draft 3 [Résumé] of the risk: ']);
    expect(await found('docum tax')).toEqual(['vendor-onboarding | Draft 2 Collect [tax] [docum]ents: ']);
    expect(await found('mara')).toEqual(['vendor-onboarding | Draft 2 Collect tax documents: [mara]@halden.example']);
  });

  it('finds words if one is in the title and another in a step', async () => {
    expect(await found('vendor risk')).toEqual([
      'vendor-onboarding | title [Vendor] onboarding | key [vendor]-onboarding | Draft 3 Résumé of the [risk]: ',
    ]);
    expect(await found('vendor ropes')).toEqual([]);
  });

  it('finds text without spaces between words', async () => {
    expect(await found('精算')).toEqual(['tokyo | Draft 1 四半期の締め: 経費を[精算]する']);
    expect(await found('半期')).toEqual(['tokyo | Draft 1 四[半期]の締め: ']);
    expect(await found('สวัส')).toEqual(['thai | Draft 1 [สวัส]ดี: ']);
  });

  it('finds text in the description', async () => {
    expect(await found('quarter')).toEqual(['tokyo | description [Quarter] end in Tokyo']);
  });

  it('prefers live versions, but also searches open drafts', async () => {
    expect(await found('parcel')).toEqual(['live-one | v1 1 Weigh the [parcel]: ']);
    expect(await found('hydraulic')).toEqual(['live-one | Draft 1 Weigh the parcel: On the [hydraulic] scale']);
  });

  it("doesn't find text in a superseded version until it is live again", async () => {
    const key = 'moves-on';
    await publish(owner, reviewer, key, [{ id: 'step-1', title: 'Telegraph the office' }]);
    await publish(owner, reviewer, key, [{ id: 'step-1', title: 'Phone the office' }]);
    expect(await found('telegraph')).toEqual([]);
    await reviewer.post(`/api/workflows/${key}/versions/1/rollback`, { reason: 'The lines are down' });
    expect(await found('telegraph')).toEqual(['moves-on | v1 1 [Telegraph] the office: ']);
    expect(await found('phone')).toEqual([]);
  });

  it('reflects each save', async () => {
    const { draftId } = await draft('changing', 'Changing', [step('Before')]);
    await owner.patch(`/api/workflows/changing/drafts/${draftId}`, {
      metadata: { title: 'Renewed' },
      steps: [step('Afterwards')],
    });
    expect(await found('afterw')).toEqual(['changing | Draft 1 [Afterw]ards: ']);
    expect(await found('before')).toEqual([]);
    expect(await found('renewed')).toEqual(['changing | title [Renewed]']);
  });

  it('can be limited to live versions, drafts or drafts in review, and otherwise includes archived workflows', async () => {
    await publish(owner, reviewer, 'retired', stepsNamed('Over'));
    await owner.call('DELETE', '/api/workflows/retired');
    const { draftId } = await draft('asked', 'Asked', [step('A')]);
    await owner.post(`/api/workflows/asked/drafts/${draftId}/submit`);
    const keys = async (status?: string): Promise<string[]> =>
      (await search({ ...(status && { status }) })).map(({ key }) => key).toSorted();
    expect(await keys('live')).toEqual(['live-one', 'moves-on']);
    expect(await keys('in_review')).toEqual(['asked']);
    expect(await keys('draft')).toEqual(['changing', 'lift_50', 'live-one', 'thai', 'tokyo', 'vendor-onboarding']);
    expect(await keys()).toContain('retired');
    expect((await search({ q: 'title of', status: 'draft' })).map(({ key }) => key)).toEqual(['live-one']);
  });

  it('returns pages without duplicates, with matches in titles before matches in text', async () => {
    for (let n = 0; n < 7; n += 1)
      await draft(`paged-${n}`, n % 2 ? `Zebra ${n}` : `Plain ${n}`, [step('Feed the zebra')]);
    const keys: string[] = [];
    let cursor = '';
    do {
      const page = await owner.call<FoundWorkflow[]>(
        'GET',
        `/api/workflow-search?q=zebra&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      expect(page.body.length).toBeLessThanOrEqual(2);
      keys.push(...page.body.map(({ key }) => key));
      cursor = page.headers.get('x-next-cursor') ?? '';
    } while (cursor !== '');
    expect(keys).toEqual(['paged-5', 'paged-3', 'paged-1', 'paged-6', 'paged-4', 'paged-2', 'paged-0']);
    expect(await owner.call('GET', '/api/workflow-search?cursor=paged')).toMatchObject({
      status: 400,
      body: { code: 'invalid' },
    });
  });

  it('can be sorted by title instead, in pages without duplicates', async () => {
    const titles: string[] = [];
    let cursor = '';
    do {
      const page = await owner.call<FoundWorkflow[]>(
        'GET',
        `/api/workflow-search?q=zebra&sort=title&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      titles.push(...page.body.map(({ metadata }) => metadata.title));
      cursor = page.headers.get('x-next-cursor') ?? '';
    } while (cursor !== '');
    expect(titles).toEqual(['Plain 0', 'Plain 2', 'Plain 4', 'Plain 6', 'Zebra 1', 'Zebra 3', 'Zebra 5']);
  });

  it('shows only the three steps with the most search words, in the order of the workflow', async () => {
    const steps = Array.from({ length: 300 }, (_, n) => ({
      id: `s${n}`,
      title: n === 250 ? 'Quokka and numbat' : `Quokka ${n}`,
    }));
    await draft('many', 'Many', steps);
    const [first] = await search({ q: 'quokka numbat' });
    expect(first?.hits.map((hit) => (hit.in === 'step' ? hit.number : hit.in))).toEqual([1, 2, 251]);
  });

  it('accepts workflows with more words than the index can hold, and still finds the titles of their steps', async () => {
    const word = (n: number): string => n.toString(36).padStart(6, 'x').repeat(3);
    const steps = Array.from({ length: 70 }, (_, n) => ({
      id: `s${n}`,
      title: `Chapter ${n}`,
      description: Array.from({ length: 1000 }, (_each, i) => word(n * 1000 + i)).join(' '),
    }));
    await draft('encyclopedia', 'Encyclopedia', steps);
    expect(await found('chapter 17')).toHaveLength(1);
  });

  it('uses the index, and finds only the organization’s own words', async () => {
    const other = await server.signUp();
    await other.post('/api/workflows/spread/drafts', { metadata: { title: 'Spread' }, steps: stepsNamed('Platypus') });
    await server.sql('alter table workflow_versions disable trigger user');
    // The planner prefers a table scan for small tables, so add enough rows to make the index worthwhile.
    await server.sql(
      `with w as (insert into workflows select made.* from (select * from workflows where key = 'spread') t
         cross join generate_series(1, 3000) n
         cross join lateral jsonb_populate_record(null::workflows, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'key', 'copy-' || n)) made
         returning org_id, id)
       insert into workflow_versions select made.* from w
       cross join (select v.* from workflow_versions v join workflows s on s.id = v.workflow_id where s.key = 'spread') t
       cross join lateral jsonb_populate_record(null::workflow_versions, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'workflow_id', w.id)) made`,
    );
    await server.sql('alter table workflow_versions enable trigger user');
    await server.sql('analyze');
    const plan = await server.sql<{ 'QUERY PLAN': string }>(
      `explain select * from (select set_config('stet.org_id', '${orgId}', false)) s,
         lateral (select v.workflow_id from workflow_versions v where v.org_id = current_org() and v.status in ('draft', 'in_review', 'live')
                  and v.search @@ ('''O' || replace(current_org()::text, '-', '') || ''' & ''platypus'':*')::tsquery) f`,
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('workflow_versions_search');
    expect(await found('platypus')).toEqual([]);
    expect(await other.get<FoundWorkflow[]>('/api/workflow-search?q=platypus&limit=100')).toHaveLength(100);
  });
});
