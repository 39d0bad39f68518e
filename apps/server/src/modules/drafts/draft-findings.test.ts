import type { Confirmation, Diff, DraftFinding, DraftImpact, Notification, ReviewTask } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Saved, startDraftBench } from '../../testing/drafts.ts';
import { joinOrganization, publish } from '../../testing/organization.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, at, create, act } = bench;

afterAll(() => server.stop());

const work = { id: 'work', title: 'Enter amounts', next: ['cfo'], sla: '1 day' };
const cfo = {
  id: 'cfo',
  title: 'CFO approval',
  type: 'approval',
  assignee: 'cfo@example.com',
  next: ['pay'],
  config: { minimumApprovers: 2, separateFrom: true },
};
const pay = { id: 'pay', title: 'Pay', next: [] as string[] };
const steps = [work, cfo, pay];
const body = (...list: object[]) => ({ metadata: { title: 'Payments' }, steps: list });
const BYPASS = body({ ...work, next: ['cfo', 'pay'] }, { ...cfo, next: [] }, pay);

const eventData = async (draftId: string, action: string): Promise<Record<string, unknown>> => {
  const [row] = await server.sql<{ payload: string }>(
    'select payload from audit_events where subject_id = $1 and action = $2',
    [draftId, action],
  );
  return (JSON.parse(row?.payload ?? '{}') as { data: Record<string, unknown> }).data;
};

