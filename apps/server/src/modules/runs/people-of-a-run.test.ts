import type { Confirmation } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { publish } from '../../testing/organization.ts';
import type { StepInput } from '../../testing/run-scene.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, join, prove, setRole, pass } = secondPersonBench(server);
afterAll(() => server.stop());

const mailed = { mailed: true };
let made = 0;
const address = () => `one-${process.pid}-${(made += 1)}`;
/** A team with an owner and an admin, both with proved addresses. */
async function team() {
  const hana = await found(true);
  const mike = await add(hana, 'admin', mailed);
  return {
    hana,
    mike,
    /** Two accounts of one mailbox. */
    twins: async (role: Exclude<OrgRole, 'owner'>) => {
      const name = address();
      const one = await add(hana, role, { mailed: true, email: `${name}@example.com` });
      return [one, await add(hana, role, { mailed: true, email: `${name}+two@example.com` })] as const;
    },
    startOf: async (...steps: StepInput[]): Promise<string> => {
      const key = `people-${(made += 1)}`;
      await publish(hana, mike, key, steps);
      return (await start(hana, key)).id;
    },
  };
}
const approval = (config: object = {}, more: object = {}): StepInput => ({
  id: 'check',
  title: 'Check',
  type: 'approval',
  config,
  next: [],
  ...more,
});
const comments = { comments: 'For them' };
const reason = { reason: 'Not needed' };
const abilities = async (person: Person, runId: string, stepId = 'check') =>
  (await runOf(person, runId)).steps.find(({ id }) => id === stepId)?.abilities;
const hasTask = async (person: Person, runId: string): Promise<boolean> =>
  (await person.get<{ runId: string }[]>('/api/tasks?limit=200')).some((task) => task.runId === runId);
const notCounted = { status: 409, body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] } };
const NOTHING = { complete: false, approve: false, reject: false, skip: false };

it('owners and admins can agree to a skip only if too few of the named people can agree', async () => {
  const { hana, mike, startOf } = await team();
  const mallory = await add(hana, 'reviewer', mailed);
  const id = await startOf(approval({ minimumApprovers: 2 }, { assignee: 'reviewer' }));
  expect((await act(mike, id, 'check', 'skip', reason)).body.message).toBe('1 of 2 have agreed to skip');
  expect(await abilities(hana, id)).toMatchObject({ approve: true, skip: false });
  expect(await act(hana, id, 'check', 'skip', reason)).toMatchObject(refused(403, 'not_assigned'));
  expect((await act(mallory, id, 'check', 'skip', reason)).body.message).toBe('Step skipped');
});

it('a step that names an internationalized address is a task of the account with that address', async () => {
  const { hana, startOf } = await team();
  const [typed, email] = ['eva@bücher.example', 'eva@xn--bcher-kva.example'];
  const organization = `/api/organizations/${hana.user.currentOrgId}`;
  await hana.post(`${organization}/invitations`, { email: typed, role: 'reviewer' });
  const eva = await join({ link: linkIn(await mailTo(server.dataDir, email), '/invite/') }, email);
  const id = await startOf(approval({}, { assignee: typed }));
  expect(await act(hana, id, 'check', 'approve', comments)).toMatchObject({
    status: 403,
    body: { code: 'not_assigned', error: expect.not.stringContaining(email) as string },
  });
  expect(await hasTask(eva, id)).toBe(true);
  const notifications = await eva.get<{ kind: string; runId: string | null }[]>('/api/notifications');
  expect(notifications).toContainEqual(expect.objectContaining({ kind: 'step_assigned', runId: id }));
  expect((await act(eva, id, 'check', 'approve')).status).toBe(200);
});

