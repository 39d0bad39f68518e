import type { Notification, Run } from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { content, startDraftBench } from '../../testing/drafts.ts';
import { eventually, mailsIn } from '../../testing/mailbox.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { act as actOn, complete, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, create, act } = bench;
const LIST = '/api/notifications?grouped=true';

afterAll(() => server.stop());

const list = (who: Person, query = ''): Promise<Notification[]> => who.get<Notification[]>(`${LIST}${query}`);
const unread = async (who: Person): Promise<number> =>
  (await who.get<{ unread: number }>('/api/notifications/count')).unread;

describe('a request for a review', () => {
  beforeEach(async () => {
    bench.newKey();
    await server.sql('delete from notifications');
  });

  const submitted = async (): Promise<string> => {
    const { draftId } = await create(editor, content('Hiring'));
    await act(editor, draftId, 'submit');
    expect(await unread(reviewer)).toBe(1);
    return draftId;
  };
  /** The state of the request in a person's list. */
  const requestFor = async (who: Person) => {
    const [found] = (await list(who)).filter(({ kind }) => kind === 'review_requested');
    return found && { isClosed: found.closedAt !== null, isRead: found.readAt !== null };
  };
  const CLOSED = { isClosed: true, isRead: true };

  it('is closed for everyone when the draft is withdrawn; the next submission creates a new one', async () => {
    const draftId = await submitted();
    await act(editor, draftId, 'withdraw');
    for (const who of [reviewer, owner]) expect([await requestFor(who), await unread(who)]).toEqual([CLOSED, 0]);
    await act(editor, draftId, 'submit');
    expect(await requestFor(reviewer)).toEqual({ isClosed: false, isRead: false });
    // Both requests are about the same draft.
    expect(await list(reviewer)).toMatchObject([{ count: 2, draft: { id: draftId } }]);
  });

  it('is closed for the approver, and for everyone once the draft is merged or changes are requested', async () => {
    const draftId = await submitted();
    await act(owner, draftId, 'request-changes', { comment: 'Not yet' });
    expect(await requestFor(reviewer)).toEqual(CLOSED);
    await act(editor, draftId, 'submit');
    await act(owner, draftId, 'approve');
    expect(await requestFor(owner)).toEqual(CLOSED);
    expect(await requestFor(reviewer)).toEqual({ isClosed: false, isRead: false });
    await act(owner, draftId, 'merge');
    expect([await requestFor(reviewer), await unread(reviewer)]).toEqual([CLOSED, 0]);
  });

  it('is closed when its workflow is deleted, and deleted with its draft', async () => {
    await submitted();
    const key = at('').split('/')[3] ?? '';
    await server.sql(`update workflows set live_version_id = null where key = $1`, [key]);
    await owner.call('DELETE', `/api/workflows/${key}`);
    expect(await unread(reviewer)).toBe(0);
    bench.newKey();
    const draftId = await submitted();
    await editor.call('DELETE', at(draftId));
    expect(await unread(reviewer)).toBe(0);
  });
});