describe('the controls that a draft removes', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));

  const sentencesOf = async (draftId: string): Promise<string[]> =>
    (await editor.get<DraftImpact>(at(draftId, '/impact'))).controlLosses.map(({ sentence }) => sentence);

  it.each<[what: string, changed: object, losses: string[]]>([
    ['a path that bypasses the approval', BYPASS, ['CFO approval is no longer required before Pay']],
    [
      'a condition that bypasses it',
      body(
        { id: 'work', title: 'Enter amounts', sla: '1 day', next: ['if'] },
        {
          id: 'if',
          title: 'Small?',
          type: 'condition',
          config: { condition: 'false', trueNext: 'pay', falseNext: 'cfo' },
          next: ['pay', 'cfo'],
        },
        cfo,
        pay,
      ),
      [
        'CFO approval is no longer required before Pay',
        'A step that a person performs or may skip now comes between Enter amounts and its independent approval CFO approval: Small?',
      ],
    ],
    [
      'work that starts in parallel with its approval',
      body({ ...work, next: ['pay'] }, cfo, pay),
      ['CFO approval is active from the start of the run'],
    ],
    [
      'a role in place of a named approver',
      body(work, { ...cfo, assignee: 'reviewer' }, pay),
      ['CFO approval: a named approver was replaced by a role (cfo@example.com → reviewer)'],
    ],
    [
      'a step between the work and its independent approval',
      body({ ...work, next: ['copy'] }, { id: 'copy', title: 'Copy', next: ['cfo'] }, cfo, pay),
      [
        'A step that a person performs or may skip now comes between Enter amounts and its independent approval CFO approval: Copy',
      ],
    ],
    [
      'fewer approvers and more time',
      body({ ...work, sla: '3 days' }, { ...cfo, config: { separateFrom: true } }, pay),
      ['CFO approval needs 1 approver instead of 2', 'Enter amounts has more time: 1 day → 3 days'],
    ],
    ['a changed text', body({ ...work, description: 'All of them' }, cfo, pay), []],
  ])('are all reported, and nothing else, for %s', async (_, changed, losses) => {
    await publish(editor, reviewer, key, steps);
    const { draftId } = await create(editor, changed);
    expect(await sentencesOf(draftId)).toEqual(losses);
  });

  it('are listed in the review request, in the notification about the merge and in the trail', async () => {
    await publish(editor, reviewer, key, steps);
    const { draftId } = await create(editor, BYPASS);
    await act(editor, draftId, 'submit');
    const bodiesOf = async (who: typeof owner): Promise<string[]> =>
      (await who.get<Notification[]>('/api/notifications')).map((notification) => notification.body);
    const lossSentence = 'It removes or weakens a control: CFO approval is no longer required before Pay.';
    await expect.poll(async () => (await bodiesOf(reviewer))[0]).toContain(lossSentence);
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    await expect.poll(async () => (await bodiesOf(editor))[0]).toContain(lossSentence);
    const loss = {
      controlLosses: [
        { kind: 'no_longer_before', stepId: 'cfo', sentence: 'CFO approval is no longer required before Pay' },
      ],
    };
    for (const action of ['draft.submitted', 'draft.approved', 'draft.merged'])
      expect(await eventData(draftId, action)).toMatchObject(loss);
  });

  it('include those removed by an emergency until another manager ratifies it', async () => {
    await publish(editor, reviewer, key, steps);
    const urgent = await create(editor, BYPASS);
    await act(editor, urgent.draftId, 'submit');
    const merged = await act(owner, urgent.draftId, 'merge', { emergency: { reason: 'Payments have stopped' } });
    expect(merged.status).toBe(200);

    // This draft is based on the emergency version and removes nothing from it.
    const { draftId } = await create(
      editor,
      body({ ...work, description: 'All', next: ['cfo', 'pay'] }, { ...cfo, next: [] }, pay),
    );
    expect((await editor.get<Diff>(at(draftId, '/diff?against=base'))).against.version).toBe(2);
    const lost = ['CFO approval is no longer required before Pay'];
    expect(await sentencesOf(draftId)).toEqual(lost);
    await act(editor, draftId, 'submit');
    expect(await eventData(draftId, 'draft.submitted')).toMatchObject({ controlLosses: [{ sentence: lost[0] }] });

    const admin = await server.signUp();
    await joinOrganization(server, admin, bench.orgId, 'admin');
    const [asked] = (await admin.get<Confirmation[]>('/api/confirmations')).filter(({ kind }) => kind === 'emergency');
    await admin.post(`/api/confirmations/${asked?.id}/confirm`);
    expect(await sentencesOf(draftId)).toEqual([]);
    await act(reviewer, draftId, 'approve');
    expect(await eventData(draftId, 'draft.approved')).not.toHaveProperty('controlLosses');
  });

  describe('in an emergency rollback', () => {
    const noCfo = [{ ...work, next: ['pay'] }, pay];
    const lost = 'CFO approval is no longer an approval of this workflow: it needed 2 approvers';
    const group = { name: 'Compliance', slug: 'compliance' };
    const setRoutes = (...routes: object[]) => owner.patch(`/api/organizations/${bench.orgId}/routes`, { routes });
    const rollBack = (to: number, more?: object) =>
      owner.call('POST', `/api/workflows/${key}/versions/${to}/rollback`, more);
    const groupsOf = async (draftId: string): Promise<(string | null)[]> =>
      (await bench.read(draftId)).requirements.map((each) => each.group);
    const ratify = async (): Promise<void> => {
      const asked = (await second.get<Confirmation[]>('/api/confirmations')).filter(({ kind }) => kind === 'emergency');
      for (const { id } of asked)
        expect((await second.call('POST', `/api/confirmations/${id}/confirm`)).status).toBe(200);
    };
    let second: typeof owner;

    beforeAll(async () => {
      second = await server.signUp();
      await joinOrganization(server, second, bench.orgId, 'admin');
      await owner.post('/api/groups', { ...group, members: [second.user.id] });
      await setRoutes({ if: 'loss', tag: 'urgent', group: group.slug });
    });
    beforeEach(async () => {
      await publish(editor, reviewer, key, noCfo);
      await publish(editor, reviewer, key, steps);
      await owner.patch(`/api/workflows/${key}`, { tags: ['urgent'] });
    });

    it('are findings of the next draft, which needs the routed group, until another manager ratifies it', async () => {
      expect((await rollBack(1, { emergency: true, reason: 'Payments have stopped' })).status).toBe(200);
      const { draftId } = await create(editor, body({ ...work, description: 'All', next: ['pay'] }, pay));
      expect((await editor.get<Diff>(at(draftId, '/diff?against=base'))).against.version).toBe(1);
      expect(await sentencesOf(draftId)).toContain(lost);
      await act(editor, draftId, 'submit');
      await act(reviewer, draftId, 'approve');
      expect(await groupsOf(draftId)).toEqual(['compliance']);
      expect(await act(reviewer, draftId, 'merge')).toMatchObject({
        status: 409,
        body: { code: 'needs_group_approval' },
      });

      await ratify();
      const next = await create(editor, body({ ...work, description: 'Each', next: ['pay'] }, pay));
      expect(await sentencesOf(next.draftId)).toEqual([]);
      await act(editor, next.draftId, 'submit');
      await act(reviewer, next.draftId, 'approve');
      expect(await groupsOf(next.draftId)).toEqual([]);
      expect((await act(reviewer, next.draftId, 'merge')).status).toBe(200);
    });

    it('are findings of the next draft if the same rollback was ratified before, and this one wasn’t', async () => {
      const emergency = () => rollBack(1, { emergency: true, reason: 'Payments have stopped' });
      expect((await emergency()).status).toBe(200);
      await ratify();
      expect((await rollBack(2)).status).toBe(200);
      expect((await emergency()).status).toBe(200);
      const { draftId } = await create(editor, body({ ...work, description: 'All', next: ['pay'] }, pay));
      expect(await sentencesOf(draftId)).toContain(lost);
      await ratify();
      expect(await sentencesOf(draftId)).toEqual([]);
    });

    it('remain findings of the draft that the group approved, after its merge', async () => {
      await rollBack(1, { emergency: true, reason: 'Payments have stopped' });
      const { draftId } = await create(editor, body({ ...work, description: 'All', next: ['pay'] }, pay));
      await act(editor, draftId, 'submit');
      await act(second, draftId, 'approve');
      expect((await act(second, draftId, 'merge')).status).toBe(200);
      expect(await sentencesOf(draftId)).toContain(lost);
      const next = await create(editor, body({ ...work, description: 'Each', next: ['pay'] }, pay));
      expect(await sentencesOf(next.draftId)).toEqual([]);
    });

    it('are findings of a draft that takes the removal over in a rebase', async () => {
      const { draftId } = await create(editor, body({ ...work, description: 'All' }, cfo, pay));
      await act(editor, draftId, 'submit');
      expect(await sentencesOf(draftId)).toEqual([]);
      await rollBack(1, { emergency: true, reason: 'Payments have stopped' });
      expect(await act(editor, draftId, 'rebase')).toMatchObject({ status: 200, body: { rebased: true } });
      expect((await bench.read(draftId)).steps.map(({ id }) => id)).toEqual(['work', 'pay']);
      expect(await sentencesOf(draftId)).toContain(lost);
      const [stored] = await server.sql<{ groups: string[] }>(
        `select array(select r ->> 'group' from json_array_elements(requirements::json) r) as groups
         from workflow_versions where id = $1`,
        [draftId],
      );
      expect(stored?.groups).toEqual(['compliance']);
    });

    it('are findings of a draft whose merge waits for the rollback to its base, and a task of the group', async () => {
      key = bench.newKey();
      await publish(editor, reviewer, key, noCfo);
      await owner.patch(`/api/workflows/${key}`, { tags: ['urgent'] });
      const { draftId } = await create(editor, body({ ...work, description: 'All', next: ['pay'] }, pay));
      await publish(editor, reviewer, key, steps);
      await act(editor, draftId, 'submit');
      await act(reviewer, draftId, 'approve');
      const holder = new pg.Client(server.database.connection);
      await holder.connect();
      await holder.query('begin');
      await holder.query('select from workflows where org_id = $1 and key = $2 for update', [bench.orgId, key]);
      const waiting = (count: number) =>
        vi.waitFor(async () => {
          const found = await server.sql(
            `select from pg_stat_activity where datname = current_database() and application_name = 'stet' and wait_event_type = 'Lock'`,
          );
          expect(found).toHaveLength(count);
        }, 30_000);
      const rollback = rollBack(1, { emergency: true, reason: 'Payments have stopped' });
      await waiting(1);
      const merge = act(reviewer, draftId, 'merge');
      await waiting(2);
      await holder.query('commit');
      await holder.end();
      expect((await rollback).status).toBe(200);
      expect(await merge).toMatchObject({ status: 409, body: { code: 'needs_group_approval' } });
      await vi.waitFor(async () => {
        const tasks = await second.get<ReviewTask[]>('/api/tasks/reviews');
        expect(tasks.find((each) => each.draftId === draftId)?.groups).toEqual(['Compliance']);
      }, 30_000);
    });

    it('aren’t findings of a draft based on an older version, before its rebase', async () => {
      const { draftId } = await create(editor, body({ ...work, description: 'All' }, cfo, pay));
      await publish(editor, reviewer, key, [
        work,
        cfo,
        { ...pay, next: ['more'] },
        { ...cfo, id: 'more', title: 'More', next: [] },
      ]);
      expect(await sentencesOf(draftId)).toEqual([]);
    });
  });

  it('include those of the last reviewed version if a rollback through an intermediate version hides them', async () => {
    const transfer = { ...pay, id: 'transfer', title: 'Transfer' };
    const beside = <Other extends typeof pay>(step: Other) => [
      { ...work, next: ['cfo', 'x'] },
      { ...cfo, next: [] },
      { ...step, id: 'x' },
    ];
    await publish(editor, reviewer, key, beside(transfer));
    await publish(editor, reviewer, key, steps);
    const back = await owner.call('POST', `/api/workflows/${key}/versions/1/rollback`);
    expect(back.status).toBe(200);
    const same = await create(editor, body(...beside({ ...transfer, description: 'All' })));
    expect(await sentencesOf(same.draftId)).toEqual([]);
    const { draftId } = await create(editor, BYPASS);
    expect(await sentencesOf(draftId)).toContain('CFO approval is no longer required before Pay');
  });

  it('aren’t mentioned in the trail if the draft removes none', async () => {
    await publish(editor, reviewer, key, steps);
    const { draftId } = await create(editor, body({ ...work, description: 'All' }, cfo, pay));
    await act(editor, draftId, 'submit');
    expect(await eventData(draftId, 'draft.submitted')).not.toHaveProperty('controlLosses');
  });

  it('are visible in the comparison as changed links between steps', async () => {
    await publish(editor, reviewer, key, steps);
    const { draftId } = await create(editor, body({ ...work, next: ['new'] }, { id: 'new', title: 'New' }, cfo, pay));
    const { detailed } = await editor.get<Diff>(at(draftId, '/diff'));
    expect(detailed).toMatchObject([
      { id: 'new', type: 'added', previous: ['work'], value: { next: [] } },
      { id: 'cfo', type: 'modified', changes: { previous: { before: ['work'], after: [] } } },
    ]);
  });
});