describe('two accounts of one mailbox', () => {
  it('are one person for separation of duties and votes', async () => {
    const { twins, startOf } = await team();
    const [one, two] = await twins('admin');
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval({ separateFrom: true }));
    await complete(two, id, 'work');
    expect(await act(one, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(one, id)).toBe(false);
    const votes = await startOf(approval({ minimumApprovers: 2 }));
    await act(one, votes, 'check', 'approve');
    expect(await act(two, votes, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect(await hasTask(two, votes)).toBe(false);
  });

  it('are one person even if the domain of one address isn’t stored in its ASCII form', async () => {
    const { hana, startOf } = await team();
    const two = await add(hana, 'admin', { mailed: true, email: 'jon@xn--bcher-kva.example' });
    const one = await add(hana, 'admin', mailed);
    // An earlier release stored addresses as they were typed.
    await server.sql('update users set email = $2 where id = $1', [one.user.id, 'jon@bücher.example']);
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval({ separateFrom: true }));
    await complete(one, id, 'work');
    expect(await act(two, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    const votes = await startOf(approval({ minimumApprovers: 2 }));
    await act(one, votes, 'check', 'approve');
    expect(await act(two, votes, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
  });

  it('see which account’s action bars them', async () => {
    const { twins, startOf } = await team();
    const [one, two] = await twins('admin');
    const counts = 'their actions also count as yours, since you invited them or share a mailbox. Someone else';
    const name = two.user.name;
    const errorOf = async (runId: string, stepId: string) => {
      const { body } = await act(one, runId, stepId, 'approve');
      const { error } = body as unknown as { error: string };
      const shown = (await runOf(one, runId)).steps.find(({ id }) => id === stepId)?.because?.sentence;
      expect(shown).toBe(error);
      return error;
    };
    const apart = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval({ separateFrom: true }));
    await complete(two, apart, 'work');
    expect(await errorOf(apart, 'check')).toBe(`${name} completed the previous step, and ${counts} has to approve`);
    const input = await startOf({ id: 'fill', title: 'Fill', config: { requiresApproval: true } });
    await complete(two, input, 'fill');
    expect(await errorOf(input, 'fill')).toBe(`${name} entered the input, and ${counts} has to approve it`);
    const votes = await startOf(approval({ minimumApprovers: 2 }));
    await act(two, votes, 'check', 'approve');
    expect(await errorOf(votes, 'check')).toBe(`${name} has approved this step, and ${counts} has to approve too`);
  });

  it('are one person among those named by a step', async () => {
    const { hana, twins, startOf } = await team();
    const [one, two] = await twins('reviewer');
    const id = await startOf(approval({ minimumApprovers: 2 }, { assignee: 'reviewer' }));
    expect((await runOf(hana, id)).steps[0]).toMatchObject({ actsFor: 'too_few' });
    await act(one, id, 'check', 'approve');
    expect(await hasTask(hana, id)).toBe(true);
    expect((await act(hana, id, 'check', 'approve', comments)).body.run.status).toBe('completed');

    const work = { id: 'work', title: 'Work', assignee: two.user.email, next: ['check'] };
    const apart = await startOf(work, approval({ separateFrom: true }, { assignee: one.user.email }));
    await complete(two, apart, 'work');
    expect(await hasTask(hana, apart)).toBe(true);
    expect((await act(hana, apart, 'check', 'approve', comments)).body.run.status).toBe('completed');
  });

  it("can't retry a step after their own work was rejected", async () => {
    const { hana, mike, twins, startOf } = await team();
    const [one, two] = await twins('editor');
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval());
    await complete(one, id, 'work');
    await act(mike, id, 'check', 'reject', { comments: 'No' });
    expect(await abilities(two, id)).toMatchObject({ retry: false });
    expect(await act(two, id, 'check', 'retry')).toMatchObject(refused(403, 'rejected_cannot_retry'));
    expect((await act(hana, id, 'check', 'retry')).status).toBe(200);
  });
});

describe('an unproved account, while there is a proved manager other than its inviter', () => {
  it("can't decide or skip an approval step until it is proved", async () => {
    const { hana, startOf } = await team();
    const second = await add(hana, 'reviewer');
    for (const assignee of ['', 'reviewer', second.user.email]) {
      const id = await startOf(approval({ minimumApprovers: 2 }, { assignee }));
      expect(await complete(second, id, 'check')).toMatchObject(notCounted);
      expect(await act(second, id, 'check', 'approve')).toMatchObject(notCounted);
      expect(await act(second, id, 'check', 'reject', comments)).toMatchObject(notCounted);
      expect(await act(second, id, 'check', 'skip', reason)).toMatchObject(notCounted);
      expect(await abilities(second, id)).toMatchObject(NOTHING);
      expect(await hasTask(second, id)).toBe(false);
      expect((await second.get<{ count: number }>('/api/tasks/count')).count).toBe(0);
    }
    const id = await startOf(approval());
    await prove(second);
    expect(await hasTask(second, id)).toBe(true);
    expect((await act(second, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('can enter input, but can neither approve, reject nor skip a step that needs approval', async () => {
    const { hana, mike, startOf } = await team();
    const second = await add(hana, 'editor');
    const fill = { id: 'fill', title: 'Fill', config: { requiresApproval: true } };
    const id = await startOf(fill);
    expect(await hasTask(second, id)).toBe(true);
    expect(await act(second, id, 'fill', 'skip', reason)).toMatchObject(notCounted);
    expect(await abilities(second, id, 'fill')).toMatchObject({ ...NOTHING, complete: true });
    await complete(mike, id, 'fill');
    expect(await act(second, id, 'fill', 'approve')).toMatchObject(notCounted);
    expect(await act(second, id, 'fill', 'reject', comments)).toMatchObject(notCounted);
    expect(await abilities(second, id, 'fill')).toMatchObject(NOTHING);
    expect(await hasTask(second, id)).toBe(false);
    const own = await startOf(fill);
    expect((await complete(second, own, 'fill')).status).toBe(200);
    const plain = await startOf({ id: 'fill', title: 'Fill' });
    expect((await act(second, plain, 'fill', 'skip', reason)).body.message).toBe('Step skipped');
  });

  it("can't retry a step after a rejection", async () => {
    const { hana, mike, startOf } = await team();
    const second = await add(hana, 'editor');
    const ed = await add(hana, 'editor', mailed);
    const id = await startOf({ id: 'work', title: 'Work', next: ['check'] }, approval());
    await complete(ed, id, 'work');
    await act(mike, id, 'check', 'reject', { comments: 'No' });
    expect(await abilities(second, id)).toMatchObject({ retry: false });
    expect(await act(second, id, 'check', 'retry')).toMatchObject(notCounted);
    expect((await act(hana, id, 'check', 'retry')).status).toBe(200);
  });

  it("isn't counted among the named people who can decide, so owners and admins can act for them", async () => {
    const { hana, mike, startOf } = await team();
    const second = await add(mike, 'reviewer');
    const work = { id: 'work', title: 'Work', next: ['check'] };
    const id = await startOf(work, approval({ separateFrom: true }, { assignee: second.user.email }));
    await complete(mike, id, 'work');
    expect(await hasTask(hana, id)).toBe(true);
    expect(await abilities(hana, id)).toMatchObject({ approve: true, skip: true });
    expect((await act(hana, id, 'check', 'approve', comments)).body.run.status).toBe('completed');
  });
});

it("the refusal says what to do if nobody else can approve the input because editors can't help", async () => {
  const hana = await found(true);
  const [ed, rita] = [await add(hana, 'editor', mailed), await add(hana, 'reviewer', mailed)];
  const fill = { id: 'fill', title: 'Fill', assignee: hana.user.email, config: { requiresApproval: true } };
  await publish(hana, rita, 'only-helper', [fill]);
  const settings = `/api/organizations/${hana.user.currentOrgId}`;
  await hana.patch(settings, { editorsMayHelp: false });
  const { id } = await start(hana, 'only-helper');
  await complete(hana, id, 'fill');
  const refusals = [
    [hana, 'own_submission', 'You can’t approve your own input, and nobody else can at the moment.'],
    [ed, 'not_assigned', `This step is assigned to ${hana.user.email}, and nobody else can decide its input.`],
    [rita, 'not_assigned', `This step is assigned to ${hana.user.email}, and nobody else can decide its input.`],
  ] as const;
  for (const [who, code, start] of refusals) {
    const error = `${start} An owner or admin can let editors help (Settings, Runs) or invite another admin.`;
    expect(await act(who, id, 'fill', 'approve')).toMatchObject({ status: 403, body: { code, error } });
    expect((await runOf(who, id)).steps[0]?.because).toEqual({ code, sentence: error });
  }
  const mike = await add(hana, 'admin', mailed);
  expect((await act(hana, id, 'fill', 'approve')).body).toMatchObject({
    error: 'Someone else has to approve your input',
  });
  expect((await act(mike, id, 'fill', 'approve')).body.run.status).toBe('completed');
});

describe('a role that a person gave to themselves', () => {
  const notificationsOf = async (person: Person) =>
    (await person.get<{ kind: string; runId: string }[]>('/api/notifications')).filter(
      ({ kind }) => kind === 'decided_for_you',
    );

  it('doesn’t count for 7 days; until then, the person decides that role’s steps only as a stand-in', async () => {
    const { hana, mike, startOf } = await team();
    const rita = await add(hana, 'reviewer', mailed);
    const bo = await add(hana, 'admin', mailed);
    const one = await startOf(approval({}, { assignee: 'reviewer' }));
    const two = await startOf(approval({ minimumApprovers: 2 }, { assignee: 'reviewer' }));
    expect((await setRole(bo, bo, 'reviewer')).status).toBe(200);
    for (const reply of [
      await act(bo, one, 'check', 'approve', comments),
      await act(bo, one, 'check', 'reject', comments),
      await act(bo, one, 'check', 'skip', reason),
    ])
      expect(reply).toMatchObject(refused(403, 'not_assigned'));
    expect((await act(bo, one, 'check', 'approve')).body).toMatchObject({
      error: expect.stringContaining('You gave yourself this role') as unknown,
    });
    expect(await abilities(bo, one)).toMatchObject(NOTHING);
    expect(await hasTask(bo, one)).toBe(false);
    expect(await hasTask(rita, one)).toBe(true);

    expect(await hasTask(bo, two)).toBe(true);
    expect(await hasTask(mike, two)).toBe(true);
    expect((await runOf(bo, two)).steps[0]).toMatchObject({ actsFor: 'too_few', abilities: { approve: true } });
    expect(await act(bo, two, 'check', 'approve')).toMatchObject(refused(400, 'stand_in_reason_required'));
    const { body } = await act(bo, two, 'check', 'approve', comments);
    expect(body.run.steps[0]?.approvals?.votes).toMatchObject([{ by: { id: bo.user.id }, actsFor: 'too_few' }]);
    expect((await notificationsOf(rita)).map(({ runId }) => runId)).toEqual([two]);
    await pass(hana.user.currentOrgId, 8);
    expect(await hasTask(bo, one)).toBe(true);
    expect((await act(bo, one, 'check', 'approve')).body.run.steps[0]?.approvals?.votes).toMatchObject([
      { actsFor: null },
    ]);
  });

  it('doesn’t affect steps that name the person or nobody', async () => {
    const { hana, startOf } = await team();
    const bo = await add(hana, 'admin', mailed);
    const own = await startOf(approval({}, { assignee: bo.user.email }));
    const free = await startOf(approval({}, { assignee: '' }));
    expect((await setRole(bo, bo, 'reviewer')).status).toBe(200);
    for (const id of [own, free]) {
      expect(await hasTask(bo, id)).toBe(true);
      expect((await act(bo, id, 'check', 'approve')).body.run.status).toBe('completed');
    }
  });

  it("doesn't prevent approving input, so the message to the submitter doesn't claim that nobody else can approve", async () => {
    const { hana, mike, startOf } = await team();
    const fill = { id: 'fill', title: 'Fill', assignee: mike.user.email, config: { requiresApproval: true } };
    const id = await startOf(fill);
    await setRole(hana, mike, 'owner');
    await setRole(hana, hana, 'admin');
    await hana.patch(`/api/organizations/${hana.user.currentOrgId}`, { editorsMayHelp: false });
    await complete(mike, id, 'fill');
    expect((await act(mike, id, 'fill', 'approve')).body).toMatchObject({
      error: 'Someone else has to approve your input',
    });
    expect((await act(hana, id, 'fill', 'approve')).body.run.status).toBe('completed');
  });

  it('includes a role given by another account of their mailbox, but not one given by another person', async () => {
    const { hana, mike, startOf, twins } = await team();
    const [one, two] = await twins('admin');
    await add(hana, 'reviewer', mailed);
    const id = await startOf(approval({}, { assignee: 'reviewer' }));
    expect((await setRole(one, two, 'reviewer')).status).toBe(200);
    expect(await act(two, id, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
    expect((await setRole(hana, mike, 'reviewer')).status).toBe(200);
    expect((await act(mike, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('includes a role given by an account that only this person vouches for, until its address is proved', async () => {
    const { hana, mike, startOf } = await team();
    const bo = await add(hana, 'admin', mailed);
    await add(hana, 'reviewer', mailed);
    await pass(hana.user.currentOrgId, 8);
    const id = await startOf(approval({}, { assignee: 'reviewer' }));
    // Mike sends an invitation and passes on the link. Bo joins with it, confirms the new account, and uses it to
    // change his own role.
    const puppet = await add(mike, 'admin');
    const asked = (await bo.get<Confirmation[]>('/api/confirmations')).find(
      ({ subjectId }) => subjectId === puppet.user.id,
    );
    await bo.post(`/api/confirmations/${asked?.id}/confirm`);
    expect((await setRole(puppet, bo, 'reviewer')).status).toBe(200);
    expect(await act(bo, id, 'check', 'approve', comments)).toMatchObject(refused(403, 'not_assigned'));
    expect(await hasTask(bo, id)).toBe(false);
    await prove(puppet);
    expect((await act(bo, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it("doesn't block a step: if nobody else has the role, the person decides as a stand-in", async () => {
    const { hana, startOf } = await team();
    const bo = await add(hana, 'admin', mailed);
    const work = { id: 'work', title: 'Work', next: ['check'] };
    const id = await startOf(work, approval({ separateFrom: true }, { assignee: 'reviewer' }));
    await complete(hana, id, 'work');
    await setRole(bo, bo, 'reviewer');
    expect(await hasTask(bo, id)).toBe(true);
    expect((await act(bo, id, 'check', 'approve', comments)).body.run.status).toBe('completed');
  });
});

it('an unproved account’s vote counts if its inviter is the only proved manager', async () => {
  const hana = await found(true);
  const lou = await add(hana, 'reviewer', mailed);
  await publish(hana, lou, 'stands', [approval({ minimumApprovers: 2 }, { assignee: 'reviewer' })]);
  const second = await add(hana, 'reviewer');
  const { id } = await start(hana, 'stands');
  expect((await runOf(hana, id)).steps[0]?.actsFor).toBeNull();
  expect((await act(second, id, 'check', 'approve')).status).toBe(200);
  expect((await act(lou, id, 'check', 'approve')).body.run.status).toBe('completed');

  // Only its inviter could confirm the account, so the account can vote, and the vote is marked.
  const named = { assignee: second.user.email };
  await publish(hana, lou, 'inviter', [
    { id: 'work', title: 'Work', next: ['check'] },
    approval({ separateFrom: true }, named),
  ]);
  const run = await start(hana, 'inviter');
  await complete(hana, run.id, 'work');
  expect(await hasTask(second, run.id)).toBe(true);
  // Now another manager could confirm the account, so it can no longer vote, and that manager can stand in for it.
  const admin = await add(hana, 'admin', mailed);
  expect(await abilities(second, run.id)).toMatchObject(NOTHING);
  expect(await abilities(admin, run.id)).toMatchObject({ approve: true });
  expect((await act(admin, run.id, 'check', 'approve', comments)).body.run.status).toBe('completed');
});

it('people count separately if nobody in the team has proved an address, and their approvals are marked', async () => {
  const hana = await found();
  const [bo, cy, di] = [await add(hana, 'editor'), await add(hana, 'reviewer'), await add(hana, 'reviewer')];
  await publish(hana, cy, 'by-links', [
    { id: 'work', title: 'Work', next: ['check'] },
    approval({ minimumApprovers: 2, separateFrom: true }, { assignee: 'reviewer', next: ['fill'] }),
    { id: 'fill', title: 'Fill', config: { requiresApproval: true } },
  ]);
  const { id } = await start(hana, 'by-links');
  await complete(bo, id, 'work');
  await act(cy, id, 'check', 'approve');
  expect(await hasTask(di, id)).toBe(true);
  expect((await act(di, id, 'check', 'approve')).status).toBe(200);
  await complete(bo, id, 'fill');
  expect((await act(hana, id, 'fill', 'approve')).body.run.status).toBe('completed');
  const marks = ['address_not_proved', 'doer_not_proved'];
  expect((await runOf(hana, id)).steps.map((step) => step.marks)).toEqual([[], [...marks, 'voter_not_proved'], marks]);
});
