import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import type { RunActor, RunState } from './state.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import type { RunCommand } from './commands.ts';
import { decide } from './decide.ts';
import { rejectedPeople } from './run-control.ts';
import { actorOf, approval, approve, decided, done, ran, reject, Scenario, sent } from './run.scenario.ts';
import before from './states-before-second-edition.json' with { type: 'json' };
import { waitingSteps } from './waiting.ts';

const skip = (stepId: string, reason = 'not needed') => ({ type: 'skip', stepId, reason }) as const;
const separate = approval({ separateFrom: true });
const barred = (completedStepId: string) => ({ code: 'separate_from', stepId: 'z', completedStepId });
const serverSteps: [string, Partial<Step>, RunCommand][] = [
  ['automated', { type: 'automated' }, ran('s', 1)],
  ['condition', { type: 'condition' }, decided('s', true)],
  ['notification', { type: 'notification' }, sent('s', [])],
];

describe('separateFrom', () => {
  test.each(serverSteps)('looks back past a server step of type %s', (_, step, report) => {
    const run = new Scenario(stepsOf({ a: 's', s: 'z', z: '' }, { s: step, z: separate }));
    run.act(done('a'), 'ann');
    run.act(report, 'system');
    expect(waitingSteps(run.workflow, run.state)[0]?.exceptIds).toEqual(['ann']);
    expect(run.refusal(approve('z'), 'ann')).toEqual(barred('a'));
    expect(run.act(approve('z'), 'bob')).toContain('step_completed z');
  });

  test.each(serverSteps)('refuses nobody if the server executed all earlier steps (type %s)', (_, step, report) => {
    const run = new Scenario(stepsOf({ s: 'z', z: '' }, { s: step, z: separate }));
    run.act(report, 'system');
    expect(waitingSteps(run.workflow, run.state)[0]?.exceptIds).toEqual([]);
    expect(run.act(approve('z'), 'ann')).toContain('step_completed z');
  });

  test('also considers the work before skipped steps, and refuses everyone who agreed to skip them', () => {
    const run = new Scenario(
      stepsOf(
        { a: 'b', b: 'c', c: 'z', z: '' },
        { b: approval({ minimumApprovers: 2 }), z: approval({ separateFrom: true }) },
      ),
    );
    run.act(done('a'), 'ann');
    run.act(skip('b'), 'bob');
    run.act(skip('b'), 'cem');
    run.act(skip('c'), 'dee');
    for (const [person, stepId] of Object.entries({ ann: 'a', bob: 'b', cem: 'b', dee: 'c' }))
      expect(run.refusal(approve('z'), person)).toEqual(barred(stepId));
    expect(run.act(approve('z'), 'eva')).toContain('step_completed z');
  });

  test('stops at the last person on each path', () => {
    const run = new Scenario(
      stepsOf({ a: 'b s', b: 'z', s: 't', t: 'z', z: '' }, { s: { type: 'automated' }, z: separate }),
    );
    run.act(done('a'), 'ann');
    run.act(done('b'), 'bob');
    run.act(ran('s', 1), 'system');
    run.act(done('t'), 'cem');
    expect(run.refusal(approve('z'), 'bob')).toEqual(barred('b'));
    expect(run.refusal(approve('z'), 'cem')).toEqual(barred('t'));
    expect(run.act(approve('z'), 'ann')).toContain('step_completed z');
  });
});

