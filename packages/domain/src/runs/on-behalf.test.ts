import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { decide } from './decide.ts';
import { decisionMarks, unprovedIn } from './decision-marks.ts';
import { graphOfVersion } from '../workflows/graph.ts';
import { actorOf, approval, approve, done, reject, Scenario } from './run.scenario.ts';
import {
  actingFor,
  actingTogether,
  actorInWords,
  asProvedNow,
  isSamePerson,
  isUncertainTie,
  peopleBehind,
  type ProofsNow,
  type RunActor,
} from './state.ts';
import { waitingSteps } from './waiting.ts';
import type { RunCommand } from './commands.ts';

const benForMara = actingFor(actorOf('ben'), actorOf('mara'));

/** Decides a command of this actor; the scenario continues if it is accepted. Returns the refusal's code, or null. */
function act(run: Scenario, command: RunCommand, actor: RunActor): string | null {
  run.now += 60_000;
  const decision = decide(run.workflow, run.state, command, { at: run.now, actor });
  if (!decision.ok) return decision.refusal.code;
  run.state = decision.state;
  run.facts.push(...decision.facts);
  return null;
}

const twoVotes = () =>
  new Scenario(
    stepsOf({ z: '', y: '' }, { z: approval({ minimumApprovers: 3 }), y: approval({ separateFrom: true }) }),
  );

describe('an actor who acts for someone', () => {
  test('is named together with the delegator', () => {
    expect(actorInWords(benForMara)).toBe('ben for mara');
    expect(actorInWords(actorOf('ben'))).toBe('ben');
    expect(benForMara.onBehalfOf).toEqual({ id: 'mara', name: 'mara', email: 'mara@example.com' });
  });

  test('counts as the same person as the delegate, the delegator, and everyone who acts for either', () => {
    const ids = fc.subarray(['ben', 'mara', 'cem', 'dee', 'eve'], { minLength: 1 });
    const actor = ids.map(([id = '', ...also]): RunActor => ({ ...actorOf(id), ...(also.length > 0 && { also }) }));
    fc.assert(
      fc.property(actor, actor, actor, (delegate, delegator, other) => {
        const both = actingFor(delegate, delegator);
        expect(isSamePerson(both, other)).toBe(isSamePerson(delegate, other) || isSamePerson(delegator, other));
        expect(new Set(peopleBehind(both)).size).toBe(peopleBehind(both).length);
        expect(peopleBehind(both)[0]).toBe(delegate.id);
      }),
    );
  });

  test('never counts as independent of a person on whom the proof of either account depends', () => {
    const z = stepsOf({ z: '' }, { z: approval({ minimumApprovers: 2 }) });
    const marksAfter = (first: RunActor, by: RunActor) => {
      const run = new Scenario(z);
      expect(act(run, approve('z'), first)).toBeNull();
      const step = run.workflow.steps[0];
      if (!step) throw new Error('no step');
      const graph = graphOfVersion(run.workflow.steps);
      return decisionMarks({ graph, state: run.state, step, act: 'approve', by, proofs: new Map(), added: null }).marks;
    };
    const vouched = (id: string, ...vouchedBy: string[]): RunActor => ({ ...actorOf(id), vouchedBy });
    expect(marksAfter(benForMara, actorOf('cem'))).toEqual([]);
    expect(marksAfter(actingFor(vouched('ben', 'olga'), actorOf('mara')), actorOf('olga'))).toEqual([
      'voter_not_proved',
    ]);
    expect(marksAfter(actingFor(actorOf('ben'), vouched('mara', 'olga')), actorOf('olga'))).toEqual([
      'voter_not_proved',
    ]);
    expect(marksAfter(actorOf('olga'), actingFor(actorOf('ben'), vouched('mara', 'olga')))).toEqual([
      'voter_not_proved',
    ]);
    expect(marksAfter(benForMara, vouched('cem', 'mara'))).toEqual(['voter_not_proved']);
    // Another account of Mara's mailbox that is newer than the first vote.
    expect(marksAfter(benForMara, vouched('cem', 'mara', 'mara2'))).toEqual(['voter_not_proved']);
    expect(marksAfter(vouched('cem', 'mara', 'mara2'), benForMara)).toEqual(['voter_not_proved']);
    expect(marksAfter(benForMara, vouched('cem', 'olga'))).toEqual([]);
    // The same person vouches for Mara and Cem, so it doesn't matter who acts for Mara.
    const sameVoucher = actingFor(actorOf('ben'), vouched('mara', 'olga'));
    expect(marksAfter(sameVoucher, vouched('cem', 'olga'))).toEqual(['voter_not_proved']);
    expect(marksAfter(vouched('cem', 'olga'), sameVoucher)).toEqual(['voter_not_proved']);
    expect(marksAfter(sameVoucher, vouched('cem', 'tom'))).toEqual([]);
  });
});

