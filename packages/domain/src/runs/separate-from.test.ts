import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { skipRefusal, voteRefusal } from './person-steps.ts';
import { actorOf, approval, approve, done, reject, Scenario } from './run.scenario.ts';

describe('separateFrom', () => {
  const steps = (links: Record<string, string>, details: Record<string, Partial<Step>> = {}) =>
    stepsOf(links, { z: approval({ separateFrom: true }), ...details });

  test('refuses the vote of a person who completed the previous step', () => {
    const run = new Scenario(steps({ a: 'b', b: 'z', c: 'z', z: '' }));
    run.act(done('a'), 'ann');
    run.act(done('b'), 'bob');
    run.act(done('c'), 'cem');
    expect(run.refusal(approve('z'), 'bob')).toEqual({ code: 'separate_from', stepId: 'z', completedStepId: 'b' });
    expect(run.refusal(reject('z', 'no'), 'cem')).toEqual({ code: 'separate_from', stepId: 'z', completedStepId: 'c' });
    expect(run.refusal({ type: 'complete', stepId: 'z' }, 'bob').code).toBe('separate_from');
    expect(run.act(approve('z'), 'ann')).toContain('step_completed z');
  });

  test('refuses everyone who contributed input, its approval or a vote to the previous step', () => {
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

describe('votes and skips', () => {
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
    return voteRefusal(scenario.workflow, scenario.state, step, actorOf(person));
  };
  const skipOf = (scenario: Scenario, id: string, person: string) =>
    skipRefusal(scenario.workflow, scenario.state, stepOf(scenario, id), actorOf(person));

  test('are refused in advance to people who have voted or did the work', () => {
    const scenario = run();
    expect(voteOf(scenario, 'y', 'bob')).toBeNull();
    scenario.act(approve('y'), 'bob');
    expect(voteOf(scenario, 'y', 'bob')).toEqual({ code: 'already_voted', stepId: 'y' });
    expect(voteOf(scenario, 'y', 'ann')).toBeNull();
    scenario.act(approve('a'), 'cem');
    expect(voteOf(scenario, 'z', 'ann')).toBeNull(); // The step isn't active yet.
    scenario.act(done('b'), 'dee');
    for (const [person, completedStepId] of Object.entries({ ann: 'a', cem: 'a', dee: 'b' }))
      expect(voteOf(scenario, 'z', person)).toEqual({ code: 'separate_from', stepId: 'z', completedStepId });
    expect(voteOf(scenario, 'z', 'bob')).toBeNull();
  });

  test('aren’t refused because of steps that don’t lead to the approval', () => {
    const beside = new Scenario(
      stepsOf({ a: 'z', b: '', z: '' }, { z: approval({ separateFrom: true, minimumApprovers: 2 }) }),
    );
    beside.act(done('a'), 'ann');
    beside.act(done('b'), 'bob');
    expect(voteOf(beside, 'z', 'bob')).toBeNull();
    expect(voteOf(beside, 'z', 'ann')).not.toBeNull();
  });

  test('are refused in advance to people who may not decide the approval that they would skip', () => {
    const scenario = run();
    expect(skipOf(scenario, 'a', 'ann')).toBeNull(); // The author of the input may agree to skip it.
    expect(skipOf(scenario, 'a', 'bob')).toBeNull();
    expect(skipOf(scenario, 'b', 'ann')).toBeNull();
    expect(skipOf(scenario, 'z', 'ann')).toBeNull();
    scenario.act(approve('y'), 'bob');
    expect(skipOf(scenario, 'y', 'bob')).toEqual({ code: 'already_voted', stepId: 'y' });
    scenario.act(approve('a'), 'cem');
    expect(skipOf(scenario, 'a', 'ann')).toBeNull(); // The step is completed.
    scenario.act(done('b'), 'dee');
    expect(skipOf(scenario, 'z', 'ann')).toEqual({ code: 'separate_from', stepId: 'z', completedStepId: 'a' });
  });

  test('have comments, each of which becomes a line of the step’s output', () => {
    const scenario = run();
    scenario.act(approve('y', 'good'), 'bob');
    scenario.act(approve('y', 'very good'), 'cem');
    expect(scenario.step('y')).toMatchObject({ output: { text: 'good\nvery good' } });
  });
});