describe('a grouped list', () => {
  let viewer: Person;
  let outsider: Person;

  beforeAll(async () => {
    viewer = await server.signUp({ name: 'Vera Viewer' });
    await joinOrganization(server, viewer, orgId, 'viewer');
    outsider = await server.signUp({ team: 'Elsewhere' });
    await publish(editor, reviewer, 'checks', [
      { id: 'check', title: 'Check', type: 'approval', assignee: 'reviewer', config: { minimumApprovers: 1 } },
    ]);
    await publish(
      editor,
      reviewer,
      'mine',
      stepsNamed('First', 'Second').map((step) => ({ ...step, assignee: viewer.user.email })),
    );
  });
  beforeEach(() => server.sql('delete from notifications'));

  it('has one line for many steps that a role gets at the same time', async () => {
    const runs: Run[] = [];
    for (let n = 0; n < 30; n += 1) runs.push(await start(owner, 'checks', `Bulk run ${n}`));
    // If a new batch begins in the meantime, there are two lines.
    const lines = await list(reviewer);
    expect(lines.length).toBeLessThanOrEqual(2);
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    expect(lines[0]).toMatchObject({ kind: 'step_assigned', role: 'reviewer', readAt: null, workflowKey: 'checks' });
    expect(await unread(reviewer)).toBe(lines.length);
    expect(await unread(outsider)).toBe(0);
    expect(await reviewer.get<Notification[]>('/api/notifications?limit=100')).toHaveLength(30);
    for (const { id } of lines) await reviewer.post(`/api/notifications/${id}/read`, { group: true });
    expect(await unread(reviewer)).toBe(0);
    expect((await list(reviewer)).every(({ readAt }) => readAt !== null)).toBe(true);
    await actOn(reviewer, runs[0]?.id ?? '', 'check', 'approve');
  });

  it('has one line per run, unread while any of its notifications is unread', async () => {
    const first = await start(owner, 'mine', 'Run one');
    const second = await start(owner, 'mine', 'Run two');
    await complete(viewer, first.id, 'step-1');
    const lines = await list(viewer);
    expect(lines.map(({ runId, title, count, role }) => [runId, title, count, role])).toEqual([
      [first.id, 'Second', 2, null],
      [second.id, 'First', 1, null],
    ]);
    expect(await unread(viewer)).toBe(2);
    const [newest] = lines;
    await viewer.post(`/api/notifications/${newest?.id}/read`);
    expect((await list(viewer))[0]).toMatchObject({ runId: first.id, readAt: null });
    expect((await list(viewer, '&unread=true')).map(({ count }) => count)).toEqual([1, 1]);
    await viewer.post(`/api/notifications/${newest?.id}/read`, { group: true });
    expect((await list(viewer))[0]).toMatchObject({ runId: first.id, readAt: expect.any(String) as unknown });
    expect(await unread(viewer)).toBe(1);
    expect((await outsider.call('POST', `/api/notifications/${newest?.id}/read`, { group: true })).status).toBe(404);
  });

  it('can be filtered by kind and workflow, and is paginated', async () => {
    for (let n = 0; n < 3; n += 1) await start(owner, 'mine', `Paged run ${n}`);
    bench.newKey();
    const { draftId } = await create(editor, content('Filtered'));
    await editor.post(at(draftId, '/comments'), { body: '@Vera Viewer look' });
    const kinds = async (query: string) => (await list(viewer, query)).map(({ kind }) => kind);
    expect(await kinds('')).toEqual(['mentioned', 'step_assigned', 'step_assigned', 'step_assigned']);
    expect(await kinds('&kind=mentions')).toEqual(['mentioned']);
    expect(await kinds('&kind=other')).toEqual([]);
    expect(await kinds('&workflow=mine&kind=assignments')).toHaveLength(3);
    expect(await kinds('&workflow=checks')).toEqual([]);
    const pages: number[] = [];
    for (let cursor = ''; ;) {
      const page = await viewer.call<Notification[]>('GET', `${LIST}&limit=3${cursor}`);
      pages.push(page.body.length);
      const next = page.headers.get('x-next-cursor');
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    expect(pages).toEqual([3, 1]);
    expect((await viewer.call('GET', `${LIST}&kind=nonsense`)).status).toBe(400);
  });
});

describe('emails about notifications', () => {
  let other: TestServer;
  let boss: Person;
  let worker: Person;

  beforeAll(async () => {
    other = await startTestServer({ MAIL_BATCH_SECONDS: '3' });
    const team = await teamOf(other, ['editor']);
    [boss, worker] = [team.owner, team.editor];
  });
  afterAll(() => other.stop());

  const mails = async () => (await mailsIn(other.dataDir)).filter(({ to }) => to.includes(worker.user.email));

  it('are combined if the notifications are created within a short time', async () => {
    const second = await other.signUp();
    await joinOrganization(other, second, boss.user.currentOrgId ?? '', 'reviewer');
    await publish(boss, second, 'work-2', [{ id: 'do', title: 'Do it', assignee: worker.user.email }]);
    for (const name of ['Run one', 'Run two', 'Run three']) await start(boss, 'work-2', name);
    const done = await start(boss, 'work-2', 'Run done');
    await complete(worker, done.id, 'do');
    const [mail] = await eventually(async () => ((await mails()).length > 0 ? mails() : undefined));
    expect(mail?.headers.get('subject')).toMatch(/^3 steps are waiting for you: Team /);
    for (const name of ['Run one', 'Run two', 'Run three']) expect(mail?.text).toContain(name);
    expect(mail?.text).not.toContain('Run done');
    await eventually(async () => {
      const [left] = await other.sql<{ n: number }>(
        `select count(*)::int as n from notifications where email = 'now' and user_id = $1`,
        [worker.user.id],
      );
      return left?.n === 0 ? true : undefined;
    });
    expect(await mails()).toHaveLength(1);
  });
});
