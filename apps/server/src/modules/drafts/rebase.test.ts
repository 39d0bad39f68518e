import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RebaseQuestion, WholeDraft } from '@stet/contract';
import { trailOf } from '../../testing/audit.ts';
import { stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

type Steps = ReturnType<typeof stepsNamed>;
type Rebased = { draftId: string; revision: number; baseVersion: number | null; rebased: boolean };
type Refusal = { code: string; error: string; details: { on: string; stepId?: string; field: string }[] };

const TITLE = 'Vendors';
const content = (steps: Steps, title = TITLE) => ({ metadata: { title, description: '' }, steps });
const three = stepsNamed('First', 'Second', 'Third');
const change = (steps: Steps, at: number, fields: object): Steps =>
  steps.map((step, index) => (index === at ? { ...step, ...fields } : step));

describe('rebasing a draft', () => {
  let server: TestServer;
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let viewer: Person;
  let orgId: string;
  let keys = 0;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, editor, reviewer, viewer, orgId } = await teamOf(server, ['editor', 'reviewer', 'viewer']));
  });
  afterAll(() => server.stop());

  async function goLive(key: string, steps: Steps, title?: string): Promise<void> {
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content(steps, title));
    await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
    await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/merge`);
  }

  /** Creates the editor's draft based on version 1, and then makes version 2 live. */
  async function behind(
    mine: Steps,
    theirs: Steps,
    titles: { mine?: string; theirs?: string } = {},
  ): Promise<{ key: string; path: string; draftId: string }> {
    const key = `rebase-${(keys += 1)}`;
    await goLive(key, three);
    const draft = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content(mine, titles.mine));
    await goLive(key, theirs, titles.theirs);
    return { key, draftId: draft.draftId, path: `/api/workflows/${key}/drafts/${draft.draftId}` };
  }
  const rebase = (path: string, body?: object, headers?: Record<string, string>): Promise<Reply<Rebased & Refusal>> =>
    editor.call('POST', `${path}/rebase`, body, headers);
  const draftAt = (path: string, who = editor): Promise<WholeDraft> => who.get<WholeDraft>(path);
  const titlesOf = ({ steps }: WholeDraft): string[] => steps.map(({ title }) => title);

  it('includes both sides’ changes, and bases the draft on the live version', async () => {
    const { path, draftId } = await behind(change(three, 0, { title: 'Mine' }), [
      ...change(three, 1, { title: 'Theirs' }),
      { id: 'fourth', title: 'Added' },
    ]);
    expect((await draftAt(path)).blockers.map(({ code }) => code)).toContain('out_of_date');
    const reply = await rebase(path);
    expect(reply).toMatchObject({ status: 200, body: { draftId, revision: 2, baseVersion: 2, rebased: true } });
    expect(reply.headers.get('etag')).toBe('"2"');
    const draft = await draftAt(path);
    expect({ titles: titlesOf(draft), base: draft.baseVersion }).toEqual({
      titles: ['Mine', 'Theirs', 'Third', 'Added'],
      base: 2,
    });
    expect(draft.steps.map(({ next }) => next)).toEqual([['step-2'], ['step-3'], ['fourth'], []]);
    expect(draft.blockers.map(({ code }) => code)).not.toContain('out_of_date');
  });

  it('changes nothing if the draft is already based on the live version or if nothing is live', async () => {
    const key = `rebase-${(keys += 1)}`;
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, content(three));
    const path = `/api/workflows/${key}/drafts/${draftId}`;
    expect(await rebase(path)).toMatchObject({ status: 200, body: { rebased: false, revision: 1, baseVersion: null } });
    const again = await behind(change(three, 0, { title: 'Mine' }), change(three, 1, { title: 'Theirs' }));
    await rebase(again.path);
    expect(await rebase(again.path)).toMatchObject({ status: 200, body: { rebased: false, revision: 2 } });
    expect(await editor.get<RebaseQuestion>(`${again.path}/rebase`)).toMatchObject({ upToDate: true, conflicts: [] });
  });

  it('returns conflicts field by field, and changes nothing until all are resolved', async () => {
    const { path } = await behind(
      change(change(three, 0, { title: 'Mine' }), 2, { sla: '2h' }),
      change(change(three, 0, { title: 'Theirs' }), 2, { sla: '3h' }),
      { mine: 'My vendors', theirs: 'Their vendors' },
    );
    const before = await draftAt(path);
    const asked = await rebase(path);
    expect(asked).toMatchObject({
      status: 409,
      body: { code: 'merge_conflicts', error: 'This draft conflicts with the live version in 3 places' },
    });
    expect(asked.body.details).toEqual([
      { on: 'metadata', field: 'title', base: TITLE, live: 'Their vendors', draft: 'My vendors' },
      { on: 'step', stepId: 'step-1', field: 'title', base: 'First', live: 'Theirs', draft: 'Mine' },
      { on: 'step', stepId: 'step-3', field: 'sla', base: '1 day', live: '3h', draft: '2h' },
    ]);
    const resolutions: object[] = [
      { on: 'metadata', field: 'title', take: 'live' },
      { on: 'step', stepId: 'step-1', field: 'title', value: 'Ours' },
    ];
    expect((await rebase(path, { resolutions })).body.details).toMatchObject([{ stepId: 'step-3', field: 'sla' }]);
    expect(await draftAt(path)).toEqual(before);

    resolutions.push({ on: 'step', stepId: 'step-3', field: 'sla', take: 'draft' });
    expect(await rebase(path, { resolutions })).toMatchObject({ status: 200, body: { rebased: true } });
    const draft = await draftAt(path);
    expect([draft.metadata.title, titlesOf(draft)[0], draft.steps[2]?.sla]).toEqual(['Their vendors', 'Ours', '2h']);
  });

  it('can be previewed with both sides, their base and the conflicts', async () => {
    const { path } = await behind(change(three, 0, { title: 'Mine' }), change(three, 0, { title: 'Theirs' }));
    expect(await viewer.get<RebaseQuestion>(`${path}/rebase`)).toMatchObject({
      revision: 1,
      upToDate: false,
      base: { version: 1, steps: [{ title: 'First' }, {}, {}] },
      live: { version: 2, steps: [{ title: 'Theirs' }, {}, {}] },
      draft: { steps: [{ title: 'Mine' }, {}, {}] },
      conflicts: [{ on: 'step', stepId: 'step-1', field: 'title', base: 'First', live: 'Theirs', draft: 'Mine' }],
    });
  });

  it('returns new conflicts if another version has gone live since they were shown', async () => {
    const { key, path } = await behind(change(three, 0, { title: 'Mine' }), change(three, 0, { title: 'Theirs' }));
    const shown = await editor.get<RebaseQuestion>(`${path}/rebase`);
    await goLive(key, change(three, 0, { title: 'Later' }));
    const resolved = { resolutions: [{ on: 'step', stepId: 'step-1', field: 'title', take: 'live' }] };
    const reply = await rebase(path, { ...resolved, liveVersionId: shown.live?.id });
    expect(reply).toMatchObject({ status: 409, body: { code: 'live_changed', details: [{ live: 'Later' }] } });
    expect(titlesOf(await draftAt(path))[0]).toBe('Mine');
    const now = await editor.get<RebaseQuestion>(`${path}/rebase`);
    expect((await rebase(path, { ...resolved, liveVersionId: now.live?.id })).status).toBe(200);
    expect(titlesOf(await draftAt(path))[0]).toBe('Later');
  });

  it('also works with a version that a rollback has made live again', async () => {
    const { key, path } = await behind(change(three, 0, { title: 'Mine' }), change(three, 1, { title: 'Theirs' }));
    await rebase(path);
    await reviewer.post(`/api/workflows/${key}/versions/1/rollback`);
    expect(await rebase(path)).toMatchObject({ status: 200, body: { baseVersion: 1, rebased: true } });
    expect(titlesOf(await draftAt(path))).toEqual(['Mine', 'Second', 'Third']);
  });

  it('counts as a save: it dismisses the approvals and makes the actor a contributor', async () => {
    const { key, path, draftId } = await behind(
      change(three, 0, { title: 'Mine' }),
      change(three, 1, { title: 'Theirs' }),
    );
    await reviewer.post(`${path}/approve`);
    const before = (await trailOf(server, orgId)).length;
    expect((await owner.call('POST', `${path}/rebase`)).status).toBe(200);
    const draft = await draftAt(path);
    expect(draft.status).toBe('in_review');
    expect(draft.approvalsCount).toBe(0);
    expect(draft.reviews).toMatchObject([{ verdict: 'approved', current: false }]);
    expect(draft.contributors.map(({ id }) => id)).toContain(owner.user.id);
    expect(await owner.call('POST', `${path}/approve`)).toMatchObject({
      status: 403,
      body: { code: 'contributor_cannot_approve' },
    });
    const recorded = (await trailOf(server, orgId)).slice(before);
    expect(recorded.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['draft.rebased', draftId],
      ['draft.approval_dismissed', draftId],
    ]);
    expect(JSON.parse(recorded[0]?.payload ?? '{}')).toMatchObject({
      data: { key, revision: 2, onto: 2, settled: 0, contentHash: draft.contentHash },
    });
    await reviewer.post(`${path}/approve`);
    await reviewer.post(`${path}/merge`);
  });

  it('dismisses every approval and adds a contributor, even if the content is unchanged', async () => {
    const mine = change(three, 0, { title: 'Alike' });
    const { path } = await behind(mine, mine);
    await reviewer.post(`${path}/approve`);
    expect((await owner.call('POST', `${path}/rebase`)).status).toBe(200);
    const draft = await draftAt(path);
    expect({ approvals: draft.approvalsCount, base: draft.baseVersion, blockers: draft.blockers }).toMatchObject({
      approvals: 0,
      base: 2,
      blockers: [{ code: 'needs_approvals' }],
    });
    expect(draft.contributors.map(({ id }) => id)).toEqual([owner.user.id, editor.user.id]);
    expect(draft.own).toMatchObject({ approvedAt: null });
    expect((await draftAt(path, reviewer)).own.approvedAt).not.toBeNull();
  });

  it("is refused for a stale revision, for a merged draft, and if its result couldn't run", async () => {
    const stale = await behind(change(three, 0, { title: 'Mine' }), change(three, 1, { title: 'Theirs' }));
    await editor.patch(stale.path, content(change(three, 0, { title: 'Mine again' })));
    expect(await rebase(stale.path, {}, { 'if-match': '"1"' })).toMatchObject({
      status: 409,
      body: { code: 'stale_revision', details: [{ sent: 1, current: 2 }] },
    });
    expect((await rebase(stale.path, {}, { 'if-match': '"2"' })).status).toBe(200);
    await reviewer.post(`${stale.path}/approve`);
    await reviewer.post(`${stale.path}/merge`);
    expect(await rebase(stale.path)).toMatchObject({ status: 409, body: { code: 'already_merged' } });
    expect(await editor.call('GET', `${stale.path}/rebase`)).toMatchObject({
      status: 409,
      body: { code: 'already_merged' },
    });

    const linked = (links: Record<string, string[]>): Steps =>
      Object.entries(links).map(([id, next]) => ({ id, title: id, next }));
    const ring = await behind(
      linked({ 'step-1': ['step-2', 'step-3'], 'step-2': [], 'step-3': ['step-2'] }),
      linked({ 'step-1': ['step-2'], 'step-2': ['step-3', 'end'], 'step-3': ['end'], end: [] }),
    );
    const { body } = await rebase(ring.path);
    const reply = await rebase(ring.path, {
      resolutions: body.details.map(({ on, stepId, field }) => ({
        on,
        stepId,
        field,
        take: field === 'next' ? 'live' : 'draft',
      })),
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_workflow' } });
    expect((await draftAt(ring.path)).baseVersion).toBe(1);
  });

  it("is refused with a custom text that is too long, or for a field that isn't a text", async () => {
    const { path } = await behind(change(three, 0, { title: 'Mine' }), change(three, 0, { title: 'Theirs' }));
    const own = (resolution: object): Promise<Reply<Refusal>> => rebase(path, { resolutions: [resolution] });
    expect((await own({ on: 'order', field: 'order', value: 'step-1' })).status).toBe(400);
    expect((await own({ on: 'step', stepId: 'step-1', field: 'next', value: 'x' })).status).toBe(400);
    expect(await own({ on: 'step', stepId: 'step-1', field: 'title', value: 'x'.repeat(301) })).toMatchObject({
      status: 400,
      body: { code: 'invalid', details: [{ field: 'steps.0.title' }] },
    });
  });

  it('is executed only once per idempotency key, and only once for two concurrent requests', async () => {
    const { path } = await behind(change(three, 0, { title: 'Mine' }), change(three, 1, { title: 'Theirs' }));
    const key = { 'idempotency-key': 'rebase-once' };
    const [one, two] = await Promise.all([rebase(path, {}, key), rebase(path, {}, key)]);
    expect([one.body, two.body]).toEqual([
      { draftId: one.body.draftId, revision: 2, baseVersion: 2, rebased: true },
      one.body,
    ]);
    const other = await behind(change(three, 0, { title: 'Mine' }), change(three, 1, { title: 'Theirs' }));
    const both = await Promise.all([rebase(other.path), rebase(other.path)]);
    expect(both.filter(({ body }) => body.rebased)).toHaveLength(1);
  });
});