describe('people who acted together', () => {
  const vouched = (id: string, ...vouchedBy: string[]): RunActor => ({ ...actorOf(id), vouchedBy });
  const both = actingFor(vouched('ben', 'olga'), vouched('mara', 'tom'));
  const judged = (run: Scenario, by: RunActor, proofs: ProofsNow = new Map()) => {
    const step = run.workflow.steps.find(({ id }) => id === 'z');
    if (!step) throw new Error('no step');
    const graph = graphOfVersion(run.workflow.steps);
    return decisionMarks({ graph, state: run.state, step, act: 'approve', by, proofs, added: null });
  };
  const voted = () => new Scenario(stepsOf({ z: '' }, { z: approval({ minimumApprovers: 2 }) }));
  const worked = () => new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval({ separateFrom: true }) }));

  test.each([
    ['a vote', voted, approve('z'), 'voter_not_proved'],
    ['work', worked, done('a'), 'doer_not_proved'],
  ] as const)('are compared by the current proof of each of them, after %s', (_, scene, command, mark) => {
    const run = scene();
    expect(act(run, command, both)).toBeNull();
    expect(unprovedIn(run.state)).toEqual(['ben', 'mara']);
    const [olga, tom] = [actorOf('olga'), actorOf('tom')];
    expect(judged(run, olga)).toEqual({ marks: [mark], who: [{ id: 'ben', name: 'ben' }] });
    expect(judged(run, tom)).toEqual({ marks: [mark], who: [{ id: 'mara', name: 'mara' }] });
    const benProved: ProofsNow = new Map([['ben', {}]]);
    expect(judged(run, olga, benProved)).toEqual({ marks: [], who: [] });
    expect(judged(run, tom, benProved).marks).toEqual([mark]);
    expect(judged(run, vouched('cem', 'ben'), benProved)).toEqual({ marks: [mark], who: [{ id: 'cem', name: 'cem' }] });
    const maraUnproved: ProofsNow = new Map([...benProved, ['mara', { unproved: true }]]);
    expect(judged(run, olga, maraUnproved)).toEqual({ marks: [mark], who: [{ id: 'mara', name: 'mara' }] });
    for (const by of [olga, tom])
      expect(judged(run, by, new Map([...benProved, ['mara', {}]]))).toEqual({ marks: [], who: [] });
  });
});

test('a later step names the person whose proof is missing, not the delegate or receiver of the approval', () => {
  const vouched = (id: string, by: string): RunActor => ({ ...actorOf(id), name: id.toUpperCase(), vouchedBy: [by] });
  const run = new Scenario(stepsOf({ y: 'z', z: '' }, { y: approval({}), z: approval({ separateFrom: true }) }));
  expect(act(run, approve('y'), actingTogether(actorOf('olga'), [vouched('rick', 'dora')]))).toBeNull();
  const step = run.workflow.steps.find(({ id }) => id === 'z');
  if (!step) throw new Error('no step');
  const graph = graphOfVersion(run.workflow.steps);
  const question = { graph, state: run.state, step, act: 'approve', proofs: new Map(), added: null } as const;
  expect(decisionMarks({ ...question, by: actorOf('dora') })).toEqual({
    marks: ['doer_not_proved'],
    who: [{ id: 'rick', name: 'RICK' }],
  });
});

test('people who acted together keep every proof if an old record doesn’t say whose they are', () => {
  const vouched = (id: string, by: string): RunActor => ({ ...actorOf(id), vouchedBy: [by] });
  const { people: _, ...old } = actingFor(vouched('ben', 'olga'), vouched('mara', 'tom'));
  const taken = actingTogether(actorOf('cem'), [old]);
  expect(asProvedNow(taken, new Map([['ben', {}]])).proofs).toEqual([['cem'], ['olga'], ['tom']]);
});

test('acting for someone unproved counts as unproved; only ties to that person and their sure inviters are certain', () => {
  const unproved = { ...actorOf('mara'), also: ['olga', 'tom'], unproved: true as const, sureInviters: ['olga'] };
  const both = actingFor(actorOf('ben'), unproved);
  expect(both).toMatchObject({ unproved: true, proofs: [['ben'], []] });
  for (const sure of ['mara', 'olga']) expect(isUncertainTie(both, actorOf(sure))).toBe(false);
  expect(isUncertainTie(both, actorOf('tom'))).toBe(true);
});

