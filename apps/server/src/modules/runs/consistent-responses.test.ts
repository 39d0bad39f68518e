import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, mailTo } from '../../testing/mailbox.ts';
import { joinOrganization, publish } from '../../testing/organization.ts';
import { act, complete, letTimePass, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import type { Person } from '../../testing/server.ts';
import { type SlackScene, startSlackScene } from '../../testing/slack-scene.ts';

let made = 0;
const approval = { type: 'approval', assignee: 'reviewer' };

describe('the API, the run page, Slack and My tasks', () => {
  let scene: SlackScene;
  let team: { owner: Person; reviewer: Person; editor: Person };
  let organization: string;
  beforeAll(async () => {
    scene = await startSlackScene();
  });
  afterAll(() => scene.stop());
  beforeEach(async () => {
    const { owner, reviewer, orgId } = await scene.reset();
    const editor = await scene.server.signUp();
    await joinOrganization(scene.server, editor, orgId, 'editor');
    team = { owner, reviewer, editor };
    organization = `/api/organizations/${orgId}`;
    await scene.connect();
    await owner.patch('/api/integrations/slack', { channelId: scene.slack.addChannel('runs') });
  });

  const taskOf = async (who: Person, runId: string) =>
    (await who.get<{ runId: string; onlyReject: boolean }[]>('/api/tasks?limit=200')).find(
      (task) => task.runId === runId,
    );
  const tasksOf = async (who: Person, runId: string): Promise<boolean> => (await taskOf(who, runId)) !== undefined;
  const isNotified = async (who: Person, runId: string): Promise<boolean> =>
    (await who.get<{ runId: string | null; stepId: string | null }[]>('/api/notifications')).some(
      (notification) => notification.runId === runId && notification.stepId === 'step-1',
    );
  const pageOf = async (who: Person, runId: string) => (await runOf(who, runId)).steps[0];
  /** Presses a step's button in Slack. Returns Slack's ephemeral reply to this person. */
  async function press(who: Person, title: string, action: string, input?: string): Promise<string> {
    const { slack } = scene;
    const userId = slack.addMember(who.user.email);
    const before = slack.ephemeral.length;
    const message = await scene.posted(title);
    await slack.press(scene.interactivity(), { message, action, userId, ...(input !== undefined && { input }) });
    return eventually(() => slack.ephemeral.slice(before).find(({ user }) => user === userId)?.text);
  }

  /**
   * Expects the API, the run page and Slack to refuse with the same sentence, and returns it. Expects no notification,
   * and no task except to reject.
   */
  async function isRefusedEverywhere(
    who: Person,
    run: { id: string; title: string },
    does: 'approve' | 'complete',
    { canReject = false } = {},
  ): Promise<string> {
    const { status, body } =
      does === 'approve' ? await act(who, run.id, 'step-1', 'approve') : await complete(who, run.id, 'step-1');
    expect(status).toBeGreaterThanOrEqual(400);
    const { error, code } = body as unknown as { error: string; code: string };
    const page = await pageOf(who, run.id);
    expect(page?.because).toEqual({ code, sentence: error });
    expect(page?.abilities).toMatchObject({ [does]: false, reject: canReject });
    expect(await press(who, run.title, `${does}_step`, does === 'complete' ? 'Done' : undefined)).toBe(
      `${error}.`.replace(/\.\.$/, '.'),
    );
    expect((await taskOf(who, run.id))?.onlyReject).toBe(canReject ? true : undefined);
    expect(await isNotified(who, run.id)).toBe(false);
    return error;
  }

  it('all refuse an owner who acts for assignees, as long as enough of them can decide', async () => {
    const run = await scene.running(approval);
    expect(await isRefusedEverywhere(team.owner, run, 'approve')).toContain('assigned to Reviewer');
    expect(await tasksOf(team.reviewer, run.id)).toBe(true);
    expect(await isNotified(team.reviewer, run.id)).toBe(true);
  });

  it('all let an owner stand in, with a reason, if there are too few assignees', async () => {
    const run = await scene.running({ ...approval, config: { minimumApprovers: 2 } });
    expect(await tasksOf(team.owner, run.id)).toBe(true);
    expect(await pageOf(team.owner, run.id)).toMatchObject({ because: null, actsFor: 'too_few' });
    const { body } = await act(team.owner, run.id, 'step-1', 'approve');
    expect(body).toMatchObject({ code: 'stand_in_reason_required' });
    const { error } = body as unknown as { error: string };
    expect(await press(team.owner, run.title, 'approve_step')).toBe(`${error}.`.replace(/\.\.$/, '.'));
    expect(await press(team.owner, run.title, 'approve_step', 'Both are away')).toContain('1 of 2');
  });

  it('no longer let an owner stand in once there is an assignee again', async () => {
    const { owner, reviewer } = team;
    const run = await scene.running(approval);
    await owner.call('PATCH', `${organization}/users/${reviewer.user.id}`, { role: 'viewer' });
    expect(await tasksOf(owner, run.id)).toBe(true);
    await owner.call('PATCH', `${organization}/users/${reviewer.user.id}`, { role: 'reviewer' });
    expect(await pageOf(owner, run.id)).toMatchObject({ abilities: { approve: false } });
    expect((await act(owner, run.id, 'step-1', 'approve', { comments: 'Too late' })).status).toBe(403);
    expect(await tasksOf(owner, run.id)).toBe(false);
    expect(await tasksOf(reviewer, run.id)).toBe(true);
  });

  it('all refuse an editor’s help if only owners and admins can help', async () => {
    await team.owner.patch(organization, { editorsMayHelp: false });
    const run = await scene.running({ assignee: 'reviewer' });
    expect(await isRefusedEverywhere(team.editor, run, 'complete')).toContain('Admins and owners can help');
  });

  it('let an editor help on the page, while Slack only links to it', async () => {
    const run = await scene.running({ assignee: 'reviewer' });
    expect(await pageOf(team.editor, run.id)).toMatchObject({ actsFor: 'helper', abilities: { complete: true } });
    for (const who of [team.editor, team.owner]) {
      const reply = await press(who, run.title, 'complete_step', 'Done');
      expect(reply).toContain('This step is for Reviewer.');
      expect(reply).toMatch(new RegExp(`<[^|]*/app/runs/${run.id}\\|Open the run>`));
    }
    expect(await runOf(team.owner, run.id)).toMatchObject({ status: 'running', currentStepIds: ['step-1'] });
    expect((await complete(team.editor, run.id, 'step-1')).status).toBe(200);
  });

  it("all refuse someone whose account isn't proved", async () => {
    const { add } = secondPersonBench(scene.server);
    const guest = await add(team.owner, 'reviewer');
    const admin = await scene.server.signUp();
    await joinOrganization(scene.server, admin, organization.split('/').at(-1) ?? '', 'admin');
    const run = await scene.running(approval);
    expect(await isRefusedEverywhere(guest, run, 'approve')).toContain('Prove your address');
  });

  describe('all apply separation of duties:', () => {
    /** Starts a run in which `doer` does the work before an approval by the assignee. */
    async function afterWorkOf(doer: Person, assignee: string): Promise<{ id: string; title: string }> {
      const key = `apart-${(made += 1)}`;
      const title = `Approval apart ${made}`;
      const config = { separateFrom: true };
      await publish(team.owner, team.reviewer, key, [
        { id: 'step-1', title, type: 'approval', assignee, config, next: [] },
        { id: 'work', title: 'Work', assignee: doer.user.email, next: ['step-1'] },
      ]);
      const { id } = await start(team.editor, key);
      await complete(doer, id, 'work');
      return { id, title };
    }

    it('they refuse a person who did the work', async () => {
      const run = await afterWorkOf(team.reviewer, 'reviewer');
      expect(await isRefusedEverywhere(team.reviewer, run, 'approve')).toContain('You completed the previous step');
      expect(await tasksOf(team.owner, run.id)).toBe(true);
    });

    it('they refuse the inviter of an unproved account that did the work, even if the step names them', async () => {
      const { owner } = team;
      const admin = await scene.server.signUp();
      await joinOrganization(scene.server, admin, organization.split('/').at(-1) ?? '', 'admin');
      const guest = await secondPersonBench(scene.server).add(owner, 'editor');
      const run = await afterWorkOf(guest, owner.user.email);
      const refusal = await isRefusedEverywhere(owner, run, 'approve', { canReject: true });
      expect(refusal).toContain(`${guest.user.name} completed`);
      expect(refusal).toContain('reject the step so that someone else does the work again.');
      expect(await taskOf(admin, run.id)).toMatchObject({ onlyReject: false });
      expect(await owner.get('/api/tasks/count')).toMatchObject({ count: 1 });
      const rejected = await act(owner, run.id, 'step-1', 'reject', { comments: 'By a proved account' });
      expect(rejected.status).toBe(200);
      expect(await taskOf(owner, run.id)).toBeUndefined();
    });
  });

  it('refuse an editor’s approval of their own input while an owner can approve it', async () => {
    const run = await scene.running({ config: { requiresApproval: true } });
    expect((await complete(team.editor, run.id, 'step-1')).status).toBe(200);
    const { body } = await act(team.editor, run.id, 'step-1', 'approve');
    const { error, code } = body as unknown as { error: string; code: string };
    const page = await pageOf(team.editor, run.id);
    expect(page).toMatchObject({ because: { code, sentence: error }, abilities: { approve: false } });
    // Slack has no buttons for decisions about input. Its message links to the page.
    expect(await tasksOf(team.editor, run.id)).toBe(false);
    expect(await tasksOf(team.owner, run.id)).toBe(true);
  });

  it('let an owner stand in once the step is 24 working hours overdue', async () => {
    const { owner } = team;
    const run = await scene.running({ ...approval, sla: '1h' });
    await letTimePass(scene.server, run.id, 26 * 3_600_000);
    await scene.server.sql(`update run_tasks set opens_at = opens_at - interval '26 hours' where run_id = $1`, [
      run.id,
    ]);
    expect(await tasksOf(owner, run.id)).toBe(true);
    expect(await pageOf(owner, run.id)).toMatchObject({ because: null, actsFor: 'overdue' });
    const { body } = await act(owner, run.id, 'step-1', 'approve');
    expect(body).toMatchObject({ code: 'stand_in_reason_required' });
    const { error } = body as unknown as { error: string };
    expect(await press(owner, run.title, 'approve_step')).toBe(`${error}.`.replace(/\.\.$/, '.'));
    expect((await act(owner, run.id, 'step-1', 'approve', { comments: 'Overdue' })).status).toBe(200);
  });

  it('refuse a second vote by the same person', async () => {
    const run = await scene.running({ ...approval, config: { minimumApprovers: 2 } });
    await act(team.reviewer, run.id, 'step-1', 'approve');
    const { body } = await act(team.reviewer, run.id, 'step-1', 'approve');
    const { error } = body as unknown as { error: string };
    expect((await pageOf(team.reviewer, run.id))?.because?.sentence).toBe(error);
    expect(await press(team.reviewer, run.title, 'approve_step')).toBe(`${error}.`);
    expect(await tasksOf(team.reviewer, run.id)).toBe(false);
  });

  it('offer no skip or retry in Slack or mail, and no task for a step to retry', async () => {
    const { email } = team.reviewer.user;
    scene.slack.addMember(email);
    const steps = [
      [{ type: 'approval', assignee: email }, 'approve_step'],
      [{ assignee: email }, 'complete_step'],
    ] as const;
    for (const [step, action] of steps) {
      const run = await scene.running(step);
      const { blocks } = await scene.posted(run.title);
      const actions = JSON.stringify(blocks).matchAll(/"action_id":"(\w+)"/g);
      expect(new Set([...actions].map(([, id]) => id))).toEqual(new Set(['input', action, 'open']));
      const mail = await mailTo(scene.server.dataDir, email, ({ text }) => text.includes(run.title));
      const links = [...mail.html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = '']) => new URL(link).pathname);
      expect(new Set(links)).toEqual(new Set([`/app/runs/${run.id}`]));
      if (action !== 'approve_step') continue;
      await act(team.reviewer, run.id, 'step-1', 'reject', { comments: 'No' });
      for (const who of Object.values(team)) expect(await tasksOf(who, run.id)).toBe(false);
    }
  });

  it('are consistent about who can agree to a skip, which only the API and the page offer', async () => {
    const run = await scene.running({ type: 'approval', assignee: 'Unassigned', config: { minimumApprovers: 2 } });
    const reason = { reason: 'Not needed' };
    for (const [who, may] of [
      [team.editor, false],
      [team.owner, true],
      [team.owner, false],
    ] as const) {
      expect((await pageOf(who, run.id))?.abilities.skip).toBe(may);
      expect((await act(who, run.id, 'step-1', 'skip', reason)).status < 400).toBe(may);
    }
    expect(await pageOf(team.editor, run.id)).toMatchObject({ skip: { required: 2, votes: [{}] } });
  });

  it('are consistent about who can retry a step after a rejection, which only the API and the page offer', async () => {
    const run = await scene.running(approval);
    await act(team.reviewer, run.id, 'step-1', 'reject', { comments: 'No' });
    // No step precedes the rejected one, so the rejected work is that of the person who started the run.
    const { body, status } = await act(team.owner, run.id, 'step-1', 'retry');
    expect(status).toBe(403);
    expect(await pageOf(team.owner, run.id)).toMatchObject({
      abilities: { retry: false },
      because: { sentence: (body as unknown as { error: string }).error },
    });
    expect(await pageOf(team.editor, run.id)).toMatchObject({ abilities: { retry: true }, because: null });
    expect((await act(team.editor, run.id, 'step-1', 'retry')).status).toBe(200);
  });
});
