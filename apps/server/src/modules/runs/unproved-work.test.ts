import type { Confirmation, Group, Task } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../db/migration-files.ts';
import { solidText } from '../../adapters/pdf/pdf-text.fixture.ts';
import { eventually } from '../../testing/mailbox.ts';
import { refused } from '../../testing/drafts.ts';
import { delegate } from '../../testing/delegations.ts';
import { organizationToken } from '../../testing/api-tokens.ts';
import { publish } from '../../testing/organization.ts';
import type { StepInput } from '../../testing/run-scene.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer({ SIMULATED_FAILURE_RATE: '0' });
const { found, add, logIn, pass, prove, remove, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

const mailed = { mailed: true };
let made = 0;
const DOER = ['doer_not_proved'];
const work = { id: 'work', title: 'Work', next: ['check'] };
const check = (config: object = { separateFrom: true }): StepInput => ({
  id: 'check',
  title: 'Check',
  type: 'approval',
  config,
  next: [],
});

/** A team with two proved managers, a proved reviewer, and an editor whose address isn't proved. */
async function team() {
  const hana = await found(true);
  const mike = await add(hana, 'admin', mailed);
  const rita = await add(hana, 'reviewer', mailed);
  const second = await add(hana, 'editor');
  return {
    hana,
    mike,
    rita,
    second,
    startOf: async (...steps: StepInput[]): Promise<string> => {
      const key = `unproved-${(made += 1)}`;
      await publish(hana, mike, key, steps);
      return (await start(hana, key)).id;
    },
    /** Starts a run of a workflow that went live before the organization turned on strict review. */
    strictly: async (...steps: StepInput[]): Promise<string> => {
      const key = `strict-${(made += 1)}`;
      await publish(hana, mike, key, steps);
      await hana.patch(`/api/organizations/${hana.user.currentOrgId}`, { strict: true });
      return (await start(hana, key)).id;
    },
  };
}
const stepOf = async (person: Person, runId: string, stepId = 'check') =>
  (await runOf(person, runId)).steps.find(({ id }) => id === stepId);
const marked = async (person: Person, runId: string, action: string) => {
  const { history } = await runOf(person, runId);
  return history.flatMap((entry) => (entry.action === action ? [entry.data['marks']] : []));
};
const tasksOf = async (person: Person, runId: string) =>
  (await person.get<Task[]>('/api/tasks?limit=200')).filter((task) => task.runId === runId);
/** Expects each of these people's tasks in a run to offer only what the run page offers them. */
async function expectTasksLikeThePage(runId: string, stepId: string, onlyReject: boolean, ...people: Person[]) {
  for (const each of people) {
    expect(await tasksOf(each, runId)).toMatchObject([{ stepId, onlyReject }]);
    const { abilities, delegated } = (await stepOf(each, runId, stepId)) ?? {};
    expect(delegated?.[0] ?? abilities).toMatchObject({ approve: !onlyReject, reject: true });
  }
}
const refusedFor = (missing: string, who: Person) => ({
  status: 409,
  body: { code: 'reviewer_not_counted_yet', details: [{ missing, who: [who.user.id] }] },
});

describe('work by an account whose address is not proved', () => {
  it('permanently marks another person’s approval if the step requires separation of duties', async () => {
    const { mike, rita, second, startOf } = await team();
    const id = await startOf(work, check());
    await complete(second, id, 'work');
    expect((await act(rita, id, 'check', 'approve')).body.run.status).toBe('completed');
    expect(await stepOf(mike, id)).toMatchObject({ marks: DOER, approvals: { votes: [{ marks: DOER }] } });
    expect(await marked(mike, id, 'approved')).toEqual([DOER]);
    await prove(second);
    expect(await stepOf(mike, id)).toMatchObject({ marks: DOER });
  });

  it('causes no mark if the address is proved before the approval, or without separation of duties', async () => {
    const { mike, rita, second, startOf } = await team();
    const apart = await startOf(work, check());
    const free = await startOf(work, check({}));
    for (const id of [apart, free]) await complete(second, id, 'work');
    await act(rita, free, 'check', 'approve');
    expect(await stepOf(mike, free)).toMatchObject({ state: 'completed', marks: [] });
    await prove(second);
    await act(rita, apart, 'check', 'approve');
    expect(await stepOf(mike, apart)).toMatchObject({ state: 'completed', marks: [] });
  });

  it('can only be rejected in My tasks under strict review, in each run and version on its own', async () => {
    const { hana, mike, rita, second } = await team();
    const proved = await add(hana, 'editor', mailed);
    const key = `unproved-${(made += 1)}`;
    await publish(hana, mike, key, [work, check({})]);
    const free = await start(hana, key);
    await publish(hana, mike, key, [work, check()]);
    const [one, two, three] = [await start(hana, key), await start(hana, key), await start(hana, key)];
    await hana.patch(`/api/organizations/${hana.user.currentOrgId}`, { strict: true });
    for (const { id } of [free, one, three]) await complete(second, id, 'work');
    await complete(proved, two.id, 'work');
    const tasks = await rita.get<Task[]>('/api/tasks?limit=200');
    expect(Object.fromEntries(tasks.map(({ runId, onlyReject }) => [runId, onlyReject]))).toEqual({
      [free.id]: false,
      [one.id]: true,
      [two.id]: false,
      [three.id]: true,
    });
    for (const { runId, onlyReject } of tasks) await expectTasksLikeThePage(runId, 'check', onlyReject, rita);
  });

  it('marks an approval of its input, a skip, and a retry after a rejection', async () => {
    const { hana, mike, rita, second, startOf } = await team();
    const fill = { id: 'fill', title: 'Fill', config: { requiresApproval: true } };
    const input = await startOf(fill);
    await complete(second, input, 'fill');
    await act(mike, input, 'fill', 'approve');
    expect(await stepOf(hana, input, 'fill')).toMatchObject({ state: 'completed', marks: DOER });

    const skipped = await startOf(work, check());
    await complete(second, skipped, 'work');
    await act(rita, skipped, 'check', 'skip', { reason: 'Not needed' });
    expect(await stepOf(hana, skipped)).toMatchObject({ state: 'skipped', marks: DOER });
    expect(await marked(hana, skipped, 'skipped')).toEqual([DOER]);

    const retried = await startOf(work, check({}));
    await complete(second, retried, 'work');
    await act(rita, retried, 'check', 'reject', { comments: 'No' });
    await act(rita, retried, 'check', 'retry');
    expect(await stepOf(hana, retried)).toMatchObject({ state: 'active', marks: DOER });
    expect(await marked(hana, retried, 'retried')).toEqual([DOER]);
  });

  it('marks an approval by the only manager who vouches for the account', async () => {
    const { hana, mike, rita, startOf } = await team();
    const guest = await add(hana, 'reviewer');
    await pass(hana.user.currentOrgId, 8);
    const [waiting] = await hana.get<Confirmation[]>('/api/confirmations');
    expect(waiting).toMatchObject({ kind: 'member', subjectId: guest.user.id });
    await mike.post(`/api/confirmations/${waiting?.id}/confirm`);
    const ofGuest = { ...work, assignee: guest.user.email };
    for (const [by, marks] of [
      [mike, DOER],
      [rita, []],
    ] as const) {
      const id = await startOf(ofGuest, check());
      await complete(guest, id, 'work');
      await act(by, id, 'check', 'approve');
      expect(await stepOf(hana, id)).toMatchObject({ state: 'completed', marks });
    }
  });

  it('causes no mark if two managers vouch for the account', async () => {
    const { hana, mike, startOf } = await team();
    const dora = await add(hana, 'admin', mailed);
    const guest = await add(hana, 'editor');
    await pass(hana.user.currentOrgId, 8);
    const confirm = async (by: Person) => {
      const all = await by.get<Confirmation[]>('/api/confirmations');
      const waiting = all.find(({ subjectId }) => subjectId === guest.user.id);
      expect((await by.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
    };
    await setRole(mike, guest, 'admin');
    await confirm(mike);
    const ofGuest = { ...work, assignee: guest.user.email };
    const [before, after, later] = [
      await startOf(ofGuest, check()),
      await startOf(ofGuest, check()),
      await startOf(ofGuest, check()),
    ];
    for (const id of [before, after]) await complete(guest, id, 'work');
    await act(mike, before, 'check', 'approve');
    expect(await stepOf(hana, before)).toMatchObject({ state: 'completed', marks: DOER });
    await confirm(dora);
    await act(mike, after, 'check', 'approve');
    expect(await stepOf(hana, after)).toMatchObject({ state: 'completed', marks: [] });
    await complete(guest, later, 'work');
    await act(mike, later, 'check', 'approve');
    expect(await stepOf(hana, later)).toMatchObject({ state: 'completed', marks: [] });
  });

  it('can only be rejected by the manager who invited the account, once nobody named by the step is left', async () => {
    const { hana, mike, rita, second, startOf } = await team();
    const id = await startOf(work, { ...check(), assignee: 'reviewer' });
    await complete(second, id, 'work');
    await remove(mike, rita);
    const tasks = await hana.get<{ runId: string; onlyReject: boolean }[]>('/api/tasks?limit=200');
    expect(tasks.filter(({ runId }) => runId === id)).toMatchObject([{ onlyReject: true }]);
  });
});

describe('input entered by an account behind which both managers are', () => {
  /** Olga invites Dan, and Dan invites an editor. Then Olga and Dan prove their addresses. */
  async function chain() {
    const founder = await found();
    const olga = await add(founder, 'admin');
    await setRole(founder, olga, 'owner');
    await remove(founder, founder);
    await pass(olga.user.currentOrgId, 30);
    const dan = await add(olga, 'admin');
    const rex = await add(dan, 'editor');
    for (const each of [olga, dan]) await prove(each);
    return { olga, dan, rex };
  }

  it.each([
    ['editors can help', true],
    ['only managers can help', false],
  ])(
    "can't be approved by them, but they can return it, and then one of them enters it again (%s)",
    async (_, help) => {
      const { olga, dan, rex } = await chain();
      await olga.patch(`/api/organizations/${olga.user.currentOrgId}`, { editorsMayHelp: help });
      const key = `chain-${(made += 1)}`;
      const fill = { id: 'fill', title: 'Fill', assignee: rex.user.email, config: { requiresApproval: true } };
      await publish(olga, dan, key, [fill]);
      const { id } = await start(olga, key);
      expect((await complete(rex, id, 'fill')).status).toBe(200);
      for (const each of [olga, dan]) {
        const refusal = await act(each, id, 'fill', 'approve');
        expect(refusal).toMatchObject(refused(403, 'own_submission'));
        expect(refusal.body).toMatchObject({
          error: expect.stringContaining('reject the input so that someone else enters it again') as unknown,
        });
        expect((await stepOf(each, id, 'fill'))?.abilities).toMatchObject({ approve: false, reject: true });
        const tasks = await each.get<{ runId: string; onlyReject: boolean }[]>('/api/tasks?limit=200');
        expect(tasks.filter(({ runId }) => runId === id)).toMatchObject([{ onlyReject: true }]);
      }
      expect((await act(rex, id, 'fill', 'reject', { comments: 'Mine' })).status).not.toBe(200);
      expect((await act(dan, id, 'fill', 'reject', { comments: 'Nobody can approve this' })).status).toBe(200);
      expect(await stepOf(olga, id, 'fill')).toMatchObject({ state: 'active', submittedBy: null });
      expect((await complete(olga, id, 'fill')).status).toBe(200);
      for (const each of [olga, rex]) expect((await act(each, id, 'fill', 'approve')).status).not.toBe(200);
      expect((await act(dan, id, 'fill', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    },
  );

  it('can be returned from My tasks after an upgrade too, and input by a proved account still can’t', async () => {
    const { olga, dan, rex } = await chain();
    const key = `chain-${(made += 1)}`;
    const fill = { id: 'fill', title: 'Fill', assignee: rex.user.email, config: { requiresApproval: true } };
    await publish(olga, dan, key, [fill]);
    const runs = [(await start(olga, key)).id, (await start(olga, key)).id] as const;
    for (const id of runs) await complete(rex, id, 'fill');
    await act(dan, runs[1], 'fill', 'reject', { comments: 'Again' });
    await complete(olga, runs[1], 'fill');
    const stored = () =>
      server.sql(
        'select run_id, step_id, who, reject_ids from run_tasks where run_id = any ($1) order by run_id, step_id, who',
        [runs],
      );
    const before = await stored();
    const tasks = async () => {
      const all = await olga.get<Task[]>('/api/tasks?limit=200');
      return all.filter(({ runId }) => runs.includes(runId)).map(({ runId, onlyReject }) => ({ runId, onlyReject }));
    };
    const shown = await tasks();
    expect(shown).toEqual([{ runId: runs[0], onlyReject: true }]);
    await server.sql('update run_tasks set reject_ids = null where run_id = any ($1)', [runs]);
    expect(await tasks()).toEqual([]);
    const migration = readMigrations(MIGRATIONS_DIRECTORY).find(({ name }) => name.includes('rejecters_of_earlier'));
    await server.sql(migration?.sql ?? '');
    expect(await stored()).toEqual(before);
    expect(await tasks()).toEqual(shown);
  });
});

describe('work by an account that only one manager has confirmed', () => {
  /**
   * Hana invites an account, and Mike confirms it. The approval is for a group to which only Mike adds people: Rita or,
   * if everyone else has left, an editor.
   */
  async function vouched({ strict = false, isAlone = false } = {}) {
    const { hana, mike, rita } = await team();
    const guest = await add(hana, 'editor');
    await pass(hana.user.currentOrgId, 8);
    const [waiting] = await mike.get<Confirmation[]>('/api/confirmations');
    await mike.post(`/api/confirmations/${waiting?.id}/confirm`);
    const approver = isAlone ? await add(mike, 'editor', mailed) : rita;
    await mike.post('/api/groups', { name: 'Finance', slug: 'finance', members: [approver.user.id] });
    const key = `vouched-${(made += 1)}`;
    await publish(hana, mike, key, [work, { ...check(), assignee: 'group:finance' }]);
    if (isAlone) {
      await setRole(hana, mike, 'owner');
      for (const who of [rita, hana]) expect((await remove(hana, who)).status).toBe(200);
      await pass(mike.user.currentOrgId, 8);
    }
    await server.sql('update organizations set strict = $2 where id = $1', [mike.user.currentOrgId, strict]);
    const { id } = await start(mike, key);
    await complete(guest, id, 'work');
    return { hana, mike, approver, guest, key, id };
  }
  const becomeStrict = ({ user }: Person) =>
    server.sql('update organizations set strict = true where id = $1', [user.currentOrgId]);
  const byVoucher = { status: 403, body: { code: 'added_during_run', details: [{ stepId: 'check' }] } };

  it('marks the approval of someone whom this manager added to the group', async () => {
    const { hana, mike, approver, id } = await vouched();
    expect(await tasksOf(approver, id)).toMatchObject([{ onlyReject: false }]);
    expect((await act(approver, id, 'check', 'approve')).body.run.status).toBe('completed');
    const marks = ['added_by_voucher'];
    expect(await stepOf(hana, id)).toMatchObject({ marks, approvals: { votes: [{ marks, addedBy: mike.user.name }] } });
  });

  it('waits under strict review for another manager, and not for this one or those whom they added', async () => {
    const { hana, mike, approver, guest, id } = await vouched({ strict: true });
    const reply = await act(approver, id, 'check', 'approve');
    expect(reply).toMatchObject(byVoucher);
    expect(reply.body).toMatchObject({ error: expect.stringContaining(mike.user.name) as string });
    expect((await stepOf(approver, id))?.abilities).toMatchObject({ approve: false, skip: false, reject: true });
    expect(await tasksOf(approver, id)).toMatchObject([{ onlyReject: true }]);
    const reason = { comments: 'The group can’t' };
    expect(await act(mike, id, 'check', 'approve', reason)).toMatchObject(refusedFor('doer_not_proved', guest));
    expect(await tasksOf(mike, id)).toMatchObject([{ onlyReject: true }]);
    expect(await tasksOf(hana, id)).toMatchObject([{ onlyReject: false }]);
    const { run } = (await act(hana, id, 'check', 'approve', reason)).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('doesn’t matter under strict review if a proved account of the same mailbox did the work', async () => {
    const { hana, mike, approver, guest, key } = await vouched({ strict: true });
    const email = guest.user.email.replace('@', '+new@');
    const doer = await add(hana, 'editor', { mailed: true, email });
    const { id } = await start(mike, key);
    await complete(doer, id, 'work');
    expect(await tasksOf(approver, id)).toMatchObject([{ onlyReject: false }]);
    expect(await tasksOf(hana, id)).toEqual([]);
    expect((await act(approver, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed' });
  });

  it('matters if both accounts of the mailbox did work', async () => {
    const { hana, mike, approver, guest } = await vouched();
    const email = guest.user.email.replace('@', '+new@');
    const doer = await add(hana, 'editor', { mailed: true, email });
    const key = `vouched-${(made += 1)}`;
    const second = { ...work, id: 'second', next: ['check'] };
    await publish(hana, mike, key, [work, second, { ...check(), assignee: 'group:finance' }]);
    await becomeStrict(hana);
    const { id } = await start(mike, key);
    await complete(doer, id, 'work');
    await complete(guest, id, 'second');
    expect(await tasksOf(approver, id)).toMatchObject([{ onlyReject: true }]);
    expect(await act(approver, id, 'check', 'approve')).toMatchObject(byVoucher);
  });

  it('offers this manager only to return submitted input under strict review', async () => {
    const { hana, mike, guest } = await vouched();
    const key = `vouched-${(made += 1)}`;
    const fill = { id: 'fill', title: 'Fill', assignee: 'admin, owner, editor', config: { requiresApproval: true } };
    await publish(hana, mike, key, [fill]);
    await becomeStrict(hana);
    const { id } = await start(mike, key);
    await complete(guest, id, 'fill');
    expect(await tasksOf(mike, id)).toMatchObject([{ onlyReject: true }]);
    expect(await tasksOf(hana, id)).toMatchObject([{ onlyReject: false }]);
    expect(await act(mike, id, 'fill', 'approve')).toMatchObject(refusedFor('doer_not_proved', guest));
    expect((await act(hana, id, 'fill', 'approve')).body.run).toMatchObject({ status: 'completed' });
  });

  it('offers submitted input to helpers under strict review if only this manager could approve it', async () => {
    const { hana, mike, guest } = await vouched();
    const key = `vouched-${(made += 1)}`;
    const fill = { id: 'fill', title: 'Fill', assignee: mike.user.email, config: { requiresApproval: true } };
    await publish(hana, mike, key, [fill]);
    await becomeStrict(hana);
    const [{ id }, other] = [await start(mike, key), await start(mike, key)];
    await complete(guest, id, 'fill');
    expect(await tasksOf(mike, id)).toMatchObject([{ onlyReject: true }]);
    expect(await tasksOf(hana, id)).toMatchObject([{ onlyReject: false }]);
    expect((await act(hana, id, 'fill', 'approve')).body.run).toMatchObject({ status: 'completed' });
    // Input by someone else still waits for this manager.
    await complete(hana, other.id, 'fill');
    expect(await tasksOf(mike, other.id)).toMatchObject([{ onlyReject: false }]);
    expect((await act(mike, other.id, 'fill', 'approve')).body.run).toMatchObject({ status: 'completed' });
  });

  it('is offered to the other manager if only managers help with input', async () => {
    const { hana, mike, guest } = await vouched();
    const key = `vouched-${(made += 1)}`;
    const assignee = `${guest.user.email}, ${mike.user.email}`;
    const fill = { id: 'fill', title: 'Fill', assignee, config: { requiresApproval: true } };
    await publish(hana, mike, key, [fill]);
    await hana.patch(`/api/organizations/${hana.user.currentOrgId}`, { editorsMayHelp: false });
    await becomeStrict(hana);
    const { id } = await start(mike, key);
    await complete(guest, id, 'fill');
    expect(await tasksOf(hana, id)).toMatchObject([{ onlyReject: false }]);
    expect(await act(guest, id, 'fill', 'approve')).toMatchObject(refused(403, 'own_submission'));
    expect((await act(hana, id, 'fill', 'approve')).body.run).toMatchObject({ status: 'completed' });
  });

  describe('in a team of three under strict review', () => {
    async function three() {
      const { mike, approver, guest, id } = await vouched({ strict: true, isAlone: true });
      expect(await act(approver, id, 'check', 'approve')).toMatchObject(byVoucher);
      return { mike, approver, guest, id };
    }

    it('is approved once the account proves its address', async () => {
      const { approver, guest, id } = await three();
      await prove(guest);
      expect(await tasksOf(approver, id)).toMatchObject([{ onlyReject: false }]);
      expect((await act(approver, id, 'check', 'approve')).body.run.status).toBe('completed');
    });

    it('is otherwise rejected and done again by someone else', async () => {
      const { mike, approver, id } = await three();
      await act(approver, id, 'check', 'reject', { comments: 'By a proved account' });
      expect((await act(approver, id, 'check', 'retry')).status).toBe(200);
      await complete(approver, id, 'work');
      const { run } = (await act(mike, id, 'check', 'approve', { comments: 'The group can’t' })).body;
      expect(run).toMatchObject({ status: 'completed', marks: [] });
    });
  });
});

describe('under strict review,', () => {
  it("work can't be approved until the address is proved", async () => {
    const { rita, second, strictly } = await team();
    const id = await strictly(work, check());
    await complete(second, id, 'work');
    const reply = await act(rita, id, 'check', 'approve');
    expect(reply).toMatchObject(refusedFor('doer_not_proved', second));
    expect(reply.body).toMatchObject({ error: expect.stringContaining(second.user.name) as string });
    expect(await act(rita, id, 'check', 'skip', { reason: 'Not needed' })).toMatchObject(
      refusedFor('doer_not_proved', second),
    );
    expect((await stepOf(rita, id))?.abilities).toMatchObject({ approve: false, skip: false, reject: true });
    await prove(second);
    expect((await stepOf(rita, id))?.abilities).toMatchObject({ approve: true, skip: true });
    expect((await act(rita, id, 'check', 'approve')).body.run.status).toBe('completed');
    expect(await stepOf(rita, id)).toMatchObject({ marks: [] });
  });

  it('My tasks offers only to reject work or return input by an account that nobody confirmed', async () => {
    const { hana, mike, rita, second, startOf } = await team();
    const fill = { id: 'fill', title: 'Fill', config: { requiresApproval: true } };
    const [apart, free, input, byOther] = [
      await startOf(work, check()),
      await startOf(work, check({})),
      await startOf(fill),
      await startOf(work, check()),
    ];
    for (const id of [apart, free]) await complete(second, id, 'work');
    await complete(second, input, 'fill');
    await complete(mike, byOther, 'work');
    await expectTasksLikeThePage(apart, 'check', false, mike, rita);
    await hana.patch(`/api/organizations/${hana.user.currentOrgId}`, { strict: true });
    await expectTasksLikeThePage(apart, 'check', true, hana, mike, rita);
    await expectTasksLikeThePage(input, 'fill', true, hana, mike);
    await expectTasksLikeThePage(free, 'check', false, hana, mike, rita);
    await expectTasksLikeThePage(byOther, 'check', false, hana, rita);
    expect(await mike.get('/api/tasks/count')).toMatchObject({ count: 3 });
    await prove(second);
    await expectTasksLikeThePage(apart, 'check', false, mike, rita);
    await expectTasksLikeThePage(input, 'fill', false, mike);
  });

  it('My tasks offers delegates only to reject such work', async () => {
    const { rita, second, mike, strictly } = await team();
    const deputy = await add(mike, 'reviewer', mailed);
    await delegate(rita, deputy, { kinds: ['votes'] });
    const id = await strictly(work, { ...check(), assignee: rita.user.email });
    await complete(second, id, 'work');
    expect(await tasksOf(deputy, id)).toMatchObject([{ onBehalfOf: { id: rita.user.id } }]);
    await expectTasksLikeThePage(id, 'check', true, rita, deputy);
    await prove(second);
    await expectTasksLikeThePage(id, 'check', false, rita, deputy);
  });

  it('My tasks offers those who handed the work over only to reject it', async () => {
    const { hana, mike, rita, strictly } = await team();
    const id = await strictly({ ...work, assignee: mike.user.email }, check());
    const given = { to: rita.user.id, reason: 'You know this' };
    expect((await act(mike, id, 'work', 'hand-over', given)).status).toBe(200);
    await complete(rita, id, 'work');
    await expectTasksLikeThePage(id, 'check', true, mike);
    await expectTasksLikeThePage(id, 'check', false, hana);
  });

  describe('work by the only person who confirmed the one who added the approver', () => {
    /** Only Dora has confirmed Rick, who adds Rita to the group. */
    async function scene() {
      const { hana, mike, rita, strictly } = await team();
      const dora = await add(hana, 'admin', mailed);
      const rick = await add(hana, 'admin');
      await pass(hana.user.currentOrgId, 8);
      const waiting = (await dora.get<Confirmation[]>('/api/confirmations')).find(
        ({ subjectId }) => subjectId === rick.user.id,
      );
      expect((await dora.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
      const groupOf = (slug: string) => hana.post<Group>('/api/groups', { name: slug, slug, members: [dora.user.id] });
      const addTo = async ({ id }: Group, by: Person) =>
        expect((await by.call('PATCH', `/api/groups/${id}`, { addMembers: [rita.user.id] })).status).toBe(200);
      return { hana, mike, rita, dora, rick, strictly, groupOf, addTo };
    }
    const rejectAndRetry = async (by: Person, id: string) => {
      await act(by, id, 'check', 'reject', { comments: 'By someone else' });
      expect((await act(by, id, 'check', 'retry')).status).toBe(200);
    };

    it.each([
      ['', false],
      [', even if someone else added the approver to another group during the run', true],
    ])('can be done again by someone else%s', async (_, isAddedAgain) => {
      const { hana, mike, rita, dora, rick, strictly, groupOf, addTo } = await scene();
      const [alpha, finance] = [await groupOf('alpha'), await groupOf('finance')];
      await addTo(finance, rick);
      const id = await strictly(work, { ...check(), assignee: 'group:alpha, group:finance' });
      await complete(dora, id, 'work');
      if (isAddedAgain) await addTo(alpha, hana);
      const refusal = await act(rita, id, 'check', 'approve');
      expect(refusal).toMatchObject({ status: 403, body: { code: 'added_during_run' } });
      expect(refusal.body).toMatchObject({
        error: expect.stringContaining('After a retry, the previous work is done again.') as unknown,
      });
      await rejectAndRetry(rita, id);
      expect(await stepOf(dora, id, 'work')).toMatchObject({ state: 'active', reason: 'By someone else' });
      await complete(mike, id, 'work');
      expect((await act(rita, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });

    it('is also done again if the approver is an admin who can’t stand in, because another member can decide', async () => {
      const { hana, mike, rita, dora, rick, strictly, groupOf, addTo } = await scene();
      const olga = await add(hana, 'reviewer', mailed);
      await setRole(hana, rita, 'admin');
      const finance = await groupOf('finance');
      await hana.patch(`/api/groups/${finance.id}`, { addMembers: [olga.user.id] });
      await addTo(finance, rick);
      const id = await strictly(work, { ...check(), assignee: 'group:finance' });
      await complete(dora, id, 'work');
      expect(await act(rita, id, 'check', 'approve')).toMatchObject({
        status: 403,
        body: { code: 'added_during_run' },
      });
      await rejectAndRetry(rita, id);
      expect(await stepOf(dora, id, 'work')).toMatchObject({ state: 'active', reason: 'By someone else' });
      await complete(mike, id, 'work');
      expect((await act(rita, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });

    it('isn’t done again if that wouldn’t help, because the approver was added too late', async () => {
      const { hana, rita, dora, rick, strictly, groupOf, addTo } = await scene();
      const finance = await groupOf('finance');
      const id = await strictly(work, { ...check(), assignee: 'group:finance' });
      await complete(dora, id, 'work');
      await addTo(finance, rick);
      const refusal = await act(rita, id, 'check', 'approve');
      expect(refusal).toMatchObject({ status: 403, body: { code: 'added_during_run' } });
      expect(refusal.body).not.toMatchObject({ error: expect.stringContaining('done again') as unknown });
      await rejectAndRetry(rita, id);
      expect(await stepOf(dora, id, 'work')).toMatchObject({ state: 'completed' });
      const { run } = (await act(hana, id, 'check', 'approve', { comments: 'The group can’t' })).body;
      expect(run).toMatchObject({ status: 'completed', marks: [] });
    });
  });

  it('an approver whom a founder without a proof added can approve work by the only other manager, without a mark', async () => {
    const founder = await found();
    const mike = await add(founder, 'admin', mailed);
    const rita = await add(founder, 'reviewer', mailed);
    await founder.post('/api/groups', { name: 'Finance', slug: 'finance', members: [rita.user.id] });
    const key = `founder-${(made += 1)}`;
    await publish(founder, mike, key, [work, { ...check(), assignee: 'group:finance' }]);
    await server.sql('update organizations set strict = true where id = $1', [founder.user.currentOrgId]);
    const { id } = await start(mike, key);
    await complete(mike, id, 'work');
    expect((await act(rita, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  /** An approval by Dora and by Rick, whom only Dora has confirmed. Hana does the work. */
  async function pair() {
    const { hana, mike, rita, strictly } = await team();
    const dora = await add(hana, 'reviewer', mailed);
    await setRole(hana, dora, 'admin');
    const rick = await add(hana, 'reviewer');
    await pass(hana.user.currentOrgId, 8);
    const waiting = (await dora.get<Confirmation[]>('/api/confirmations')).find(
      ({ subjectId }) => subjectId === rick.user.id,
    );
    expect((await dora.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
    const assignee = `${dora.user.email}, ${rick.user.email}`;
    const id = await strictly(work, { ...check({ separateFrom: true, minimumApprovers: 2 }), assignee });
    await complete(hana, id, 'work');
    return { hana, mike, rita, dora, rick, id };
  }
  const tasksOf = async (person: Person, runId: string) =>
    (await person.get<Task[]>('/api/tasks?limit=200')).filter((task) => task.runId === runId);

  describe('a vote by the only person who confirmed another approver', () => {
    it('doesn’t count in addition, so another manager approves instead', async () => {
      const { mike, rita, dora, rick, id } = await pair();
      expect((await act(dora, id, 'check', 'approve')).status).toBe(200);
      expect(await tasksOf(rick, id)).toMatchObject([{ onlyReject: true }]);
      const refusal = await act(rick, id, 'check', 'approve');
      expect(refusal).toMatchObject(refusedFor('vouched_by_voter', rick));
      expect(refusal.body).toMatchObject({
        error: expect.stringContaining(
          'or someone else approves the step instead. If too few others can, an owner or admin can.',
        ) as unknown,
      });
      expect(await tasksOf(rita, id)).toEqual([]);
      expect(await tasksOf(mike, id)).toMatchObject([{ onlyReject: false }]);
      const { run } = (await act(mike, id, 'check', 'approve', { comments: 'Rick can’t' })).body;
      expect(run).toMatchObject({ status: 'completed', marks: [] });
    });

    it('doesn’t count either if the account voted first', async () => {
      const { mike, dora, rick, id } = await pair();
      expect((await act(rick, id, 'check', 'approve')).status).toBe(200);
      expect(await tasksOf(dora, id)).toMatchObject([{ onlyReject: true }]);
      expect(await act(dora, id, 'check', 'approve')).toMatchObject(refusedFor('voter_not_proved', rick));
      const { run } = (await act(mike, id, 'check', 'approve', { comments: 'Dora can’t' })).body;
      expect(run).toMatchObject({ status: 'completed', marks: [] });
    });

    it('counts in addition once the account proves its address, and then nobody else can approve', async () => {
      const { mike, dora, rick, id } = await pair();
      expect((await act(dora, id, 'check', 'approve')).status).toBe(200);
      await prove(rick);
      expect(await tasksOf(mike, id)).toEqual([]);
      expect(await tasksOf(rick, id)).toMatchObject([{ onlyReject: false }]);
      expect(await act(mike, id, 'check', 'approve', { comments: 'Rick can' })).toMatchObject(
        refused(403, 'not_assigned'),
      );
      expect((await act(rick, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });

    it('can be added to by a person to whom the account handed its approval over, once its address is proved', async () => {
      const { hana, dora, rick, id } = await pair();
      const olga = await add(hana, 'reviewer', mailed);
      const reason = 'On holiday';
      expect((await act(rick, id, 'check', 'hand-over', { to: olga.user.email, reason })).status).toBe(200);
      expect((await act(dora, id, 'check', 'approve')).status).toBe(200);
      const refusal = await act(olga, id, 'check', 'approve');
      expect(refusal).toMatchObject(refusedFor('vouched_by_voter', rick));
      expect(refusal.body).toMatchObject({
        error: expect.stringContaining('handed the approval over to you') as unknown,
      });
      await prove(rick);
      expect((await stepOf(olga, id))?.abilities).toMatchObject({ approve: true });
      expect((await act(olga, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });
  });

  it('someone who got the approval of an account can still approve if nobody vouches for the account any more', async () => {
    const { hana, rick, id } = await pair();
    const olga = await add(hana, 'reviewer', mailed);
    const handedOver = await act(rick, id, 'check', 'hand-over', { to: olga.user.email, reason: 'On holiday' });
    expect(handedOver.status).toBe(200);
    // A confirmation as a reviewer doesn't cover an admin.
    await setRole(hana, rick, 'admin');
    expect((await act(olga, id, 'check', 'approve')).status).toBe(200);
  });

  it('someone who got the approval of a former member releases the step if only the voter had vouched for them', async () => {
    const { hana, mike, dora, rick, id } = await pair();
    const olga = await add(hana, 'reviewer', mailed);
    const handedOver = await act(rick, id, 'check', 'hand-over', { to: olga.user.email, reason: 'Leaving' });
    expect(handedOver.status).toBe(200);
    expect((await act(dora, id, 'check', 'approve')).status).toBe(200);
    expect((await remove(hana, rick)).status).toBe(200);
    const refusal = await act(olga, id, 'check', 'approve');
    expect(refusal.status).toBe(409);
    expect(refusal.body).toMatchObject({ error: expect.stringContaining('release the step') as unknown });
    expect(await tasksOf(mike, id)).toEqual([]);
    expect((await act(olga, id, 'check', 'release')).status).toBe(200);
    expect(await tasksOf(mike, id)).toMatchObject([{ onlyReject: false }]);
    const { run } = (await act(mike, id, 'check', 'approve', { comments: 'Rick left' })).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  describe('a vote for an account, or in its place,', () => {
    type Scene = Awaited<ReturnType<typeof pair>>;
    const ways: [string, (scene: Scene, olga: Person) => Promise<object>][] = [
      [
        'by a delegate',
        async ({ rick }, olga) => {
          await delegate(rick, olga, { kinds: ['votes'] });
          return { onBehalfOf: rick.user.id };
        },
      ],
      [
        'by the receiver of its approval',
        async ({ rick, id }, olga) => {
          const handedOver = await act(rick, id, 'check', 'hand-over', { to: olga.user.email, reason: 'On holiday' });
          expect(handedOver.status).toBe(200);
          return {};
        },
      ],
    ];

    it.each(ways)('%s can be added to by its only voucher once its address is proved', async (_, give) => {
      const scene = await pair();
      const { hana, mike, dora, rick, id } = scene;
      const olga = await add(hana, 'reviewer', mailed);
      const vote = await give(scene, olga);
      expect((await act(olga, id, 'check', 'approve', vote)).status).toBe(200);
      const refusal = await act(dora, id, 'check', 'approve');
      expect(refusal).toMatchObject(refusedFor('voter_not_proved', rick));
      expect(refusal.body).toMatchObject({
        error: expect.stringContaining(`vote is that of ${rick.user.name}, whose`) as unknown,
      });
      expect(await tasksOf(dora, id)).toMatchObject([{ onlyReject: true }]);
      expect(await tasksOf(mike, id)).toMatchObject([{ onlyReject: false }]);
      await prove(rick);
      expect(await tasksOf(mike, id)).toEqual([]);
      expect(await tasksOf(dora, id)).toMatchObject([{ onlyReject: false }]);
      expect((await stepOf(dora, id))?.abilities).toMatchObject({ approve: true });
      expect((await act(dora, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });
  });

  it('work that the only voucher did as a delegate bars the account, even if the voucher signs up again afterwards', async () => {
    const { hana, mike, strictly } = await team();
    const [dora, mara] = [await add(hana, 'admin', mailed), await add(hana, 'editor', mailed)];
    const rick = await add(hana, 'reviewer');
    await pass(hana.user.currentOrgId, 8);
    const waiting = (await dora.get<Confirmation[]>('/api/confirmations')).find(
      ({ subjectId }) => subjectId === rick.user.id,
    );
    expect((await dora.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
    await delegate(mara, dora);
    const id = await strictly({ ...work, assignee: mara.user.email }, { ...check(), assignee: rick.user.email });
    const done = { output: { text: 'Done' }, onBehalfOf: mara.user.id };
    expect((await act(dora, id, 'work', 'complete', done)).status).toBe(200);
    await server.signUp({ email: dora.user.email.replace('@', '+b@') });
    expect(await act(rick, id, 'check', 'approve')).toMatchObject(refusedFor('vouched_by_doer', rick));
    expect((await stepOf(rick, id))?.abilities).toMatchObject({ approve: false, reject: true });
    const { run } = (await act(mike, id, 'check', 'approve', { comments: 'Rick can’t' })).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  describe('work by the only person who confirmed its approver', () => {
    /** Hana invited the approver, Mike confirmed them and does the work. Then Hana leaves, so nobody else can approve. */
    async function three() {
      const { hana, mike, rita, second, strictly } = await team();
      const guest = await add(hana, 'reviewer');
      await pass(hana.user.currentOrgId, 8);
      const [waiting] = await mike.get<Confirmation[]>('/api/confirmations');
      expect((await mike.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
      const id = await strictly(work, { ...check(), assignee: guest.user.email });
      await complete(mike, id, 'work');
      for (const who of [mike, rita])
        expect((await setRole(hana, who, who === mike ? 'owner' : 'editor')).status).toBe(200);
      for (const who of [second, hana]) expect((await remove(hana, who)).status).toBe(200);
      await pass(mike.user.currentOrgId, 8);
      const refusal = await act(guest, id, 'check', 'approve');
      expect(refusal).toMatchObject(refusedFor('vouched_by_doer', guest));
      expect(refusal.body).toMatchObject({
        error: expect.stringContaining('the only owner or admin who has confirmed it did the previous work') as unknown,
      });
      expect((await stepOf(guest, id))?.abilities).toMatchObject({ approve: false, reject: true });
      expect((await act(guest, id, 'check', 'reject', { comments: 'By someone else' })).status).toBe(200);
      return { mike, rita, guest, id };
    }

    it('can be done again by someone else', async () => {
      const { mike, rita, guest, id } = await three();
      expect((await act(rita, id, 'check', 'retry')).status).toBe(200);
      expect(await stepOf(mike, id, 'work')).toMatchObject({ state: 'active', reason: 'By someone else' });
      await complete(rita, id, 'work');
      expect((await act(guest, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });

    it('isn’t done again if the approver has proved their address', async () => {
      const { mike, rita, guest, id } = await three();
      await prove(guest);
      expect((await act(rita, id, 'check', 'retry')).status).toBe(200);
      expect(await stepOf(mike, id, 'work')).toMatchObject({ state: 'completed' });
      expect((await act(guest, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    });
  });

  it('work can be approved once someone else has done it again', async () => {
    const { rita, mike, second, strictly } = await team();
    const id = await strictly(work, check({ separateFrom: true, onReject: 'work' }));
    await complete(second, id, 'work');
    await act(rita, id, 'check', 'reject', { comments: 'By a proved account' });
    await complete(mike, id, 'work');
    expect((await act(rita, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it.each([
    ['the run fails', {}],
    ['the rejection returns to a step on another path', { onReject: 'aside' }],
  ])('work has to be done again after a rejection if its account has left and %s', async (_, config) => {
    const { hana, mike, rita, second, strictly } = await team();
    const aside = { id: 'aside', title: 'Aside', next: ['check'] };
    const id = await strictly(work, aside, check({ separateFrom: true, ...config }));
    await complete(second, id, 'work');
    await complete(hana, id, 'aside');
    await remove(hana, second);
    await remove(hana, rita);
    // The two remaining members can finish the run.
    const refusal = await act(mike, id, 'check', 'approve');
    expect(refusal).toMatchObject(refusedFor('doer_not_proved', second));
    expect(refusal.body).toMatchObject({
      error: expect.stringContaining('reject the step, and then someone else does that work again') as unknown,
    });
    const rejected = await act(mike, id, 'check', 'reject', { comments: 'By a proved account' });
    if (rejected.body.run.status === 'failed') expect((await act(mike, id, 'check', 'retry')).status).toBe(200);
    expect(await stepOf(mike, id, 'work')).toMatchObject({
      state: 'active',
      reason: 'By a proved account',
    });
    expect(await stepOf(mike, id)).toMatchObject({ state: 'blocked' });
    for (const stepId of (await runOf(hana, id)).currentStepIds) await complete(hana, id, stepId);
    expect((await act(mike, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it.each([
    ['by address', (approver: Person) => approver.user.email],
    ['by role', () => 'admin'],
  ])(
    'a rejection makes others redo a former member’s work if only the approver vouched for them (named %s)',
    async (_, assigneeOf) => {
      const { hana, mike, strictly } = await team();
      const guest = await add(hana, 'editor');
      await pass(hana.user.currentOrgId, 8);
      const waiting = (await mike.get<Confirmation[]>('/api/confirmations')).find(
        ({ subjectId }) => subjectId === guest.user.id,
      );
      expect((await mike.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
      const ofGuest = { ...work, assignee: guest.user.email };
      const id = await strictly(ofGuest, { ...check(), assignee: assigneeOf(mike) });
      await complete(guest, id, 'work');
      await remove(hana, guest);
      expect(await act(mike, id, 'check', 'approve')).toMatchObject(refusedFor('doer_not_proved', guest));
      await act(mike, id, 'check', 'reject', { comments: 'By a proved account' });
      await act(hana, id, 'check', 'retry');
      expect(await stepOf(mike, id, 'work')).toMatchObject({ state: 'active' });
      await complete(hana, id, 'work');
      expect((await act(mike, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
    },
  );

  it('nobody can decide until their own address is proved, even if no other manager could confirm them', async () => {
    const { hana, mike, rita, strictly } = await team();
    const id = await strictly(check({ minimumApprovers: 2 }));
    const guest = await add(hana, 'reviewer');
    await server.sql('delete from memberships where user_id = $1', [mike.user.id]);
    await server.sql(`update role_history set until = until - interval '8 days' where user_id = $1`, [mike.user.id]);
    expect(await act(guest, id, 'check', 'approve')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] },
    });
    expect((await guest.get<{ count: number }>('/api/tasks/count')).count).toBe(0);
    expect((await act(rita, id, 'check', 'approve')).status).toBe(200);
  });
});

it('an unproved account’s vote counts with a mark if no other manager could confirm the account', async () => {
  const hana = await found(true);
  const lou = await add(hana, 'reviewer', mailed);
  await publish(hana, lou, 'marked-vote', [check({ minimumApprovers: 2 })]);
  const guest = await add(hana, 'reviewer');
  const { id } = await start(hana, 'marked-vote');
  await act(guest, id, 'check', 'approve');
  await act(lou, id, 'check', 'approve');
  expect(await stepOf(hana, id)).toMatchObject({
    state: 'completed',
    marks: ['address_not_proved', 'voter_not_proved'],
    approvals: { votes: [{ marks: ['address_not_proved'] }, { marks: ['voter_not_proved'] }] },
  });
});

describe('two accounts of one person, once the account that links them has left,', () => {
  /**
   * A founder adds an account, leaves, and returns with an invitation from that account, which also adds another
   * account and then leaves.
   */
  async function returned(strict: boolean) {
    const hana = await found(true);
    const between = await add(hana, 'admin');
    await setRole(hana, between, 'owner');
    const key = `returned-${(made += 1)}`;
    await publish(hana, between, key, [work, check()]);
    await remove(hana, hana);
    const last = await add(between, 'admin');
    await setRole(between, last, 'owner');
    const organization = `/api/organizations/${between.user.currentOrgId}`;
    const { link } = await between.post<{ link: string }>(`${organization}/invitations`, {
      email: hana.user.email,
      role: 'editor',
    });
    await hana.call('POST', `/api/invitations/${link.split('/').at(-1)}/join`);
    const { id } = await start(hana, key);
    await complete(hana, id, 'work');
    expect((await remove(between, between)).status).toBe(200);
    await pass(last.user.currentOrgId, 8);
    await server.sql('update organizations set strict = $2 where id = $1', [last.user.currentOrgId, strict]);
    return { hana, last, id };
  }

  it('get a mark if one approves the other’s work', async () => {
    const { hana, last, id } = await returned(false);
    const reply = await act(last, id, 'check', 'approve');
    expect(reply.status).toBe(200);
    expect((await stepOf(hana, id))?.marks).toEqual(['address_not_proved', ...DOER]);
  });

  it("can't approve each other’s work under strict review", async () => {
    const { hana, last, id } = await returned(true);
    expect(await act(last, id, 'check', 'approve')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] },
    });
    expect(await stepOf(hana, id)).toMatchObject({ state: 'active' });
  });
});

it('marks and simulated steps appear in the CSV file, the trail and the PDF', async () => {
  const { hana, rita, second, startOf } = await team();
  const robot = { id: 'robot', title: 'Robot', type: 'automated', next: [] };
  const id = await startOf(work, { ...check(), next: ['robot'] }, robot);
  await complete(second, id, 'work');
  await act(rita, id, 'check', 'approve');
  await eventually(async () => ((await runOf(hana, id)).status === 'completed' ? true : undefined));
  const { body: csv } = await hana.call<string>('GET', '/api/runs/export.csv');
  const [head = '', line = ''] = csv.split('\r\n');
  expect(head).toContain('"Simulated Steps","Marked Decisions"');
  expect(line).toContain('"1","work done by an account whose address isn’t proved"');
  const exported = async (path: string): Promise<Uint8Array> => {
    const response = await fetch(`${server.server.url}/api/audit/${path}`, {
      headers: { authorization: `Bearer ${hana.token}` },
    });
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };
  const trail = new TextDecoder().decode(await exported('export.ndjson')).replaceAll('\\', '');
  expect(trail).toContain('"marks":["doer_not_proved"]');
  expect(trail).toContain('"simulated":true');
  const pdf = await solidText(await exported(`export.pdf?runId=${id}`));
  expect(pdf).toContain('Simulated');
  expect(pdf).toContain('workdonebyanaccountwhose');
});

describe('a person with several accounts', () => {
  it("can't approve work by a token that one of the accounts created and someone else took over", async () => {
    const { hana, mike, startOf } = await team();
    const orgId = hana.user.currentOrgId;
    const mara = await add(hana, 'admin', mailed);
    const { secret } = await mara.post<{ secret: string }>(`/api/organizations/${orgId}/tokens`, {
      name: 'Robot',
      role: 'editor',
      scopes: ['workflow.read', 'step.act_any', 'step.act_assigned'],
      expiresInDays: null,
    });
    await hana.call('DELETE', `/api/organizations/${orgId}/users/${mara.user.id}`, { takeOverTokens: true });
    const twin = await add(hana, 'reviewer', { mailed: true, email: mara.user.email.replace('@', '+two@') });
    const id = await startOf(work, check());
    await server.as(secret).post(`/api/runs/${id}/steps/work/complete`, { output: { text: 'Done' } });
    for (const who of [hana, twin])
      expect(await act(who, id, 'check', 'approve')).toMatchObject({ status: 403, body: { code: 'separate_from' } });
    expect((await act(mike, id, 'check', 'approve')).status).toBe(200);
  });

  it.each([
    ['proved', true],
    ['a founder without a proof', false],
  ])(
    "can't approve work by their former token, even if the step names them (its new owner is %s)",
    async (_, proved) => {
      const jon = await found(proved);
      const organization = `/api/organizations/${jon.user.currentOrgId}`;
      const rita = await add(jon, 'reviewer', mailed);
      const mara = await add(jon, 'admin', mailed);
      const { secret } = await organizationToken(server, mara, 'editor');
      await jon.call('DELETE', `${organization}/users/${mara.user.id}`, { takeOverTokens: true });
      const { link } = await jon.post<{ link: string }>(`${organization}/invitations`, {
        email: mara.user.email,
        role: 'reviewer',
      });
      const returned = await logIn(mara.user.email);
      await returned.post(`/api/invitations/${link.split('/').at(-1)}/join`);
      const key = `former-${(made += 1)}`;
      await publish(jon, rita, key, [work, { ...check(), assignee: mara.user.email }]);
      const { id } = await start(jon, key);
      await server.as(secret).post(`/api/runs/${id}/steps/work/complete`, { output: { text: 'Done' } });
      expect(await act(returned, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
      // They can reject the work of an unproved account, because a rejection doesn't approve anything.
      expect((await stepOf(returned, id))?.abilities).toMatchObject({ approve: false, reject: !proved });
      const tasks = await returned.get<{ runId: string; onlyReject: boolean }[]>('/api/tasks?limit=200');
      expect(tasks.filter(({ runId }) => runId === id)).toMatchObject(proved ? [] : [{ onlyReject: true }]);
    },
  );

  it('causes a mark if their accounts vouch for the doer of the work and for its approver', async () => {
    const { hana, mike } = await team();
    const twin = await add(hana, 'admin', { mailed: true, email: mike.user.email.replace('@', '+two@') });
    const [doer, checker] = [await add(hana, 'reviewer'), await add(hana, 'reviewer')];
    await pass(hana.user.currentOrgId, 8);
    for (const [by, who] of [
      [mike, doer],
      [twin, checker],
    ] as const) {
      const waiting = await by.get<Confirmation[]>('/api/confirmations');
      await by.post(`/api/confirmations/${waiting.find(({ subjectId }) => subjectId === who.user.id)?.id}/confirm`);
    }
    const key = `vouched-${(made += 1)}`;
    await publish(hana, mike, key, [{ ...work, assignee: doer.user.email }, check()]);
    const { id } = await start(hana, key);
    await complete(doer, id, 'work');
    expect((await act(checker, id, 'check', 'approve')).status).toBe(200);
    expect(await stepOf(hana, id)).toMatchObject({ marks: DOER });
  });
});