describe('the findings of a draft', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));

  const findingsOf = (draftId: string): Promise<DraftFinding[]> => editor.get<DraftFinding[]>(at(draftId, '/findings'));

  it('are sorted by weight, each with its step, its effect and both values', async () => {
    await publish(editor, reviewer, key, steps);
    const { draftId } = await create(
      editor,
      body(
        { ...work, sla: '3 days' },
        { ...cfo, config: { minimumApprovers: 1, separateFrom: true } },
        { ...pay, next: ['run'] },
        { id: 'run', title: 'Book', type: 'automated', config: { script: 'return 1' } },
      ),
    );
    const clock = (text: string, days: number) => ({ text, ms: days * 86_400_000 });
    expect(await findingsOf(draftId)).toEqual([
      {
        code: 'fewer_approvers',
        stepId: 'cfo',
        title: 'CFO approval',
        effect: 'loss',
        before: 2,
        after: 1,
        sentence: 'CFO approval needs 1 approver instead of 2',
        requires: [],
      },
      {
        code: 'clock_loosened',
        stepId: 'work',
        title: 'Enter amounts',
        effect: 'loss',
        before: clock('1 day', 1),
        after: clock('3 days', 3),
        sentence: 'Enter amounts has more time: 1 day → 3 days',
        requires: [],
      },
      expect.objectContaining({ code: 'script_changed', stepId: 'run', effect: 'unknown', before: null }),
    ]);
  });

  it('name the earlier version whose content the draft restores', async () => {
    await publish(editor, reviewer, key, steps);
    await publish(editor, reviewer, key, [...steps, { id: 'new', title: 'New' }]);
    const { draftId } = await editor.post<Saved>(`/api/workflows/${key}/versions/1/restore`);
    expect((await findingsOf(draftId)).map(({ code, effect, after }) => [code, effect, after])).toContainEqual([
      'restored_version',
      'neutral',
      1,
    ]);
  });

  it('are empty if the draft weakens nothing, and remain available after the merge', async () => {
    await publish(editor, reviewer, key, steps);
    const same = await create(editor, body(...steps, { id: 'new', title: 'New', next: [] }));
    expect(await findingsOf(same.draftId)).toEqual([]);
    const { draftId } = await create(editor, BYPASS);
    await act(editor, draftId, 'submit');
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    expect((await findingsOf(draftId)).map(({ code }) => code)).toContain('approval_bypassed');
  });

  it('report a failed check, which also notifies every reviewer, raises one alarm and blocks a rollback', async () => {
    await publish(editor, reviewer, key, steps);
    const admin = await server.signUp();
    await joinOrganization(server, admin, bench.orgId, 'admin');
    const { draftId } = await create(editor, body({ ...work, description: 'All' }, cfo, pay));
    // A step type that this release doesn't know makes every comparison with the version fail.
    await server.sql(`begin;
      set local session_replication_role = replica;
      update workflow_versions v set steps = jsonb_set(v.steps::jsonb, '{0,type}', '"future"')
        from workflows w where w.id = v.workflow_id and w.key = '${key}' and v.version = 1;
      commit`);
    expect(await findingsOf(draftId)).toEqual([expect.objectContaining({ code: 'unclassified', effect: 'unknown' })]);

    const asked = { reviewers: [reviewer.user.id] };
    expect((await act(editor, draftId, 'submit', asked)).status).toBe(200);
    expect(await eventData(draftId, 'draft.submitted')).toMatchObject({ controlLosses: 'unclassified' });
    await act(reviewer, draftId, 'approve');
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    const kindsOf = async (who: typeof owner) =>
      (await who.get<Notification[]>('/api/notifications?limit=100'))
        .filter(({ draft }) => draft?.id === draftId)
        .map(({ kind }) => kind);
    await expect.poll(() => kindsOf(admin)).toContain('review_requested');
    const alarms = (await kindsOf(admin)).filter((kind) => kind === 'findings_failed');
    expect(alarms).toHaveLength(1);
    expect(await kindsOf(reviewer)).not.toContain('findings_failed');

    const back = await reviewer.call('POST', `/api/workflows/${key}/versions/1/rollback`);
    expect(back).toMatchObject({
      status: 409,
      body: { code: 'rollback_needs_review', details: [{ code: 'unclassified' }] },
    });
  });
});

