import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, startDraftBench } from '../../testing/drafts.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, read, create, act } = bench;

describe('the content of a draft', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it("is refused if its graph can't run, with a message that names the step", async () => {
    const step = (id: string, next: string[], more: object = {}) => ({ id, title: `Step ${id}`, next, ...more });
    for (const [steps, problem] of [
      [[step('a', []), step('a', [])], 'Two steps have the id a'],
      [[step('a', ['x'])], 'Step "Step a" leads to x, which doesn\'t exist'],
      [[step('s', ['a']), step('a', ['b']), step('b', ['a'])], 'These steps form a loop: "Step a", "Step b"'],
      [
        [step('a', ['b'], { type: 'condition', config: { trueNext: 'c' } }), step('b', []), step('c', [])],
        'Step "Step a" branches to c, which isn\'t one of its next steps',
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

  it('is refused if it exceeds a limit or has another key; the message names the field', async () => {
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

  it('can have a thousand steps, and text in any writing system', async () => {
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

  it('contains each step’s type and settings', async () => {
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
});
