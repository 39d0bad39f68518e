import type { Comment, Notification } from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { content, startDraftBench } from '../../testing/drafts.ts';
import { eventually, linkIn, mailTo, mailsIn } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { complete, start } from '../../testing/runs.ts';
import type { Person } from '../../testing/server.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, create, act } = bench;

describe('notifications about drafts', () => {
  let admin: Person;
  let viewer: Person;
  let stranger: Person;

  beforeAll(async () => {
    admin = await server.signUp({ name: 'Ann Admin' });
    await joinOrganization(server, admin, orgId, 'admin');
    viewer = await server.signUp({ name: 'Vera Viewer' });
    await joinOrganization(server, viewer, orgId, 'viewer');
    stranger = await server.signUp({ name: 'Stan Stranger', team: 'Elsewhere' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    bench.newKey();
    await server.sql('update notifications set read_at = now() where read_at is null');
  });

  const unread = (who: Person): Promise<Notification[]> => who.get<Notification[]>('/api/notifications?unread=true');
  /** The kinds of each person's unread notifications. Before each test, all are marked as read. */
  async function notified(): Promise<Record<string, string[]>> {
    const people = Object.entries({ owner, admin, editor, reviewer, viewer, stranger });
    const lists = await Promise.all(
      people.map(async ([name, who]) => [name, (await unread(who)).map(({ kind }) => kind)] as const),
    );
    return Object.fromEntries(lists.filter(([, kinds]) => kinds.length > 0));
  }
  const mailsAbout = async (title: string): Promise<string[]> =>
    (await mailsIn(server.dataDir))
      .filter(({ headers }) => headers.get('subject')?.endsWith(title))
      .flatMap(({ to }) => to)
      .toSorted();

  it("are sent once to everyone who can review the draft and hasn't worked on it", async () => {
    const { draftId } = await create(editor, content('Asked for'));
    await admin.patch(at(draftId), content('Asked for', 'First', 'Second'));
    expect(await notified()).toEqual({});
    const key = { 'idempotency-key': 'submit once' };
    expect((await act(editor, draftId, 'submit', undefined, key)).status).toBe(200);
    expect((await act(editor, draftId, 'submit', undefined, key)).status).toBe(200);
    expect(await notified()).toEqual({ owner: ['review_requested'], reviewer: ['review_requested'] });
    expect(await unread(reviewer)).toMatchObject([
      {
        title: 'Asked for',
        body: 'The editor requested your review.',
        draft: { key: at('').split('/')[3], id: draftId },
        runId: null,
      },
    ]);
    const mail = await mailTo(server.dataDir, reviewer.user.email, ({ text }) => text.includes('Asked for'));
    expect(mail.headers.get('subject')).toBe('Review requested: Asked for');
    expect(linkIn(mail, '/app/review')).toContain(`id=${draftId}`);
    await eventually(async () => ((await mailsAbout('Asked for')).length >= 2 ? true : undefined));
    expect(await mailsAbout('Asked for')).toEqual([owner.user.email, reviewer.user.email].toSorted());
  });

  it('are sent again if a draft is resubmitted, but never to people about their own actions', async () => {
    const { draftId } = await create(owner, content('Back and forth'));
    await act(owner, draftId, 'submit');
    await act(owner, draftId, 'withdraw');
    await act(owner, draftId, 'submit');
    // The first request was closed when the draft was withdrawn.
    expect(await notified()).toEqual({ admin: ['review_requested'], reviewer: ['review_requested'] });
  });

  it('are sent to the author and the contributors for each decision, except to the person who decided', async () => {
    const { draftId } = await create(editor, content('Decided'));
    await owner.patch(at(draftId), content('Decided', 'First', 'Second'));
    await act(editor, draftId, 'submit');
    await server.sql('update notifications set read_at = now() where read_at is null');

    await act(reviewer, draftId, 'request-changes', { comment: 'Say by when.' });
    expect(await notified()).toEqual({ owner: ['draft_changes_requested'], editor: ['draft_changes_requested'] });
    expect((await unread(editor))[0]).toMatchObject({
      body: 'The reviewer has requested changes: Say by when.',
      draft: { id: draftId },
    });
    await editor.post('/api/notifications/read');
    await owner.post('/api/notifications/read');

    await act(owner, draftId, 'submit');
    await act(owner, draftId, 'withdraw');
    expect((await notified())['editor']).toEqual(['draft_withdrawn']);
    await act(editor, draftId, 'submit');
    await server.sql('update notifications set read_at = now() where read_at is null');
    await act(reviewer, draftId, 'approve', { comment: 'Good now' });
    await act(admin, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    expect(await notified()).toEqual({
      owner: ['draft_merged', 'draft_approved', 'draft_approved'],
      editor: ['draft_merged', 'draft_approved', 'draft_approved'],
    });
    expect((await unread(owner)).map(({ body }) => body)).toEqual([
      'The reviewer has merged this draft: v1 is live.',
      'Ann Admin has approved this draft.',
      'The reviewer has approved this draft: Good now',
    ]);
  });

  it("aren't sent to former members, or to people who have lost the permission to review", async () => {
    const { draftId } = await create(editor, content('Members only'));
    await server.sql('delete from memberships where org_id = $1 and user_id = $2', [orgId, admin.user.id]);
    await server.sql(`update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, [
      orgId,
      reviewer.user.id,
    ]);
    await act(editor, draftId, 'submit');
    const rows = await server.sql<{ user_id: string }>('select user_id from notifications where draft_id = $1', [
      draftId,
    ]);
    expect(rows).toEqual([{ user_id: owner.user.id }]);
    await joinOrganization(server, admin, orgId, 'admin');
    await joinOrganization(server, reviewer, orgId, 'reviewer');
  });

  it('are deleted with a discarded draft', async () => {
    await create(editor, content('There before'));
    const { draftId } = await create(editor, content('Thrown away'));
    await act(editor, draftId, 'submit');
    const about = async () =>
      (await reviewer.get<Notification[]>('/api/notifications')).filter(({ draft }) => draft?.id === draftId);
    expect(await about()).toHaveLength(1);
    expect((await editor.call('DELETE', at(draftId))).status).toBe(200);
    expect(await about()).toEqual([]);
  });

  describe('and mentions', () => {
    const say = (who: Person, draftId: string, body: string, stepId?: string): Promise<Comment> =>
      who.post<Comment>(at(draftId, '/comments'), { body, ...(stepId !== undefined && { stepId }) });

    it('are sent to members mentioned by name or address, once per comment, and name the commented step', async () => {
      const { draftId } = await create(editor, content('Spoken of'));
      const body = `@Vera Viewer and @${admin.user.email}: see @vera viewer`;
      const comment = await say(reviewer, draftId, body, 'step-1');
      const inText = `@${admin.user.email}`;
      expect(comment.mentions).toEqual([
        { userId: viewer.user.id, from: 0, to: 12 },
        { userId: admin.user.id, from: 17, to: 17 + inText.length },
        { userId: viewer.user.id, from: body.length - 12, to: body.length },
      ]);
      expect(await notified()).toEqual({ admin: ['mentioned'], viewer: ['mentioned'] });
      expect(await unread(viewer)).toMatchObject([
        { title: 'Spoken of', body: `The reviewer mentioned you on “First”: ${body}`, draft: { id: draftId } },
      ]);
      expect((await bench.read(draftId)).comments[0]?.mentions).toEqual(comment.mentions);
      await mailTo(server.dataDir, viewer.user.email, ({ headers }) =>
        (headers.get('subject') ?? '').startsWith('You were mentioned: Spoken of'),
      );
    });

    it('are sent for comments of decisions and texts of completed steps, except to people notified anyway', async () => {
      const { draftId } = await create(editor, content('Decided aloud'));
      await act(editor, draftId, 'submit');
      await server.sql('update notifications set read_at = now() where read_at is null');
      await act(reviewer, draftId, 'request-changes', { comment: '@Vera Viewer knows, @The editor asks' });
      expect(await notified()).toEqual({ editor: ['draft_changes_requested'], viewer: ['mentioned'] });
      await act(editor, draftId, 'submit');
      await act(reviewer, draftId, 'approve', { comment: '@Ann Admin merges' });
      await act(owner, draftId, 'merge');
      const { id } = await start(owner, at('').split('/')[3] ?? '', 'Spoken run');
      await server.sql('update notifications set read_at = now() where read_at is null');
      await complete(owner, id, 'step-1', 'Done, see @vera viewer');
      expect(await notified()).toEqual({ viewer: ['mentioned'] });
      expect(await unread(viewer)).toMatchObject([
        { title: 'First', runId: id, draft: null, body: expect.stringContaining('Done, see @vera viewer') as string },
      ]);
      const mail = await mailTo(server.dataDir, viewer.user.email, ({ text }) => text.includes('Spoken run'));
      expect(linkIn(mail, `/app/runs/${id}`)).toBeTruthy();
    });

    it('are never sent to outsiders, for a name shared by two people, or to the author', async () => {
      const namesake = await server.signUp({ name: 'Vera Viewer' });
      await joinOrganization(server, namesake, orgId, 'viewer');
      const { draftId } = await create(editor, content('Nobody'));
      const { mentions } = await say(
        owner,
        draftId,
        `@Stan Stranger @Vera Viewer @${stranger.user.email} mail ${viewer.user.email}`,
      );
      expect(mentions).toEqual([]);
      const own = await say(owner, draftId, `@${owner.user.email} notes to myself`);
      expect(own.mentions).toMatchObject([{ userId: owner.user.id }]);
      expect(await notified()).toEqual({});
      await server.sql('delete from memberships where org_id = $1 and user_id = $2', [orgId, namesake.user.id]);
    });
  });
});