describe('the impact of a draft', () => {
  beforeEach(() => bench.newKey());

  it('contains warnings about unusual addresses', async () => {
    const { draftId } = await create(
      editor,
      body(
        { ...work, assignee: editor.user.email.toUpperCase() },
        { ...cfo, assignee: 'p\u0430ul@example.com', next: ['tell'] },
        { id: 'tell', title: 'Tell', type: 'notification', config: { recipients: ['\u0430nn@example.com'] } },
      ),
    );
    const { warnings } = await editor.get<DraftImpact>(at(draftId, '/impact'));
    expect(warnings.map(({ kind, stepId, field }) => `${kind} ${stepId} ${field}`)).toEqual([
      'mixed_scripts cfo assignee',
      'not_a_member cfo assignee',
      'mixed_scripts tell recipients',
    ]);
  });
});

describe('direction controls', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));

  const OVERRIDE = '\u202E';
  const bad = { id: 'work', title: 'Enter', assignee: `x${OVERRIDE}@example.com`, next: [] };
  const problem = {
    status: 400,
    body: {
      code: 'invalid_workflow',
      error:
        'Step "Enter" has a character in its assignee that changes the direction of text: ⟨U+202E⟩. Remove it, then save again.',
      details: [{ stepId: 'work', field: 'assignee' }],
    },
  };
  /** Stores the steps with SQL, because a save would refuse direction controls. */
  const plant = (draftId: string, list: object[]) =>
    server.sql('update workflow_versions set steps = $2::json where id = $1', [draftId, JSON.stringify(list)]);

  it('are refused in new drafts and in saves, with a message that names step and field', async () => {
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, body(bad))).toMatchObject(problem);
    const { draftId } = await create(editor, body({ ...bad, assignee: '' }));
    expect(await editor.call('PATCH', at(draftId), body(bad))).toMatchObject(problem);
  });

  it.each<[field: string, step: object]>([
    ['id', { id: `a${OVERRIDE}b` }],
    ['assignedRole', { id: 'a', config: { assignedRole: 'ed\u200Fitor' } }],
    ['script', { id: 'a', type: 'automated', config: { script: `return 1 /* ${OVERRIDE} */` } }],
    ['condition', { id: 'a', type: 'condition', config: { condition: 'a \u2066> 1' } }],
    ['recipients', { id: 'a', type: 'notification', config: { recipients: ['a@b.cd', 'x\u061C@b.cd'] } }],
  ])('are refused in %s', async (field, step) => {
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, body({ title: 'A', ...step }))).toMatchObject({
      status: 400,
      body: { code: 'invalid_workflow', details: [{ field }] },
    });
  });

  it('are accepted in titles and descriptions', async () => {
    const text = `שלום ${OVERRIDE}`;
    await create(editor, body({ id: 'a', title: text, description: text }));
  });

  it('are allowed in a field that already contains them, but not in changed text or another step', async () => {
    const { draftId } = await create(editor, body({ ...bad, assignee: '' }));
    await plant(draftId, [{ ...bad, type: 'manual', description: '', sla: '', config: {} }]);
    await editor.patch(at(draftId), body({ ...bad, description: 'More' }));
    expect(await editor.call('PATCH', at(draftId), body({ ...bad, assignee: `y${bad.assignee}` }))).toMatchObject(
      problem,
    );
    expect(
      await editor.call('PATCH', at(draftId), body({ ...bad, next: ['b'] }, { ...bad, id: 'b', title: 'Enter' })),
    ).toMatchObject({ status: 400, body: { details: [{ stepId: 'b', field: 'assignee' }] } });
  });

  it('are allowed in a draft based on a version that contains them, even after a rebase', async () => {
    const first = await create(editor, body({ ...bad, assignee: '' }));
    await plant(first.draftId, [{ ...bad, type: 'manual', description: '', sla: '', config: {} }]);
    await act(reviewer, first.draftId, 'approve');
    await act(reviewer, first.draftId, 'merge');
    const { draftId } = await create(editor, body({ ...bad, description: 'Mine' }));
    await publish(editor, reviewer, key, [{ ...bad, sla: '1 day' }]);
    expect(await act(editor, draftId, 'rebase')).toMatchObject({ status: 200, body: { rebased: true } });
    const other = bench.newKey();
    expect(await editor.call('POST', `/api/workflows/${other}/drafts`, body(bad))).toMatchObject(problem);
  });
});