describe('all people behind an action', () => {
  const withInviter = (id: string, inviter: string): RunActor => ({ ...actorOf(id), also: [inviter] });
  const decided = (run: Scenario, command: RunCommand, actor: RunActor) => {
    const decision = decide(run.workflow, run.state, command, { at: run.now, actor });
    if (decision.ok) run.state = decision.state;
    return decision.ok ? 'accepted' : decision.refusal.code;
  };

  test('share one vote and are refused together', () => {
    const run = new Scenario(stepsOf({ z: '' }, { z: approval({ minimumApprovers: 3 }) }));
    expect(decided(run, approve('z'), withInviter('new', 'ann'))).toBe('accepted');
    expect(decided(run, approve('z'), actorOf('ann'))).toBe('already_voted');
    expect(decided(run, approve('z'), withInviter('newer', 'ann'))).toBe('already_voted');
    expect(decided(run, skip('z'), actorOf('ann'))).toBe('already_voted');
    expect(decided(run, approve('z'), actorOf('bob'))).toBe('accepted');
    expect(waitingSteps(run.workflow, run.state)[0]?.exceptIds).toEqual(['new', 'ann', 'bob']);
  });

  test('can reject if only an unproved account bars them, and the waiting step lists them', () => {
    const apart = approval({ separateFrom: true });
    const run = new Scenario(stepsOf({ a: 'z', b: 'z', z: '' }, { z: apart }));
    const guest: RunActor = { ...actorOf('guest'), also: ['ann', 'bob'], unproved: true };
    expect(decided(run, done('a'), guest)).toBe('accepted');
    expect(decided(run, done('b'), actorOf('ann'))).toBe('accepted');
    const [waiting] = waitingSteps(run.workflow, run.state);
    expect(waiting?.exceptIds.toSorted()).toEqual(['ann', 'bob', 'guest']);
    expect(waiting?.rejectIds).toEqual(['bob']);
    for (const id of ['ann', 'guest']) expect(decided(run, reject('z', 'no'), actorOf(id))).toBe('separate_from');
    expect(decided(run, approve('z'), actorOf('bob'))).toBe('separate_from');
    expect(decided(run, reject('z', 'no'), actorOf('bob'))).toBe('accepted');
  });

  test('can reject input that only an unproved account submitted, but not approve it', () => {
    const run = new Scenario(stepsOf({ a: '' }, { a: { config: { requiresApproval: true } } }));
    const guest: RunActor = { ...actorOf('guest'), also: ['ann', 'bob'], unproved: true };
    expect(decided(run, done('a'), guest)).toBe('accepted');
    const [waiting] = waitingSteps(run.workflow, run.state);
    expect(waiting?.exceptIds.toSorted()).toEqual(['ann', 'bob', 'guest']);
    expect(waiting?.rejectIds.toSorted()).toEqual(['ann', 'bob']);
    for (const id of ['ann', 'bob', 'guest']) expect(decided(run, approve('a'), actorOf(id))).toBe('own_submission');
    expect(decided(run, reject('a', 'no'), actorOf('guest'))).toBe('own_submission');
    expect(decided(run, reject('a', 'no'), actorOf('bob'))).toBe('accepted');
    expect(decided(run, done('a'), withInviter('new', 'ann'))).toBe('accepted');
    expect(waitingSteps(run.workflow, run.state)[0]?.rejectIds).toEqual([]);
    expect(decided(run, reject('a', 'no'), actorOf('ann'))).toBe('own_submission');
    expect(decided(run, approve('a'), actorOf('bob'))).toBe('accepted');
  });

  test('can’t approve each other’s input or retry after each other’s work was rejected', () => {
    const config = { requiresApproval: true };
    const run = new Scenario(stepsOf({ a: 'z', z: '' }, { a: { config }, z: approval() }));
    expect(decided(run, done('a'), withInviter('new', 'ann'))).toBe('accepted');
    expect(decided(run, approve('a'), actorOf('ann'))).toBe('own_submission');
    expect(decided(run, approve('a'), actorOf('bob'))).toBe('accepted');
    expect(decided(run, reject('z', 'no'), actorOf('cem'))).toBe('accepted');
    expect(rejectedPeople(run.workflow, run.state, 'z')?.toSorted()).toEqual(['ann', 'bob', 'new']);
    expect(decided(run, { type: 'retry', stepId: 'z' }, actorOf('ann'))).toBe('rejected_cannot_retry');
    expect(decided(run, { type: 'retry', stepId: 'z' }, actorOf('cem'))).toBe('accepted');
  });
});

