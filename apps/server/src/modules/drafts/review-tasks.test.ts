import type { ReviewTask } from '@stet/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { content, startDraftBench } from '../../testing/drafts.ts';
import { joinOrganization, stepsNamed } from '../../testing/organization.ts';
import type { Person } from '../../testing/server.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, create, act } = bench;
const LIST = '/api/tasks/reviews';

describe('drafts that wait for my review', () => {
  let viewer: Person;
  let outsider: Person;

  beforeAll(async () => {
    viewer = await server.signUp({ name: 'Vera Viewer' });
    await joinOrganization(server, viewer, orgId, 'viewer');
    outsider = await server.signUp({ team: 'Elsewhere' });
  });
  afterAll(() => server.stop());
  beforeEach(() => bench.newKey());
  afterEach(async () => {
    await server.sql(`update workflow_versions set status = 'draft' where status = 'in_review'`);
    await server.sql('update organizations set required_approvals = 1 where id = $1', [orgId]);
  });

  const titlesFor = async (who: Person): Promise<string[]> =>
    (await who.get<ReviewTask[]>(LIST)).map(({ title }) => title);
  const countFor = async (who: Person): Promise<number> => (await who.get<{ count: number }>(`${LIST}/count`)).count;
  async function submitted(who: Person, title: string): Promise<string> {
    const { draftId } = await create(who, content(title));
    await act(who, draftId, 'submit');
    return draftId;
  }

  it('show the author, the time of submission, the number of changes and the number of approvals', async () => {
    await server.sql('update organizations set required_approvals = 2 where id = $1', [orgId]);
    const { draftId: first } = await create(editor, content('Before'));
    await act(editor, first, 'submit');
    await act(reviewer, first, 'approve');
    await act(owner, first, 'approve');
    await act(owner, first, 'merge');
    const body = {
      metadata: { title: 'After' },
      steps: [...stepsNamed('First', 'Second'), { id: 's3', title: 'Third' }],
    };
    const { draftId } = await create(editor, body);
    expect(await titlesFor(reviewer)).toEqual([]);
    await act(editor, draftId, 'submit');
    await act(owner, draftId, 'approve');
    expect(await reviewer.get(LIST)).toMatchObject([
      {
        workflowKey: at('').split('/')[3],
        draftId,
        title: 'After',
        author: { name: 'The editor' },
        submittedAt: expect.stringMatching(/Z$/) as unknown,
        changes: 4,
        approvals: { has: 1, needed: 2 },
      },
    ]);
    expect(await titlesFor(owner)).toEqual([]);
    await act(reviewer, draftId, 'approve');
    expect([await titlesFor(reviewer), await countFor(reviewer)]).toEqual([[], 0]);
  });

  it('are listed for everyone whose approval would count, and for no one else', async () => {
    await submitted(editor, 'By the editor');
    for (const person of [owner, reviewer]) {
      expect(await titlesFor(person)).toEqual(['By the editor']);
      expect(await countFor(person)).toBe(1);
    }
    for (const person of [editor, viewer, outsider]) {
      expect(await titlesFor(person)).toEqual([]);
      expect(await countFor(person)).toBe(0);
    }
  });

  it('exclude my own drafts and those for which my approval doesn’t count', async () => {
    await submitted(owner, 'By the owner');
    expect(await titlesFor(owner)).toEqual([]);
    expect(await titlesFor(reviewer)).toEqual(['By the owner']);
    await server.sql('update users set proved_by = null where id = $1', [reviewer.user.id]);
    expect([await titlesFor(reviewer), await countFor(reviewer)]).toEqual([[], 0]);
    await server.sql(`update users set proved_by = 'mailbox' where id = $1`, [reviewer.user.id]);
  });

  it('leave the list when they are withdrawn, sent back, merged or archived', async () => {
    const withdrawn = await submitted(editor, 'Withdrawn');
    expect(await countFor(reviewer)).toBe(1);
    await act(editor, withdrawn, 'withdraw');
    expect(await countFor(reviewer)).toBe(0);

    await act(editor, withdrawn, 'submit');
    await act(owner, withdrawn, 'request-changes', { comment: 'Not yet' });
    expect(await titlesFor(reviewer)).toEqual([]);
    await act(editor, withdrawn, 'submit');
    await act(reviewer, withdrawn, 'approve');
    expect(await titlesFor(reviewer)).toEqual([]);
    // The owner's request for changes still blocks the merge.
    expect(await titlesFor(owner)).toEqual(['Withdrawn']);
    await act(owner, withdrawn, 'approve');
    await act(owner, withdrawn, 'merge');
    expect(await titlesFor(owner)).toEqual([]);

    bench.newKey();
    await submitted(editor, 'Archived');
    expect(await titlesFor(reviewer)).toEqual(['Archived']);
    await server.sql(`update workflows set archived_at = now() where key = $1`, [at('').split('/')[3]]);
    expect([await titlesFor(reviewer), await countFor(reviewer)]).toEqual([[], 0]);
  });

  it("are listed in pages, oldest first, without drafts that the person can't review", async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      bench.newKey();
      await submitted(n === 2 || n === 3 ? owner : editor, `Draft ${n}`);
    }
    const pages: string[][] = [];
    for (let cursor = ''; ;) {
      const page = await owner.call<ReviewTask[]>('GET', `${LIST}?limit=2${cursor}`);
      pages.push(page.body.map(({ title }) => title));
      const next = page.headers.get('x-next-cursor');
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    expect(pages).toEqual([['Draft 1'], ['Draft 4'], ['Draft 5']]);
    expect((await owner.call('GET', `${LIST}?cursor=nonsense`)).status).toBe(400);
  });
});
