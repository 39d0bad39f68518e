import { describe, expect, test } from 'vitest';
import type { Step } from '../workflows/step.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { skipRefusal, voteRefusal } from './person-steps.ts';
import { done, Scenario } from './run.scenario.ts';

const approval = (config: object = {}): Partial<Step> => ({ type: 'approval', config });
const approve = (stepId: string, comments?: string) => ({ type: 'approve', stepId, comments }) as const;
const reject = (stepId: string, comments: string) => ({ type: 'reject', stepId, comments }) as const;

describe('a manual step', () => {
  const run = () => new Scenario(stepsOf({ a: 'b', b: '' }));

  test.each([[undefined], [{}], [{ text: ' \n ' }], [{ text: 7 }], [{ other: 'x' }]])(
    'needs input, and %j is none',
    (output) => {
      expect(run().refusal({ type: 'complete', stepId: 'a', output })).toEqual({ code: 'input_required', stepId: 'a' });
    },
  );

  test.each([[[]], ['text'], [3], [true]])('takes no form that is %j and no object', (fields) => {
    expect(run().refusal({ type: 'complete', stepId: 'a', output: { text: 'done', fields } })).toEqual({
      code: 'invalid_fields',
      stepId: 'a',
      problems: [
        { fieldId: 'fields', problem: 'The values of the form have to be an object, by the names of its fields' },
      ],
    });
  });

  test('takes a form that is null as none, and no value that its form doesn’t ask for', () => {
    expect(run().act({ type: 'complete', stepId: 'a', output: { text: 'done', fields: null } })).toContain(
      'step_completed a',
    );
    expect(run().refusal({ type: 'complete', stepId: 'a', output: { text: 'done', fields: { x: 1 } } })).toMatchObject({
      code: 'invalid_fields',
      stepId: 'a',
      problems: [{ fieldId: 'x' }],
    });
  });

  test('needs no text beside the values of its form', () => {
    const config = { fields: [{ id: 'amount', label: 'Amount', kind: 'number', required: true }] };
    const form = () => new Scenario(stepsOf({ a: '' }, { a: { type: 'manual', config } as Partial<Step> }));
    const filled = { type: 'complete', stepId: 'a', output: { fields: { amount: 3 } } } as const;
    expect(form().act(filled)).toContain('step_completed a');
    expect(form().refusal({ type: 'complete', stepId: 'a', output: { text: 'done' } })).toMatchObject({
      code: 'invalid_fields',
      problems: [{ fieldId: 'amount' }],
    });
  });

  test('keeps its input trimmed, with all else that was said', () => {
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

  test('is completed once; the second is told the state as it is', () => {
    const scenario = run();
    scenario.act(done('a'));
    expect(scenario.refusal(done('a'))).toEqual({ code: 'step_not_active', stepId: 'a', state: 'completed' });
    expect(scenario.refusal(done('nope'))).toEqual({ code: 'unknown_step', stepId: 'nope' });
    expect(scenario.refusal(done('toString'))).toEqual({ code: 'unknown_step', stepId: 'toString' });
  });

  test('is not completed or skipped before its turn', () => {
    expect(run().refusal(done('b'))).toEqual({ code: 'step_not_active', stepId: 'b', state: 'waiting' });
    expect(run().refusal({ type: 'skip', stepId: 'b' })).toEqual({
      code: 'step_not_active',
      stepId: 'b',
      state: 'waiting',
    });
  });

  test('without approval has nothing to approve or return', () => {
    expect(run().refusal(approve('a'))).toEqual({ code: 'not_submitted', stepId: 'a' });
    expect(run().refusal(reject('a', 'no'))).toEqual({ code: 'not_submitted', stepId: 'a' });
  });
});

describe('a manual step that needs approval', () => {
  const run = () =>
    new Scenario(stepsOf({ a: 'b', b: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }));

  test('is submitted by one and completed by the approval of another', () => {
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

  test('needs input and comments as ever', () => {
    const scenario = run();
    expect(scenario.refusal({ type: 'complete', stepId: 'a' })).toEqual({ code: 'input_required', stepId: 'a' });
    scenario.act(done('a'));
    expect(scenario.refusal(reject('a', '  '), 'bob')).toEqual({ code: 'comments_required', stepId: 'a' });
    expect(scenario.refusal(reject('a', 'mine'))).toEqual({ code: 'own_submission', stepId: 'a' });
  });

  test('is active again when its input is returned, in the same activation, and the clock goes on', () => {
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

describe('an approval step', () => {
  const run = (config: object = {}) => {
    const scenario = new Scenario(stepsOf({ a: 'b', b: 'c', c: '' }, { b: approval(config) }));
    scenario.act(done('a'));
    return scenario;
  };

  test('is completed by one approval where nothing else is said', () => {
    for (const config of [{}, { minimumApprovers: 0 }, { minimumApprovers: Number.NaN }]) {
      expect(run(config).act(approve('b'))).toEqual(['step_approved b', 'step_completed b', 'step_activated c']);
    }
  });

  test('is completed by as many people as it needs, each with one vote', () => {
    const scenario = run({ minimumApprovers: 2 });
    expect(scenario.act(approve('b', ' good '), 'bob')).toEqual(['step_approved b']);
    expect(scenario.facts.at(-1)).toMatchObject({ type: 'step_approved', votes: 1, required: 2, comments: 'good' });
    expect(scenario.refusal(approve('b'), 'bob')).toEqual({ code: 'already_voted', stepId: 'b' });
    expect(scenario.refusal(reject('b', 'changed my mind'), 'bob')).toEqual({ code: 'already_voted', stepId: 'b' });
    expect(scenario.act(approve('b'), 'cem')).toEqual(['step_approved b', 'step_completed b', 'step_activated c']);
    expect(scenario.step('b')).toMatchObject({
      by: { id: 'cem' },
      output: { approved: true, approvers: ['bob', 'cem'], text: 'good' },
    });
  });

  test('takes a completion as an approval with its text as comments', () => {
    const scenario = run();
    expect(scenario.act({ type: 'complete', stepId: 'b', output: { text: ' ok ' } }, 'bob')).toContain(
      'step_completed b',
    );
    expect(scenario.step('b')).toMatchObject({ votes: [{ comments: 'ok' }] });
    expect(run().act({ type: 'complete', stepId: 'b' }, 'bob')).toContain('step_completed b');
  });

  test('needs comments to be rejected', () => {
    expect(run().refusal(reject('b', ' '))).toEqual({ code: 'comments_required', stepId: 'b' });
  });

  test('fails the run when it is rejected and says no step to return to', () => {
    const scenario = run();
    expect(scenario.act(reject('b', 'too risky'), 'bob')).toEqual(['step_rejected b', 'step_failed b', 'run_failed b']);
    expect(scenario.state).toMatchObject({ status: 'failed', stepId: 'b', reason: 'Rejected by bob: too risky' });
    expect(scenario.act({ type: 'retry', stepId: 'b' })).toEqual(['step_retried b', 'step_activated b']);
    expect(scenario.act(approve('b'), 'bob')).toContain('step_completed b');
  });
});

describe('separateFrom', () => {
  const steps = (links: Record<string, string>, details: Record<string, Partial<Step>> = {}) =>
    stepsOf(links, { z: approval({ separateFrom: true }), ...details });

  test('refuses the vote of whoever completed a step directly before', () => {
    const run = new Scenario(steps({ a: 'b', b: 'z', c: 'z', z: '' }));
    run.act(done('a'), 'ann');
    run.act(done('b'), 'bob');
    run.act(done('c'), 'cem');
    expect(run.refusal(approve('z'), 'bob')).toEqual({ code: 'separate_from', stepId: 'z', completedStepId: 'b' });
    expect(run.refusal(reject('z', 'no'), 'cem')).toEqual({ code: 'separate_from', stepId: 'z', completedStepId: 'c' });
    expect(run.refusal({ type: 'complete', stepId: 'z' }, 'bob').code).toBe('separate_from');
    expect(run.act(approve('z'), 'ann')).toContain('step_completed z');
  });

  test('refuses all who had a hand in that step: input, its approval, votes', () => {
    const run = new Scenario(
      steps(
        { a: 'z', b: 'z', z: '' },
        { a: { type: 'manual', config: { requiresApproval: true } }, b: approval({ minimumApprovers: 2 }) },
      ),
    );
    run.act(done('a'), 'ann');
    run.act(approve('a'), 'bob');
    run.act(approve('b'), 'cem');
    run.act(approve('b'), 'dee');
    for (const [person, completedStepId] of [
      ['ann', 'a'],
      ['bob', 'a'],
      ['cem', 'b'],
      ['dee', 'b'],
    ] as const) {
      expect(run.refusal(approve('z'), person)).toEqual({ code: 'separate_from', stepId: 'z', completedStepId });
    }
  });

  test('is off by default', () => {
    const run = new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval() }));
    run.act(done('a'), 'ann');
    expect(run.act(approve('z'), 'ann')).toContain('step_completed z');
  });
});

describe('a rejection that returns to a step before', () => {
  const links = { a: 'b p', b: 'c d', c: 'z', d: '', p: 'z', z: '' };
  const atReview = () => {
    const run = new Scenario(stepsOf(links, { z: approval({ onReject: 'b', minimumApprovers: 2 }) }));
    for (const id of ['a', 'b', 'c', 'p']) run.act(done(id));
    run.act(approve('z'), 'cem');
    expect(run.states).toBe('a:completed b:completed c:completed d:active p:completed z:active');
    return run;
  };

  test('undoes what lies behind that step, and nothing beside it', () => {
    const run = atReview();
    expect(run.act(reject('z', 'again'), 'bob')).toEqual([
      'step_rejected z',
      'step_reset b',
      'step_reset c',
      'step_reset d',
      'step_reset z',
      'step_activated b',
    ]);
    expect(run.states).toBe('a:completed b:active c:waiting d:waiting p:completed z:waiting');
    expect(run.step('b')).toMatchObject({
      activation: 2,
      activatedAt: run.now,
      returned: { by: { id: 'bob' }, comments: 'again' },
    });
  });

  test('leaves a parallel branch active', () => {
    const run = new Scenario(stepsOf({ a: 'b p', b: 'z', p: '', z: '' }, { z: approval({ onReject: 'b' }) }));
    for (const id of ['a', 'b']) run.act(done(id));
    run.act(reject('z', 'again'), 'bob');
    expect(run.states).toBe('a:completed b:active p:active z:waiting');
    expect(run.step('p')).toMatchObject({ activation: 1 });
  });

  test('gives what becomes active again a new activation, and forgets its votes', () => {
    const run = atReview();
    run.act(reject('z', 'again'), 'bob');
    run.act(done('b'));
    run.act(done('c'));
    expect(run.step('z')).toMatchObject({ state: 'active', activation: 2, votes: [] });
    run.act(approve('z'), 'cem');
    run.act(approve('z'), 'bob');
    run.act(done('d'));
    expect(run.state.status).toBe('completed');
  });

  test('opens a step that no branch had led to', () => {
    const run = new Scenario(
      stepsOf(
        { q: 't f', t: 'z', f: 'z', z: '' },
        { q: { type: 'condition', config: { trueNext: 't', falseNext: 'f' } }, z: approval({ onReject: 't' }) },
      ),
    );
    run.act({ type: 'decide_condition', stepId: 'q', activation: 1, result: false }, 'system');
    run.act(done('f'));
    run.act(reject('z', 'do t as well'), 'bob');
    expect(run.states).toBe('q:completed t:active f:completed z:waiting');
    expect(run.act(done('t'))).toEqual(['step_completed t', 'step_activated z']);
  });

  test('resets nothing that waits, and opens a step once, be its own turn still to come', () => {
    const run = new Scenario(stepsOf({ p: 'x', r: 'y', x: 'y', y: '' }, { r: approval({ onReject: 'x' }) }));
    expect(run.act(reject('r', 'x first'), 'bob')).toEqual(['step_rejected r', 'step_activated x']);
    expect(run.act(done('p'))).toEqual(['step_completed p']);
    expect(run.step('x')).toMatchObject({ state: 'active', activation: 1 });
  });
});

describe('steps that no person completes', () => {
  test.each(['automated', 'condition', 'notification'] as const)('%s can be skipped, and nothing else', (type) => {
    const run = new Scenario(stepsOf({ a: 'b', b: '' }, { a: { type, config: {} } as Partial<Step> }));
    const refusal = { code: 'not_a_person_step', stepId: 'a', type };
    expect(run.refusal(done('a'))).toEqual(refusal);
    expect(run.refusal(approve('a'))).toEqual(refusal);
    expect(run.refusal(reject('a', 'no'))).toEqual(refusal);
    expect(run.act({ type: 'skip', stepId: 'a', reason: null })).toEqual(['step_skipped a', 'step_activated b']);
  });
});

describe('what a run’s history forbids a person', () => {
  const run = () => {
    const scenario = new Scenario(
      stepsOf(
        { a: 'z', b: 'z', z: '', y: '' },
        {
          a: { type: 'manual', config: { requiresApproval: true } },
          z: approval({ separateFrom: true, minimumApprovers: 3 }),
          y: approval({ minimumApprovers: 2 }),
        },
      ),
    );
    scenario.act(done('a'), 'ann');
    return scenario;
  };
  const stepOf = (scenario: Scenario, id: string) => {
    const step = scenario.workflow.steps.find((each) => each.id === id);
    if (!step) throw new Error(`No step ${id}`);
    return step;
  };
  const voteOf = (scenario: Scenario, id: string, person: string) => {
    const step = stepOf(scenario, id);
    if (step.type !== 'approval') throw new Error('no approval');
    return voteRefusal(scenario.workflow, scenario.state, step, person);
  };
  const skipOf = (scenario: Scenario, id: string, person: string) =>
    skipRefusal(scenario.workflow, scenario.state, stepOf(scenario, id), person);

  test('is told before they try: a second vote, and a vote on what they had a hand in', () => {
    const scenario = run();
    expect(voteOf(scenario, 'y', 'bob')).toBeNull();
    scenario.act(approve('y'), 'bob');
    expect(voteOf(scenario, 'y', 'bob')).toEqual({ code: 'already_voted', stepId: 'y' });
    expect(voteOf(scenario, 'y', 'ann')).toBeNull();
    scenario.act(approve('a'), 'cem');
    expect(voteOf(scenario, 'z', 'ann')).toBeNull(); // Not active yet.
    scenario.act(done('b'), 'dee');
    for (const [person, completedStepId] of Object.entries({ ann: 'a', cem: 'a', dee: 'b' }))
      expect(voteOf(scenario, 'z', person)).toEqual({ code: 'separate_from', stepId: 'z', completedStepId });
    expect(voteOf(scenario, 'z', 'bob')).toBeNull();
  });

  test('is no matter of steps that do not lead to the approval', () => {
    const beside = new Scenario(
      stepsOf({ a: 'z', b: '', z: '' }, { z: approval({ separateFrom: true, minimumApprovers: 2 }) }),
    );
    beside.act(done('a'), 'ann');
    beside.act(done('b'), 'bob');
    expect(voteOf(beside, 'z', 'bob')).toBeNull();
    expect(voteOf(beside, 'z', 'ann')).not.toBeNull();
  });

  test('is told before they skip: their own submission, and an approval that they may not vote on', () => {
    const scenario = run();
    expect(skipOf(scenario, 'a', 'ann')).toEqual({ code: 'own_submission', stepId: 'a' });
    expect(skipOf(scenario, 'a', 'bob')).toBeNull();
    expect(skipOf(scenario, 'b', 'ann')).toBeNull();
    expect(skipOf(scenario, 'z', 'ann')).toBeNull();
    expect(scenario.refusal({ type: 'skip', stepId: 'a' }, 'ann')).toEqual({ code: 'own_submission', stepId: 'a' });
    scenario.act(approve('y'), 'bob');
    expect(skipOf(scenario, 'y', 'bob')).toEqual({ code: 'already_voted', stepId: 'y' });
    scenario.act(approve('a'), 'cem');
    expect(skipOf(scenario, 'a', 'ann')).toBeNull(); // Over.
    scenario.act(done('b'), 'dee');
    expect(skipOf(scenario, 'z', 'ann')).toEqual({ code: 'separate_from', stepId: 'z', completedStepId: 'a' });
  });

  test('and the comments of several votes are lines of one text', () => {
    const scenario = run();
    scenario.act(approve('y', 'good'), 'bob');
    scenario.act(approve('y', 'very good'), 'cem');
    expect(scenario.step('y')).toMatchObject({ output: { text: 'good\nvery good' } });
  });
});