describe('a skip', () => {
  test('needs a reason for any step', () => {
    const run = new Scenario(stepsOf({ a: '', z: '', s: '' }, { z: approval(), s: { type: 'automated' } }));
    for (const stepId of ['a', 'z', 's'])
      expect(run.refusal({ type: 'skip', stepId, reason: ' ' })).toEqual({ code: 'reason_required', stepId });
  });

  test('is refused for everybody if the workflow doesn’t allow it', () => {
    const config = { skip: 'never' as const };
    const types = { a: { config }, z: approval(config), s: { type: 'automated', config } } as const;
    const run = new Scenario(stepsOf({ a: '', z: '', s: '' }, types));
    for (const stepId of ['a', 'z', 's'])
      for (const by of ['ann', 'bob']) expect(run.refusal(skip(stepId), by)).toEqual({ code: 'skip_never', stepId });
    expect(run.act(done('a'), 'ann')).toContain('step_completed a');
  });

  test('needs as many people as an approval if it skips one', () => {
    const run = new Scenario(stepsOf({ z: 'b', b: '' }, { z: approval({ minimumApprovers: 3 }) }));
    expect(run.act(skip('z', ' late '), 'ann')).toEqual(['step_skip_agreed z']);
    expect(run.facts.at(-1)).toMatchObject({ reason: 'late', votes: 1, required: 3 });
    expect(run.refusal(skip('z'), 'ann')).toEqual({ code: 'already_agreed', stepId: 'z', votes: 1, required: 3 });
    expect(run.act(skip('z'), 'bob')).toEqual(['step_skip_agreed z']);
    expect(run.act(skip('z'), 'cem')).toEqual(['step_skip_agreed z', 'step_skipped z', 'step_activated b']);
    expect(run.step('z')).toMatchObject({ state: 'skipped', by: { id: 'cem' }, reason: 'not needed' });
  });

  test('loses the agreement of a person who approves instead', () => {
    const run = new Scenario(stepsOf({ z: '' }, { z: approval({ minimumApprovers: 2 }) }));
    run.act(skip('z'), 'ann');
    run.act(approve('z'), 'ann');
    expect(run.refusal(skip('z'), 'ann').code).toBe('already_voted');
    expect(run.act(skip('z'), 'bob')).toEqual(['step_skip_agreed z']);
    expect(run.act(approve('z'), 'bob')).toContain('step_completed z');
  });

  test('needs two people if the step’s input needs approval', () => {
    const run = new Scenario(stepsOf({ a: 'b', b: '' }, { a: { config: { requiresApproval: true } } }));
    run.act(done('a'), 'ann');
    expect(run.act(skip('a'), 'ann')).toEqual(['step_skip_agreed a']);
    expect(run.act(skip('a'), 'bob')).toEqual(['step_skip_agreed a', 'step_skipped a', 'step_activated b']);
  });

  test('is reset if the run returns to an earlier step', () => {
    const run = new Scenario(
      stepsOf({ a: 'y z', y: '', z: '' }, { y: approval({ minimumApprovers: 2 }), z: approval({ onReject: 'a' }) }),
    );
    run.act(done('a'));
    run.act(skip('y'), 'bob');
    run.act(reject('z', 'again'), 'cem');
    run.act(done('a'));
    expect(run.act(skip('y'), 'dee')).toEqual(['step_skip_agreed y']);
  });
});

describe('after a rejection', () => {
  const rejected = () => {
    const run = new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval({ minimumApprovers: 2 }) }), 'bob');
    run.act(done('a'), 'ann');
    run.act(reject('z', 'too risky'), 'cem');
    return run;
  };
  const retry = { type: 'retry', stepId: 'z' } as const;
  const rejection = { by: { id: 'cem' }, comments: 'too risky' };

  test('only people whose work wasn’t rejected may retry', () => {
    const run = rejected();
    expect(run.refusal(retry, 'ann')).toEqual({ code: 'rejected_cannot_retry', stepId: 'z' });
    expect(run.act(retry, 'bob')).toEqual(['step_retried z', 'step_activated z']);
    expect(run.step('z')).toMatchObject({ rejected: rejection });
  });

  test('the rejected people may retry if nobody else can, and the run records that', () => {
    const run = rejected();
    run.act({ ...retry, othersCan: false }, 'ann');
    expect(run.facts.findLast(({ type }) => type === 'step_retried')).toMatchObject({ retriedAlone: true });
    expect(run.step('z')).toMatchObject({ rejected: { ...rejection, retriedAlone: true } });
  });

  test('the person who started the run may not retry if nobody acted before the rejection', () => {
    const run = new Scenario(stepsOf({ z: '' }, { z: approval() }), 'ann');
    run.act(reject('z', 'no'), 'bob');
    expect(run.refusal(retry, 'ann').code).toBe('rejected_cannot_retry');
    run.act(retry, 'bob');
  });

  test('the rejection stays visible until the step is approved', () => {
    const run = rejected();
    expect(run.step('z')).toMatchObject({ state: 'failed', rejected: rejection });
    run.act(retry, 'bob');
    run.act(approve('z'), 'dee');
    expect(run.step('z')).toMatchObject({ state: 'active', rejected: rejection });
    run.act(approve('z'), 'eva');
    expect(run.step('z')).not.toHaveProperty('rejected');
  });

  test('the rejection stays on its step after a return to an earlier step and after a skip', () => {
    const run = new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval({ onReject: 'a' }) }));
    run.act(done('a'), 'ann');
    run.act(reject('z', 'too risky'), 'cem');
    expect(run.step('z')).toMatchObject({ state: 'waiting', rejected: rejection });
    run.act(done('a'), 'ann');
    expect(run.step('z')).toMatchObject({ state: 'active', rejected: rejection });
    run.act(skip('z'), 'dee');
    expect(run.step('z')).toMatchObject({ state: 'skipped', rejected: rejection });
  });

  test('anyone may retry if the step failed for another reason', () => {
    const run = new Scenario(stepsOf({ z: '' }, { z: { type: 'automated' } }));
    run.act({ type: 'fail_step', stepId: 'z', activation: 1, reason: 'x' }, 'system');
    expect(rejectedPeople(run.workflow, run.state, 'z')).toBeNull();
    run.act(retry, 'ann');
    expect(run.step('z')).not.toHaveProperty('rejected');
  });
});

