import type { Diff, VersionRecord, WholeDraft, WorkflowDetail, WorkflowSummary } from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

const refused = (status: number, code: string) => ({ status, body: { code } });
const content = (title: string, ...steps: string[]) => ({
  metadata: { title, description: `About ${title}` },
  steps: stepsNamed(...(steps.length > 0 ? steps : ['First'])),
});
type Saved = { draftId: string; revision: number };

describe('a draft', () => {
  let server: TestServer;
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let orgId: string;
  let keys = 0;
  let key: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, editor, reviewer, orgId } = await teamOf(server, ['editor', 'reviewer']));
  });
  afterAll(() => server.stop());
  beforeEach(() => (key = `draft-${(keys += 1)}`));

  const create = (who = editor, body: object = content('Hiring')): Promise<Saved> =>
    who.post<Saved>(`/api/workflows/${key}/drafts`, body);
  const at = (draftId: string, action = ''): string => `/api/workflows/${key}/drafts/${draftId}${action}`;
  const act = (who: Person, draftId: string, action: string, body?: object): Promise<Reply<VersionRecord>> =>
    who.call('POST', at(draftId, `/${action}`), body);
  const read = (draftId: string, who = editor): Promise<WholeDraft> => who.get<WholeDraft>(at(draftId));
  const blockersOf = async (draftId: string): Promise<string[]> =>
    (await read(draftId)).blockers.map(({ code }) => code);
  const eventsOf = async (subject: string): Promise<string[]> =>
    (
      await server.sql<{ action: string }>('select action from audit_events where subject_id = $1 order by seq', [
        subject,
      ])
    ).map(({ action }) => action);

  it('is made, saved, submitted, approved and merged to be the live version', async () => {
    const made = await editor.call<Saved>('POST', `/api/workflows/${key}/drafts`, {
      key,
      ...content('Hiring', 'Invite', 'Interview'),
    });
    expect(made).toMatchObject({ status: 201, body: { revision: 1 } });
    expect(made.headers.get('etag')).toBe('"1"');
    const { draftId } = made.body;
    const saved = await editor.call<Saved>('PATCH', at(draftId), content('Hiring', 'Invite', 'Interview', 'Decide'), {
      'if-match': '"1"',
    });
    expect(saved).toMatchObject({ status: 200, body: { draftId, revision: 2 } });
    expect(saved.headers.get('etag')).toBe('"2"');
    expect(await read(draftId)).toMatchObject({
      key,
      status: 'draft',
      version: null,
      label: 'Draft',
      baseVersion: null,
      stepsCount: 3,
      revision: 2,
      contributors: [{ id: editor.user.id, saves: 2 }],
      policy: { requiredApprovals: 1 },
      blockers: [{ code: 'not_submitted' }, { code: 'needs_approvals' }],
    });
    expect(await act(editor, draftId, 'submit')).toMatchObject({
      status: 200,
      body: { id: draftId, status: 'in_review', approvalsCount: 0 },
    });
    expect(await act(editor, draftId, 'submit')).toMatchObject(refused(409, 'already_in_review'));
    expect(await act(reviewer, draftId, 'approve', { comment: 'Good' })).toMatchObject({
      status: 200,
      body: { status: 'in_review', approvalsCount: 1 },
    });
    expect((await read(draftId, reviewer)).abilities).toMatchObject({ merge: true, publish: false });
    expect(await act(reviewer, draftId, 'merge')).toMatchObject({
      status: 200,
      body: { version: { id: draftId, status: 'live', version: 1, label: 'v1' } },
    });
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'already_merged'));
    const live = await editor.get<WorkflowDetail>(`/api/workflows/${key}`);
    expect(live).toMatchObject({
      key,
      status: 'live',
      version: { number: 1, id: draftId },
      draftId: null,
      stepsCount: 3,
      metadata: { title: 'Hiring' },
    });
    expect(live.steps.map(({ next }) => next)).toEqual([['step-2'], ['step-3'], []]);
    expect(await eventsOf(draftId)).toEqual([
      'draft.created',
      'draft.saved',
      'draft.submitted',
      'draft.approved',
      'draft.merged',
    ]);
  });

  it('is not overwritten by someone who had loaded an earlier revision', async () => {
    const { draftId } = await create();
    await editor.patch(at(draftId), content('From the editor'), { 'if-match': '"1"' });
    const stale = await owner.call('PATCH', at(draftId), content('From the owner'), { 'if-match': '"1"' });
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'stale_revision', details: [{ sent: 1, current: 2, savedBy: 'The editor' }] },
    });
    expect((await read(draftId)).metadata.title).toBe('From the editor');
    expect((await owner.call('PATCH', at(draftId), content('Without a word'))).status).toBe(200);
  });

  it('takes one of ten saves of the same revision that arrive together', async () => {
    const { draftId } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        editor.call('PATCH', at(draftId), content(`Save ${n}`), { 'if-match': '"1"' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(409)]);
    expect((await read(draftId)).revision).toBe(2);
  });

  it('stays as it is where what is saved is what stands', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    expect(await editor.patch(at(draftId), content('Hiring'))).toEqual({ draftId, revision: 1 });
    expect((await read(draftId)).approvalsCount).toBe(1);
  });

  it('loses its approvals by a change in content, for good', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual([]);
    await owner.patch(at(draftId), content('Changed'));
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    await owner.patch(at(draftId), content('Hiring'));
    const draft = await read(draftId);
    expect(draft).toMatchObject({
      approvalsCount: 0,
      reviews: [{ verdict: 'approved', current: false }],
      contributors: [{ id: owner.user.id }, { id: editor.user.id }],
    });
    expect(await eventsOf(draftId)).toContain('draft.approval_dismissed');
    await act(reviewer, draftId, 'approve');
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
  });

  it('is not approved by those who worked on it, the owner included', async () => {
    const { draftId } = await create(owner);
    expect(await act(owner, draftId, 'approve')).toMatchObject({
      status: 403,
      body: {
        code: 'contributor_cannot_approve',
        error: 'You contributed to this draft, so someone else has to review it',
      },
    });
    expect(await act(owner, draftId, 'request-changes', { comment: 'Hm' })).toMatchObject(
      refused(403, 'contributor_cannot_approve'),
    );
    expect((await read(draftId, owner)).abilities).toMatchObject({
      approve: false,
      requestChanges: false,
      merge: false,
    });
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'not_submitted'));
  });

  it('is approved by its author where there is nobody else, and the audit says so', async () => {
    const alone = await server.signUp({ team: 'One person' });
    const { draftId } = await create(alone);
    expect((await act(alone, draftId, 'approve')).status).toBe(200);
    expect((await act(alone, draftId, 'merge')).status).toBe(200);
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where subject_id = $1 and action = 'draft.approved'`,
      [draftId],
    );
    expect(event?.payload).toContain('self-approved: no other reviewer');
  });

  it('goes live in one click on a personal account', async () => {
    const person = await server.signUp();
    const { draftId } = await create(person);
    expect(await read(draftId, person)).toMatchObject({
      policy: { requiredApprovals: 0 },
      blockers: [],
      abilities: { publish: true, merge: true },
    });
    expect(await act(person, draftId, 'merge')).toMatchObject({
      status: 200,
      body: { version: { version: 1, status: 'live' } },
    });
  });

  it('is submitted by an approval, and sent back by a request for changes', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    expect((await read(draftId)).status).toBe('in_review');
    for (const body of [undefined, {}, { comment: '' }, { comment: '  ' }]) {
      expect(await act(owner, draftId, 'request-changes', body)).toMatchObject(refused(400, 'invalid'));
    }
    expect(await act(owner, draftId, 'request-changes', { comment: 'Shorter' })).toMatchObject({
      status: 200,
      body: { status: 'draft', approvalsCount: 1 },
    });
    expect(await blockersOf(draftId)).toEqual(['not_submitted', 'changes_requested']);
    await act(editor, draftId, 'submit');
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'changes_requested'));
    await act(owner, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual([]);
    expect(await act(editor, draftId, 'withdraw')).toMatchObject({ status: 200, body: { status: 'draft' } });
    expect(await act(editor, draftId, 'withdraw')).toMatchObject(refused(409, 'not_in_review'));
  });

  it('counts only the word of those who may review now', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    await server.sql(`update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, [
      orgId,
      reviewer.user.id,
    ]);
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
    expect(await act(owner, draftId, 'merge')).toMatchObject(refused(409, 'needs_approvals'));
    await server.sql(`update memberships set role = 'reviewer' where org_id = $1 and user_id = $2`, [
      orgId,
      reviewer.user.id,
    ]);
    expect((await act(owner, draftId, 'merge')).status).toBe(200);
  });

  it('carries comments on itself and on its steps, while it is open', async () => {
    const { draftId } = await create();
    const { status, body } = await reviewer.call('POST', at(draftId, '/comments'), {
      body: ' Who invites? ',
      stepId: 'step-1',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { body: 'Who invites?', stepId: 'step-1', author: { id: reviewer.user.id } },
    });
    expect(await act(reviewer, draftId, 'comments', { body: 'x', stepId: 'nowhere' })).toMatchObject(
      refused(400, 'invalid'),
    );
    expect(await act(reviewer, draftId, 'comments', { body: ' ' })).toMatchObject(refused(400, 'invalid'));
    expect(await read(draftId)).toMatchObject({
      commentsCount: 1,
      comments: [{ body: 'Who invites?', stepId: 'step-1' }],
    });
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    expect(await act(reviewer, draftId, 'comments', { body: 'Too late' })).toMatchObject(
      refused(409, 'already_merged'),
    );
  });

  it('shows what it changes against the version it began from', async () => {
    await publish(editor, reviewer, key, stepsNamed('First', 'Second', 'Third'));
    const { draftId } = await create(editor, {
      metadata: { title: 'Renamed', description: '' },
      steps: [
        { id: 'step-1', title: 'First!', sla: '1 day' },
        { id: 'step-3', title: 'Third', sla: '1 day' },
        { id: 'new', title: 'New' },
      ],
    });
    const diff = await editor.get<Diff>(at(draftId, '/diff'));
    expect(diff.summary).toMatchObject({ added: ['new'], removed: ['step-2'] });
    expect(diff.summary.modified).toContain('step-1');
    expect(diff.detailed.find(({ id }) => id === 'step-1')).toMatchObject({
      type: 'modified',
      changes: { title: { before: 'First', after: 'First!' } },
    });
    expect(diff.metadata).toMatchObject({ title: { before: `Title of ${key}`, after: 'Renamed' } });
  });

  it('is out of date once another was merged', async () => {
    await publish(editor, reviewer, key);
    const [one, other] = [await create(editor, content('One')), await create(editor, content('Other'))];
    for (const { draftId } of [one, other]) await act(reviewer, draftId, 'approve');
    expect((await act(reviewer, one.draftId, 'merge')).status).toBe(200);
    expect(await act(reviewer, other.draftId, 'merge')).toMatchObject({
      status: 409,
      body: { code: 'out_of_date', details: [{ code: 'out_of_date', liveVersionId: one.draftId }] },
    });
    expect((await editor.get<WorkflowDetail>(`/api/workflows/${key}`)).metadata.title).toBe('One');
  });

  it('is merged once where two drafts, and ten calls, are merged at the same time', async () => {
    await publish(editor, reviewer, key);
    const drafts = [await create(editor, content('One')), await create(editor, content('Other'))];
    for (const { draftId } of drafts) await act(reviewer, draftId, 'approve');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => act(reviewer, drafts[n % 2]?.draftId ?? '', 'merge')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const versions = await editor.get<VersionRecord[]>(`/api/workflows/${key}/versions`);
    expect(versions.filter(({ status }) => status === 'live').map(({ version }) => version)).toEqual([2]);
    expect(versions.map(({ version }) => version).toSorted((a, b) => (a ?? 99) - (b ?? 99))).toEqual([1, 2, null]);
  });

  it('is not merged with a change that arrives at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      key = `race-${round}`;
      const { draftId } = await create();
      await act(reviewer, draftId, 'approve');
      const [merged, saved] = await Promise.all([
        act(reviewer, draftId, 'merge'),
        editor.call('PATCH', at(draftId), content('Sneaked in')),
      ]);
      expect([merged.status, saved.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
      const { metadata, status } = await editor.get<WorkflowDetail>(`/api/workflows/${key}`);
      expect({ status, title: metadata.title }).toEqual(
        merged.status === 200 ? { status: 'live', title: 'Hiring' } : { status: 'in_review', title: 'Sneaked in' },
      );
    }
  });

  it('makes its workflow once where twenty use a new key at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => editor.call('POST', `/api/workflows/${key}/drafts`, content(`Try ${n}`))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(
      answers
        .filter(({ status }) => status === 409)
        .every(({ body }) => (body as { code: string }).code === 'key_taken'),
    ).toBe(true);
    const [{ n } = { n: 0 }] = await server.sql<{ n: number }>(
      'select count(*)::int as n from workflows where org_id = $1 and key = $2',
      [orgId, key],
    );
    expect(n).toBe(1);
  });

  it('is discarded by those who worked on it, and by nobody else', async () => {
    await publish(editor, reviewer, key);
    const { draftId } = await create();
    await reviewer.post(at(draftId, '/comments'), { body: 'Hm' });
    expect(await owner.call('DELETE', at(draftId))).toMatchObject(refused(403, 'not_your_draft'));
    expect(await editor.call('DELETE', at(draftId))).toMatchObject({
      status: 200,
      body: { message: 'Draft discarded' },
    });
    expect(await editor.call('GET', at(draftId))).toMatchObject(refused(404, 'not_found'));
    expect(await eventsOf(draftId)).toEqual(['draft.created', 'draft.commented', 'draft.discarded']);
    const [merged] = await editor.get<VersionRecord[]>(`/api/workflows/${key}/versions`);
    expect(await editor.call('DELETE', at(merged?.id ?? ''))).toMatchObject(refused(409, 'already_merged'));
  });

  it('can be commented and discarded at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { draftId } = await create();
      const [comment, discard] = await Promise.all([
        act(reviewer, draftId, 'comments', { body: 'Hm' }),
        editor.call('DELETE', at(draftId)),
      ]);
      expect(discard.status).toBe(200);
      expect([201, 404]).toContain(comment.status);
    }
  });

  it('is refused where its graph can’t run, naming the step', async () => {
    const step = (id: string, next: string[], more: object = {}) => ({ id, title: `Step ${id}`, next, ...more });
    for (const [steps, problem] of [
      [[step('a', []), step('a', [])], 'Two steps have the id a'],
      [[step('a', ['x'])], 'Step "Step a" leads to x, which is no step'],
      [
        [step('s', ['a']), step('a', ['b']), step('b', ['a'])],
        'These steps lead back to each other: "Step a", "Step b"',
      ],
      [
        [step('a', ['b'], { type: 'condition', config: { trueNext: 'c' } }), step('b', []), step('c', [])],
        'Step "Step a" branches to c, which doesn\'t follow it',
      ],
      [
        [step('a', ['b'], { type: 'approval', config: { onReject: 'b' } }), step('b', [])],
        'Step "Step a" returns to b, which isn\'t before it',
      ],
    ] as const) {
      expect(
        await editor.call('POST', `/api/workflows/${key}/drafts`, { metadata: { title: 'Bad' }, steps }),
      ).toMatchObject({
        status: 400,
        body: { code: 'invalid_workflow', error: problem },
      });
    }
  });

  it('is refused past a limit, naming the field', async () => {
    const one = (step: object) => ({ ...content('Big'), steps: [{ id: 'a', title: 'A', ...step }] });
    for (const [body, field] of [
      [{ ...content('Big'), metadata: { title: 'x'.repeat(201) } }, 'metadata.title'],
      [{ ...content('Big'), metadata: { title: 'Big', description: 'x'.repeat(5001) } }, 'metadata.description'],
      [{ ...content('Big'), metadata: { title: ' ' } }, 'metadata.title'],
      [{ ...content('Big'), steps: [] }, 'steps'],
      [{ ...content('Big'), steps: Array.from({ length: 1001 }, (_, n) => ({ id: `s${n}`, title: 'S' })) }, 'steps'],
      [one({ title: 'x'.repeat(301) }), 'steps.0.title'],
      [one({ description: 'x'.repeat(20_001) }), 'steps.0.description'],
      [one({ next: Array.from({ length: 201 }, (_, n) => `s${n}`) }), 'steps.0.next'],
      [one({ type: 'approval', config: { minimumApprovers: 0 } }), 'steps.0.config.minimumApprovers'],
      [{ key: 'another', ...content('Big') }, 'key'],
    ] as const) {
      const { status, body: answer } = await editor.call<{ code: string; details: { field: string }[] }>(
        'POST',
        `/api/workflows/${key}/drafts`,
        body,
      );
      expect({ status, code: answer.code, field: answer.details[0]?.field }).toEqual({
        status: 400,
        code: 'invalid',
        field,
      });
    }
    for (const bad of ['-a', '.a', 'a b', 'ä', 'x'.repeat(121)]) {
      expect(
        (await editor.call('POST', `/api/workflows/${encodeURIComponent(bad)}/drafts`, content('Key'))).status,
      ).toBe(404);
    }
  });

  it('holds a thousand steps, and every script of the world', async () => {
    const title = 'مرحبا \u202Bعالم\u202C 👩‍👩‍👧‍👦 e\u0301 ﷽ 世界';
    const steps = Array.from({ length: 1000 }, (_, n) => ({
      id: `سطر-${n}`,
      title: `${title} ${n}`,
      description: 'x'.repeat(1000),
      sla: '1 day',
      assignee: 'Unassigned',
    }));
    const { draftId } = await create(editor, { metadata: { title, description: 'a\r\n\tb \\ " \u2028' }, steps });
    const draft = await read(draftId);
    expect(draft.metadata).toEqual({ title, description: 'a\r\n\tb \\ " \u2028' });
    expect(draft.steps.map(({ id, title: name }) => [id, name])).toEqual(
      steps.map(({ id, title: name }) => [id, name]),
    );
    expect(draft.steps[998]?.next).toEqual(['سطر-999']);
    await act(reviewer, draftId, 'approve');
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    const run = await owner.post<{ id: string; currentStepIds: string[] }>('/api/runs', {
      key,
      name: title.slice(0, 100),
    });
    expect(run.currentStepIds).toEqual(['سطر-0']);
    const { body } = await owner.call<{ run: { currentStepIds: string[] } }>(
      'POST',
      `/api/runs/${run.id}/steps/${encodeURIComponent('سطر-0')}/complete`,
      { output: { text: title } },
    );
    expect(body.run.currentStepIds).toEqual(['سطر-1']);
  });

  it('keeps the type and settings of each step', async () => {
    const steps = [
      { id: 'a', title: 'A', type: 'manual', config: { assignedRole: 'editor', requiresApproval: true }, next: ['b'] },
      { id: 'b', title: 'B', type: 'review', config: { minimumApprovers: 2, onReject: 'a' }, next: ['c'] },
      { id: 'c', title: 'C', type: 'automated', config: { script: 'return 1', timeout: 5 }, next: ['d'] },
      {
        id: 'd',
        title: 'D',
        type: 'condition',
        config: { condition: 'c > 1', trueNext: 'e', falseNext: 'f' },
        next: ['e', 'f'],
      },
      {
        id: 'e',
        title: 'E',
        type: 'notification',
        config: { recipients: ['a@example.com'], channels: ['email'], template: '{{run.name}}' },
        next: [],
      },
      { id: 'f', title: 'F', next: [] },
    ];
    const { draftId } = await create(editor, { metadata: { title: 'Types' }, steps });
    const stored = (await read(draftId)).steps;
    expect(stored.map(({ type }) => type)).toEqual([
      'manual',
      'approval',
      'automated',
      'condition',
      'notification',
      'manual',
    ]);
    expect(stored.map(({ config }) => config)).toEqual(steps.map(({ config }) => config ?? {}));
    expect(stored.map(({ next }) => next)).toEqual(steps.map(({ next }) => next));
  });

  it('leaves a workflow that is deleted or archived, whose key is never used again', async () => {
    const { draftId } = await create();
    expect(await editor.call('DELETE', `/api/workflows/${key}`)).toMatchObject({
      status: 200,
      body: { outcome: 'deleted' },
    });
    expect(await editor.call('GET', at(draftId))).toMatchObject(refused(404, 'not_found'));
    expect(await editor.call('DELETE', `/api/workflows/${key}`)).toMatchObject(refused(404, 'not_found'));
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, content('Again'))).toMatchObject(
      refused(409, 'key_taken'),
    );
    expect((await editor.get<WorkflowSummary[]>('/api/workflows')).map((workflow) => workflow.key)).not.toContain(key);

    key = `${key}-merged`;
    await publish(editor, reviewer, key);
    const open = await create();
    expect(await editor.call('DELETE', `/api/workflows/${key}`)).toMatchObject(refused(403, 'forbidden'));
    expect(await owner.call('DELETE', `/api/workflows/${key}`)).toMatchObject({
      status: 200,
      body: { outcome: 'archived' },
    });
    expect(await owner.call('DELETE', `/api/workflows/${key}`)).toMatchObject(refused(409, 'workflow_archived'));
    expect(await editor.get(`/api/workflows/${key}`)).toMatchObject({ status: 'archived', version: { number: 1 } });
    for (const [action, body] of [
      ['submit'],
      ['approve'],
      ['merge'],
      ['request-changes', { comment: 'No' }],
      ['comments', { body: 'No' }],
    ] as const) {
      expect(await act(owner, open.draftId, action, body)).toMatchObject(refused(409, 'workflow_archived'));
    }
    expect(await editor.call('PATCH', at(open.draftId), content('No'))).toMatchObject(
      refused(409, 'workflow_archived'),
    );
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, content('No'))).toMatchObject(
      refused(409, 'workflow_archived'),
    );
    expect(await owner.call('POST', `/api/workflows/${key}/versions/1/rollback`)).toMatchObject(
      refused(409, 'workflow_archived'),
    );
  });

  it('that was merged can be gone back to; its number stays, and the next merge takes the next one', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      const { draftId } = await create(editor, content(title));
      await act(reviewer, draftId, 'approve');
      await act(reviewer, draftId, 'merge');
    }
    const path = `/api/workflows/${key}/versions`;
    expect(await reviewer.call('POST', `${path}/1/rollback`, { reason: 'Better' })).toMatchObject({
      status: 200,
      body: { version: { version: 1, status: 'live' } },
    });
    expect((await editor.get<WorkflowDetail>(`/api/workflows/${key}`)).metadata.title).toBe('One');
    const versions = await editor.get<VersionRecord[]>(path);
    expect(versions.map(({ version, status }) => [version, status])).toEqual([
      [3, 'superseded'],
      [2, 'superseded'],
      [1, 'live'],
    ]);
    expect(await reviewer.call('POST', `${path}/1/rollback`)).toMatchObject(refused(409, 'already_live'));
    expect(await reviewer.call('POST', `${path}/9/rollback`)).toMatchObject(refused(404, 'not_found'));
    expect((await reviewer.call('POST', `${path}/${versions[1]?.id}/rollback`)).status).toBe(200);
    const { draftId } = await create(editor, content('Four'));
    expect(await read(draftId)).toMatchObject({ baseVersion: 2 });
    expect(await reviewer.call('POST', `${path}/${draftId}/rollback`)).toMatchObject(refused(404, 'not_found'));
    await act(reviewer, draftId, 'approve');
    expect(await act(reviewer, draftId, 'merge')).toMatchObject({ body: { version: { version: 4 } } });
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'version.rolled_back' order by seq limit 1`,
      [orgId],
    );
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject({ data: { key, to: 1, reason: 'Better' } });
  });
});
