import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { approve, done, reject, Scenario } from './run.scenario.ts';

describe('a manual step', () => {
  const run = () => new Scenario(stepsOf({ a: 'b', b: '' }));

  test.each([[undefined], [{}], [{ text: ' \n ' }], [{ text: 7 }], [{ other: 'x' }]])(
    'refuses %j as input',
    (output) => {
      expect(run().refusal({ type: 'complete', stepId: 'a', output })).toEqual({ code: 'input_required', stepId: 'a' });
    },
  );

  test.each([[[]], ['text'], [3], [true]])('refuses %j as a form, because it isn’t an object', (fields) => {
    expect(run().refusal({ type: 'complete', stepId: 'a', output: { text: 'done', fields } })).toEqual({
      code: 'invalid_fields',
      stepId: 'a',
      problems: [{ fieldId: 'fields', problem: 'The form values must be an object with the field names as keys' }],
    });
  });

  test('accepts null form values, and refuses values for fields that its form doesn’t have', () => {
    expect(run().act({ type: 'complete', stepId: 'a', output: { text: 'done', fields: null } })).toContain(
      'step_completed a',
    );
    expect(run().refusal({ type: 'complete', stepId: 'a', output: { text: 'done', fields: { x: 1 } } })).toMatchObject({
      code: 'invalid_fields',
      stepId: 'a',
      problems: [{ fieldId: 'x' }],
    });
  });

  test('needs no text if its form has values', () => {
    const config = { fields: [{ id: 'amount', label: 'Amount', kind: 'number', required: true }] };
    const form = () => new Scenario(stepsOf({ a: '' }, { a: { type: 'manual', config } as Partial<Step> }));
    const filled = { type: 'complete', stepId: 'a', output: { fields: { amount: 3 } } } as const;
    expect(form().act(filled)).toContain('step_completed a');
    expect(form().refusal({ type: 'complete', stepId: 'a', output: { text: 'done' } })).toMatchObject({
      code: 'invalid_fields',
      problems: [{ fieldId: 'amount' }],
    });
  });

  test('trims its input text and stores all other properties unchanged', () => {
    const scenario = run();
    scenario.act({ type: 'complete', stepId: 'a', output: { text: '  done ', amount: 3 }, notes: ' n ' });
    expect(scenario.step('a')).toMatchObject({
      state: 'completed',
      by: { id: 'ann' },
      completedAt: 60_000,
      output: { text: 'done', amount: 3 },
    });
    expect(scenario.facts).toContainEqual(expect.objectContaining({ type: 'step_completed', notes: 'n' }));
  });

  test('can be completed only once; a second attempt is refused with the step’s state', () => {
    const scenario = run();
    scenario.act(done('a'));
    expect(scenario.refusal(done('a'))).toEqual({ code: 'step_not_active', stepId: 'a', state: 'completed' });
    expect(scenario.refusal(done('nope'))).toEqual({ code: 'unknown_step', stepId: 'nope' });
    expect(scenario.refusal(done('toString'))).toEqual({ code: 'unknown_step', stepId: 'toString' });
  });

  test('can’t be completed or skipped before its turn', () => {
    expect(run().refusal(done('b'))).toEqual({ code: 'step_not_active', stepId: 'b', state: 'waiting' });
    expect(run().refusal({ type: 'skip', stepId: 'b', reason: 'not needed' })).toEqual({
      code: 'step_not_active',
      stepId: 'b',
      state: 'waiting',
    });
  });

  test('has nothing to approve or return if it doesn’t need approval', () => {
    expect(run().refusal(approve('a'))).toEqual({ code: 'not_submitted', stepId: 'a' });
    expect(run().refusal(reject('a', 'no'))).toEqual({ code: 'not_submitted', stepId: 'a' });
  });
});

describe('a manual step that needs approval', () => {
  const run = () =>
    new Scenario(stepsOf({ a: 'b', b: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }));

  test('is submitted by one person and completed by another’s approval', () => {
    const scenario = run();
    expect(scenario.act(done('a'))).toEqual(['step_submitted a']);
    expect(scenario.step('a')).toMatchObject({
      state: 'active',
      submitted: { by: { id: 'ann' }, output: { text: 'a done' } },
    });
    expect(scenario.refusal(done('a'), 'bob')).toEqual({ code: 'already_submitted', stepId: 'a' });
    expect(scenario.refusal(approve('a'))).toEqual({ code: 'own_submission', stepId: 'a' });
    expect(scenario.act(approve('a', ' fine '), 'bob')).toEqual([
      'step_approved a',
      'step_completed a',
      'step_activated b',
    ]);
    expect(scenario.step('a')).toMatchObject({
      state: 'completed',
      by: { id: 'bob' },
      submitted: { by: { id: 'ann' } },
      votes: [{ by: { id: 'bob' }, comments: 'fine' }],
      output: { text: 'a done' },
    });
  });

  test('needs input, and comments if the input is returned', () => {
    const scenario = run();
    expect(scenario.refusal({ type: 'complete', stepId: 'a' })).toEqual({ code: 'input_required', stepId: 'a' });
    scenario.act(done('a'));
    expect(scenario.refusal(reject('a', '  '), 'bob')).toEqual({ code: 'comments_required', stepId: 'a' });
    expect(scenario.refusal(reject('a', 'mine'))).toEqual({ code: 'own_submission', stepId: 'a' });
  });

  test('stays in the same activation if its input is returned, so its clock continues', () => {
    const scenario = run();
    scenario.act(done('a'));
    expect(scenario.act(reject('a', 'more detail'), 'bob')).toEqual(['step_returned a']);
    expect(scenario.step('a')).toMatchObject({
      state: 'active',
      activation: 1,
      activatedAt: 0,
      submitted: null,
      returned: { comments: 'more detail' },
    });
    expect(scenario.facts.at(-1)).toMatchObject({ type: 'step_returned', submitterId: 'ann' });
    expect(scenario.refusal(approve('a'), 'bob')).toEqual({ code: 'not_submitted', stepId: 'a' });
    scenario.act(done('a'));
    scenario.act(approve('a'), 'bob');
    expect(scenario.step('a').state).toBe('completed');
  });
});

describe('steps that no person completes', () => {
  test.each(['automated', 'condition', 'notification'] as const)('%s can only be skipped', (type) => {
    const run = new Scenario(stepsOf({ a: 'b', b: '' }, { a: { type, config: {} } as Partial<Step> }));
    const refusal = { code: 'not_a_person_step', stepId: 'a', type };
    expect(run.refusal(done('a'))).toEqual(refusal);
    expect(run.refusal(approve('a'))).toEqual(refusal);
    expect(run.refusal(reject('a', 'no'))).toEqual(refusal);
    expect(run.act({ type: 'skip', stepId: 'a', reason: 'not needed' })).toEqual([
      'step_skipped a',
      'step_activated b',
    ]);
  });
});