describe('a vote for someone', () => {
  test('uses up both votes', () => {
    const run = twoVotes();
    expect(act(run, approve('z'), benForMara)).toBeNull();
    for (const id of ['ben', 'mara']) expect(act(run, approve('z'), actorOf(id))).toBe('already_voted');
    expect(act(run, approve('z'), actingFor(actorOf('ben'), actorOf('mike')))).toBe('already_voted');
    expect(act(run, approve('z'), actingFor(actorOf('cem'), actorOf('mara')))).toBe('already_voted');
    expect(act(run, { type: 'skip', stepId: 'z', reason: 'no' }, actorOf('mara'))).toBe('already_voted');
    const [waiting] = waitingSteps(run.workflow, run.state);
    expect(waiting).toMatchObject({ stepId: 'z', exceptIds: ['ben', 'mara'], needs: { people: 2 } });
    expect(act(run, approve('z'), actorOf('cem'))).toBeNull();
  });

  test('is refused after the delegate or the delegator has voted, but the other one can still vote', () => {
    for (const id of ['ben', 'mara']) {
      const run = twoVotes();
      expect(act(run, approve('z'), actorOf(id))).toBeNull();
      expect(act(run, approve('z'), benForMara)).toBe('already_voted');
      expect(act(run, approve('z'), actorOf(id === 'ben' ? 'mara' : 'ben'))).toBeNull();
    }
  });

  test('names both people in the step’s output and in the failure', () => {
    const run = new Scenario(stepsOf({ y: 'z', z: '' }, { y: approval(), z: approval() }));
    act(run, approve('y'), benForMara);
    expect(run.step('y')).toMatchObject({ output: { approvers: ['ben for mara'] } });
    act(run, reject('z', 'no'), benForMara);
    expect(run.state).toMatchObject({ status: 'failed', reason: 'Rejected by ben for mara: no' });
  });
});

describe('work for someone', () => {
  const steps = () => stepsOf({ a: 'z', z: '' }, { z: approval({ separateFrom: true }) });

  test('can’t be approved by the delegate, the delegator or anyone who acts for either', () => {
    const run = new Scenario(steps());
    expect(act(run, done('a'), benForMara)).toBeNull();
    for (const actor of [
      actorOf('ben'),
      actorOf('mara'),
      actingFor(actorOf('cem'), actorOf('mara')),
      actingFor(actorOf('ben'), actorOf('cem')),
    ])
      expect(act(run, approve('z'), actor)).toBe('separate_from');
    expect(act(run, approve('z'), actorOf('cem'))).toBeNull();
  });

  test('can’t be decided by the person who did it, neither through a delegate nor as a delegate', () => {
    const run = new Scenario(steps());
    act(run, done('a'), actorOf('mara'));
    expect(act(run, approve('z'), benForMara)).toBe('separate_from');
    expect(act(run, approve('z'), actingFor(actorOf('mara'), actorOf('ben')))).toBe('separate_from');
    expect(act(run, approve('z'), actorOf('ben'))).toBeNull();
  });

  test('needs the approval of someone else', () => {
    const run = new Scenario(stepsOf({ a: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }));
    act(run, done('a'), benForMara);
    for (const id of ['ben', 'mara']) expect(act(run, approve('a'), actorOf(id))).toBe('own_submission');
    expect(act(run, approve('a'), actingFor(actorOf('cem'), actorOf('mara')))).toBe('own_submission');
    expect(act(run, approve('a'), actorOf('cem'))).toBeNull();
  });

  test('still counts as the delegator’s after the delegate agrees to skip the step', () => {
    const run = new Scenario(
      stepsOf(
        { a: 'z', z: '' },
        { a: { type: 'manual', config: { requiresApproval: true } }, z: approval({ separateFrom: true }) },
      ),
    );
    act(run, done('a'), benForMara);
    expect(act(run, { type: 'skip', stepId: 'a', reason: 'no' }, actorOf('cem'))).toBeNull();
    expect(act(run, { type: 'skip', stepId: 'a', reason: 'no' }, actorOf('ben'))).toBeNull();
    expect(run.step('a').state).toBe('skipped');
    for (const id of ['ben', 'mara', 'cem']) expect(act(run, approve('z'), actorOf(id))).toBe('separate_from');
  });

  test('can’t be skipped by its authors alone', () => {
    const run = new Scenario(stepsOf({ a: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }));
    const skip = { type: 'skip', stepId: 'a', reason: 'no' } as const;
    expect(act(run, skip, actorOf('mara'))).toBeNull();
    act(run, done('a'), benForMara);
    expect(act(run, skip, actorOf('ben'))).toBe('own_submission');
    expect(act(run, skip, actorOf('cem'))).toBeNull();
    expect(run.step('a').state).toBe('skipped');
  });

  test('can’t be retried by either person after its rejection', () => {
    const run = new Scenario(steps());
    act(run, done('a'), benForMara);
    act(run, reject('z', 'no'), actorOf('cem'));
    for (const id of ['ben', 'mara'])
      expect(act(run, { type: 'retry', stepId: 'z' }, actorOf(id))).toBe('rejected_cannot_retry');
  });
});