test('actions in place of a step’s assignees are recorded as such, and stand-ins need a reason', () => {
  const run = new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval() }));
  const at = { at: run.now, actor: actorOf('ann') };
  const helped = decide(run.workflow, run.state, done('a'), { ...at, actsFor: 'helper' });
  expect(helped).toMatchObject({ ok: true, facts: [{ type: 'step_completed', actsFor: 'helper' }, {}] });
  run.act(done('a'));
  const stood = (command: RunCommand) => decide(run.workflow, run.state, command, { ...at, actsFor: 'overdue' });
  expect(stood(approve('z', ' '))).toEqual({ ok: false, refusal: { code: 'stand_in_reason_required', stepId: 'z' } });
  expect(stood(approve('z', 'nobody came'))).toMatchObject({ facts: [{ actsFor: 'overdue' }, {}, {}] });
  expect(stood(reject('z', 'no'))).toMatchObject({ facts: [{ actsFor: 'overdue' }, {}, {}] });
});

describe('a pause', () => {
  const days = (n: number) => n * 24 * 3_600_000;

  test('records its author and its reason, if there is one', () => {
    const run = new Scenario(stepsOf({ a: '' }));
    run.act({ type: 'pause', reason: ' lunch ' }, 'bob');
    expect(run.facts.at(-1)).toMatchObject({ type: 'run_paused', reason: 'lunch' });
    expect(run.state).toMatchObject({ by: { id: 'bob' }, reason: 'lunch' });
    run.act({ type: 'resume' });
    run.act({ type: 'pause', reason: ' ' });
    expect(run.facts.at(-1)).toMatchObject({ reason: null });
  });

  test('is escalated once, after seven days', () => {
    const run = new Scenario(stepsOf({ a: '' }));
    const watch = { type: 'watch_clocks', againAfterMs: null } as const;
    run.act({ type: 'pause' });
    run.now += days(7) - 2 * 60_000;
    expect(run.act(watch, 'system')).toEqual([]);
    expect(run.act(watch, 'system')).toEqual(['run_pause_escalated']);
    run.now += days(30);
    expect(run.act(watch, 'system')).toEqual([]);
    run.act({ type: 'resume' });
    run.act({ type: 'pause' });
    run.now += days(8);
    expect(run.act(watch, 'system')).toEqual(['run_pause_escalated']);
  });
});

test('a run that replaces a rejected run still refers to it while it is paused', () => {
  const { workflow } = new Scenario(stepsOf({ a: '' }));
  const restartOf = { runId: 'r1', name: 'The first', cancelledAt: 5 };
  const started = decide(workflow, null, { type: 'start', restartOf }, { at: 9, actor: actorOf('ann') });
  if (!started.ok) throw new Error('not started');
  const paused = decide(workflow, started.state, { type: 'pause' }, { at: 10, actor: actorOf('ann') });
  if (!paused.ok) throw new Error('not paused');
  expect(paused.state).toMatchObject({ status: 'paused', restartOf });
});

describe('a run from before these rules', () => {
  const workflow = { steps: before.workflow.steps as Step[] };
  const resume = (state: unknown): Scenario => {
    const run = new Scenario(workflow.steps);
    run.state = state as RunState;
    run.now = run.state.updatedAt;
    return run;
  };

  test('follows them after a vote has begun', () => {
    const run = resume(before.voting);
    expect(waitingSteps(workflow, run.state)[0]?.exceptIds.toSorted()).toEqual(['ann', 'bob', 'cem']);
    for (const person of ['ann', 'bob']) expect(run.refusal(approve('check'), person).code).toBe('separate_from');
    expect(run.refusal(approve('check'), 'cem').code).toBe('already_voted');
    expect(run.act(skip('check'), 'eva')).toEqual(['step_skip_agreed check']);
    expect(run.act(approve('check'), 'dee')).toContain('step_completed check');
  });

  test('follows them while it is paused', () => {
    const run = resume(before.paused);
    run.now += 8 * 24 * 3_600_000;
    expect(run.act({ type: 'watch_clocks', againAfterMs: null }, 'system')).toEqual(['run_pause_escalated']);
    run.act({ type: 'resume' });
    expect(run.act(approve('check'), 'dee')).toContain('step_completed check');
  });

  test('follows them after a rejection', () => {
    const run = resume(before.rejected);
    const retry = { type: 'retry', stepId: 'check' } as const;
    expect(run.refusal(retry, 'ann').code).toBe('rejected_cannot_retry');
    run.act(retry, 'dee');
    expect(run.step('check')).toMatchObject({ rejected: { by: null, comments: 'Rejected by dee: not yet' } });
  });

  test('follows them while its input waits for approval', () => {
    const run = resume(before.submitted);
    expect(run.act(skip('report'), 'ann')).toEqual(['step_skip_agreed report']);
    expect(run.act(approve('report'), 'bob')).toContain('run_completed');
  });
});
