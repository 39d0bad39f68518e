import type { Confirmation, SentInvitation, Task } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { changeBefore } from '../../testing/delayed-change.ts';
import { refused } from '../../testing/drafts.ts';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { publish } from '../../testing/organization.ts';
import { act, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, draft, pass, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

const mailed = { mailed: true };
const disable = ({ user }: Person) => server.sql('update users set disabled_at = now() where id = $1', [user.id]);
const enable = ({ user }: Person) => server.sql('update users set disabled_at = null where id = $1', [user.id]);

/** Three people. Jon is a second manager. */
async function team() {
  const mara = await found(true);
  const jon = await add(mara, 'admin', mailed);
  const rita = await add(mara, 'reviewer', mailed);
  const path = `/api/organizations/${mara.user.currentOrgId}`;
  return { mara, jon, rita, path };
}

describe('a disabled account', () => {
  it('isn’t another reviewer, so the only person left can approve their own draft, with a mark', async () => {
    const { mara, jon, rita } = await team();
    const made = await draft(mara);
    await made.act(mara, 'submit');
    await disable(jon);
    expect(await made.act(mara, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    await disable(rita);
    expect((await made.act(mara, 'approve')).status).toBe(200);
    expect((await made.read()).reviews.map(({ marks }) => marks)).toEqual([['self_approved']]);
    await enable(rita);
    expect((await made.act(mara, 'merge')).status).toBe(409);
  });

  it('doesn’t count as an approver any more, and the only manager left can lower the required approvals', async () => {
    const { mara, jon, rita, path } = await team();
    await mara.patch(path, { requiredApprovals: 2 });
    const made = await draft(mara);
    await made.act(mara, 'submit');
    for (const each of [jon, rita]) expect((await made.act(each, 'approve')).status).toBe(200);
    expect((await made.read()).blockers).toEqual([]);
    await disable(jon);
    expect((await made.act(mara, 'merge')).status).toBe(409);
    const changed = await mara.patch<{ requiredApprovals: number }>(path, { requiredApprovals: 1 });
    expect(changed.requiredApprovals).toBe(1);
    expect((await made.act(mara, 'merge')).status).toBe(200);
  });

  it('isn’t a manager who could confirm a change or an account', async () => {
    const { mara, jon, path } = await team();
    await mara.patch(path, { requiredApprovals: 2 });
    const guest = await add(mara, 'reviewer');
    const reviewing = async () => {
      const made = await draft(mara);
      await made.act(mara, 'submit');
      return (await made.act(guest, 'approve')).status;
    };
    expect(await reviewing()).not.toBe(200);
    await disable(jon);
    expect(await reviewing()).toBe(200);
    await enable(jon);
    expect(await reviewing()).not.toBe(200);
    expect(await mara.patch<{ requiredApprovals: number }>(path, { requiredApprovals: 1 })).toMatchObject({
      requiredApprovals: 2,
    });
  });

  it('can’t be named as a reviewer, and nobody can delegate to it', async () => {
    const { mara, jon, rita } = await team();
    await publish(mara, jon, 'named');
    const people = (by: Person, reviewers: readonly Person[]) =>
      by.call('PATCH', '/api/workflows/named/people', { reviewers: reviewers.map(({ user }) => user.id) });
    await disable(rita);
    expect(await people(mara, [jon, rita])).toMatchObject({
      status: 400,
      body: { details: [{ field: 'reviewers.1', problem: `The account of ${rita.user.name} is disabled` }] },
    });
    const now = Date.now();
    const delegated = await jon.call('POST', '/api/delegations', {
      toUserId: rita.user.id,
      from: new Date(now).toISOString(),
      until: new Date(now + 86_400_000).toISOString(),
      kinds: ['reviews'],
      reason: 'On holiday',
    });
    expect(delegated).toMatchObject({
      status: 400,
      body: { details: [{ field: 'toUserId', problem: `The account of ${rita.user.name} is disabled` }] },
    });
    await enable(rita);
    expect((await people(mara, [rita])).status).toBe(200);
    // A reviewer who was named before can stay.
    await disable(rita);
    expect((await people(mara, [jon, rita])).status).toBe(200);
  });

  it('can’t decide a step that names it, so owners and admins decide it', async () => {
    const { mara, jon, rita } = await team();
    await publish(mara, jon, 'disabled', [
      { id: 'check', title: 'Check', type: 'approval', assignee: rita.user.email, next: [] },
    ]);
    const { id } = await start(mara, 'disabled');
    const tasks = async () => (await jon.get<Task[]>('/api/tasks?limit=200')).map(({ stepId }) => stepId);
    const comments = { comments: 'For Rita' };
    expect(await tasks()).toEqual([]);
    expect(await act(jon, id, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
    await disable(rita);
    expect(await tasks()).toEqual(['check']);
    await enable(rita);
    expect(await tasks()).toEqual([]);
    await disable(rita);
    expect((await act(jon, id, 'check', 'approve', comments)).body.run.status).toBe('completed');
  });

  it("can't end its request for changes, so a manager who isn't an author can set it aside", async () => {
    const { mara, jon, rita } = await team();
    const made = await draft(mara);
    await made.act(rita, 'request-changes', { comment: 'This needs changes' });
    const setAside = (by: Person) => made.act(by, `objections/${rita.user.id}/set-aside`, { reason: 'Disabled' });
    expect(await setAside(jon)).toMatchObject(refused(409, 'reviewer_still_here'));
    await disable(rita);
    expect(await setAside(mara)).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await setAside(jon)).status).toBe(200);
    await enable(rita);
    expect((await made.act(jon, 'approve')).status).toBe(200);
    expect((await made.act(mara, 'merge')).status).toBe(200);
  });

  it('doesn’t block a draft for good if its author is the only manager left', async () => {
    const { mara, jon, rita } = await team();
    const made = await draft(mara);
    for (const each of [jon, rita]) await made.act(each, 'request-changes', { comment: 'This needs changes' });
    for (const each of [jon, rita]) await disable(each);
    for (const { user } of [jon, rita])
      expect((await made.act(mara, `objections/${user.id}/set-aside`, { reason: 'Disabled' })).status).toBe(200);
    expect((await made.act(mara, 'approve')).status).toBe(200);
    expect((await made.act(mara, 'merge')).status).toBe(200);
  });

  it.each(['session', 'personal token'])(
    'saves nothing with a request that started before it was disabled (%s)',
    async (kind) => {
      const { mara, jon } = await team();
      const made = await draft(mara);
      await made.act(mara, 'submit');
      const by = kind === 'session' ? jon : { ...jon, ...(await personalToken(server, jon)) };
      const disabling = {
        text: 'update users set disabled_at = now() where id = $1',
        values: [jon.user.id],
        alone: true,
      };
      const { revision } = await made.read();
      const approve = () => made.act(by, 'approve', {}, { 'if-match': `"${revision}"` });
      expect(await changeBefore(server, mara.user.currentOrgId ?? '', disabling, approve)).toMatchObject(
        refused(403, 'forbidden'),
      );
      expect((await made.read()).reviews).toEqual([]);
      await enable(jon);
      expect((await approve()).status).toBe(200);
    },
  );

  it("can't return with an invitation that it sent", async () => {
    const { mara, jon, path } = await team();
    const email = `returned-${process.pid}@example.com`;
    const { id, link } = await jon.post<SentInvitation>(`${path}/invitations`, { email, role: 'admin' });
    const accept = (by: string) =>
      server.anyone.call('POST', `/api/invitations/${by.split('/').at(-1)}/accept`, {
        name: 'Jon again',
        password: 'a long enough one',
      });
    const open = (by: string) => server.anyone.call('GET', `/api/invitations/${by.split('/').at(-1)}`);
    const mailed = linkIn(await mailTo(server.dataDir, email), '/invite/');
    // As in an earlier version, this doesn't revoke the invitation.
    await disable(jon);
    for (const each of [link, mailed]) {
      expect(await open(each)).toMatchObject({
        status: 404,
        body: { error: 'This invitation link may have expired or been revoked.' },
      });
      expect((await accept(each)).status).toBe(404);
    }
    const again = await mara.post<SentInvitation>(`${path}/invitations/${id}/resend`);
    expect((await open(again.link)).status).toBe(200);
    expect((await accept(again.link)).status).toBe(201);
  });

  it("can't prevent others from confirming the people whom it invited, even if its address was never proved", async () => {
    const founder = await found();
    const mara = await add(founder, 'admin', mailed);
    const lea = await add(founder, 'admin', mailed);
    const guest = await add(founder, 'reviewer');
    await pass(founder.user.currentOrgId, 8);
    const confirm = async (by: Person) => {
      const about = (await by.get<Confirmation[]>('/api/confirmations')).find(
        ({ subjectId }) => subjectId === guest.user.id,
      );
      return by.call('POST', `/api/confirmations/${about?.id}/confirm`);
    };
    await disable(founder);
    expect(await confirm(lea)).toMatchObject({
      status: 409,
      body: { details: [{ missing: 'proposer_left_unproved' }] },
    });
    for (const role of ['viewer', 'reviewer'] as const) expect((await setRole(mara, guest, role)).status).toBe(200);
    expect((await confirm(mara)).status).not.toBe(200);
    expect((await confirm(lea)).status).toBe(200);
    const made = await draft(mara);
    await made.act(mara, 'submit');
    expect((await made.act(guest, 'approve')).status).toBe(200);
  });
});
