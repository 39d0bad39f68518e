import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedAs, namesOfPerformers } from '../access/performers.ts';
import type { RunActor } from './state.ts';
import type { Step } from '../steps/index.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { applyFacts } from './apply.ts';
import type { RunCommand } from './commands.ts';
import type { RunFact } from './facts.ts';
import { decide } from './decide.ts';
import { holdersOf } from './hand-over.ts';
import { giversIn, namesNow, performersIn } from './people.ts';
import { actorOf, approval, approve, done, ran, reject, Scenario } from './run.scenario.ts';
import { waitingSteps } from './waiting.ts';

const personOf = (name: string) => ({ kind: 'person' as const, id: name, name, email: `${name}@example.com` });
const FINANCE = { kind: 'group' as const, slug: 'finance', name: 'Finance' };
const claim = (stepId: string): RunCommand => ({ type: 'claim', stepId });
const release = (stepId: string, holderId: string): RunCommand => ({ type: 'release', stepId, holderId });
const give = (stepId: string, to: string, alsoIds: string[] = []): RunCommand => ({
  type: 'hand_over',
  stepId,
  to: to === 'finance' ? FINANCE : personOf(to),
  alsoIds,
  reason: 'away',
});
/** Returns the people that a step waits for, as in `WaitingStep.who`. */
const waitsFor = (run: Scenario, stepId: string) =>
  waitingSteps(run.workflow, run.state).find((each) => each.stepId === stepId)?.who;
function stepIn(run: Scenario, id: string): Step {
  const step = run.workflow.steps.find((each) => each.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
}

describe('a manual step', () => {
  const start = () => new Scenario(stepsOf({ a: 'z', z: '' }, { a: { assignee: 'group:finance, editor' } }));

  test('waits for the person who claimed it, and after a release for the people named in its version', () => {
    const run = start();
    const before = run.state.steps['a'];
    expect(run.act(claim('a'), 'bob')).toEqual(['step_claimed a']);
    expect(waitsFor(run, 'a')).toEqual(['user:bob']);
    expect(namesNow(run.state, stepIn(run, 'a')).assignee).toBe('bob@example.com');
    expect(run.refusal(claim('a'), 'cem')).toMatchObject({ code: 'already_claimed', name: 'bob' });
    expect(run.refusal(claim('a'), 'bob').code).toBe('already_theirs');
    run.act(release('a', 'bob'), 'bob');
    expect(run.state.steps['a']).toEqual(before);
    expect(run.refusal(release('a', 'bob'), 'bob').code).toBe('not_claimed');
  });

  test('waits only for the last person or group that it was handed over to, or the person who claimed it since', () => {
    const run = start();
    run.act(claim('a'), 'bob');
    run.act(give('a', 'finance'), 'bob');
    expect(waitsFor(run, 'a')).toEqual(['group:finance']);
    expect(run.refusal(give('a', 'finance'), 'bob').code).toBe('already_theirs');
    run.act(claim('a'), 'cem');
    expect(waitsFor(run, 'a')).toEqual(['user:cem']);
    run.act(release('a', 'cem'), 'cem');
    expect(waitsFor(run, 'a')).toEqual(['group:finance']);
    run.act(give('a', 'dee'), 'cem');
    expect(waitsFor(run, 'a')).toEqual(['user:dee']);
    run.act(release('a', 'dee'), 'dee');
    expect(waitsFor(run, 'a')).toEqual(['role:editor', 'group:finance']);
  });

  test('can’t be handed over to oneself, without a reason, while inactive, or after its input was submitted', () => {
    const run = start();
    expect(run.refusal(give('a', 'bob'), 'bob').code).toBe('handed_to_oneself');
    expect(run.refusal({ ...give('a', 'bob'), reason: ' ' } as RunCommand, 'ann').code).toBe('reason_required');
    expect(run.refusal(give('z', 'bob'), 'ann').code).toBe('step_not_active');
    run.act({ type: 'pause' });
    expect(run.refusal(give('a', 'bob'), 'ann').code).toBe('run_paused');
    run.act({ type: 'resume' });
    run.act(done('a'), 'ann');
    expect(run.refusal(give('a', 'bob'), 'ann').code).toBe('step_not_active');
    const checked = new Scenario(stepsOf({ a: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }));
    checked.act(claim('a'), 'ann');
    checked.act(done('a'), 'ann');
    expect(checked.refusal(give('a', 'bob'), 'ann').code).toBe('already_submitted');
    // Returned input goes back to the person who had claimed the step.
    checked.act(reject('a', 'again'), 'bob');
    expect(waitsFor(checked, 'a')).toEqual(['user:ann']);
  });

  test('can be released if its holder leaves, even while the run is paused', () => {
    const run = start();
    run.act(claim('a'), 'bob');
    run.act({ type: 'pause' });
    expect(run.refusal(release('a', 'bob'), 'bob').code).toBe('run_paused');
    run.act({ type: 'release', stepId: 'a', holderId: 'bob', because: 'member_left' }, 'ann');
    expect(holdersOf(run.state.steps['a'])).toEqual([]);
    expect(run.facts.at(-1)).toMatchObject({ holder: { id: 'bob', name: 'bob' }, because: 'member_left' });
  });

  test('is for the people named in its version when it becomes active again', () => {
    const run = new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval({ onReject: 'a' }) }));
    run.act(claim('a'), 'bob');
    run.act(done('a'), 'bob');
    run.act(reject('z', 'again'), 'cem');
    expect(holdersOf(run.state.steps['a'])).toEqual([]);
  });
});

describe('the work of a manual step', () => {
  const start = (config: object = {}) =>
    new Scenario(stepsOf({ a: 'z', z: '' }, { z: approval({ separateFrom: true, onReject: 'a', ...config }) }));
  /** The people who handed the work over, and the marks of this person's approval. */
  const givers = (run: Scenario) => giversIn(run.step('a')).map(({ id }) => id);
  const marksOf = (run: Scenario, by: string) => {
    const decision = decide(run.workflow, run.state, approve('z'), { at: run.now, actor: actorOf(by) });
    return decision.ok ? decision.facts.flatMap((fact) => ('marks' in fact ? (fact.marks ?? []) : [])) : null;
  };

  test('names everyone who handed it over, whose approvals are marked', () => {
    const run = start();
    run.act(give('a', 'bob'), 'ann');
    run.act(give('a', 'finance'), 'bob');
    run.act(claim('a'), 'cem');
    run.act(give('a', 'dee'), 'cem');
    run.act(done('a'), 'dee');
    expect(givers(run)).toEqual(['ann', 'bob', 'cem']);
    for (const giver of ['ann', 'bob', 'cem']) expect(marksOf(run, giver)).toEqual(['handed_work_over']);
    expect(marksOf(run, 'eve')).toEqual([]);
    expect(marksOf(run, 'dee')).toBeNull();
  });

  test.each<[string, [by: string, to: string][], string[]]>([
    [
      'given back',
      [
        ['ann', 'bob'],
        ['bob', 'ann'],
      ],
      [],
    ],
    [
      'given back, and then on',
      [
        ['ann', 'bob'],
        ['bob', 'ann'],
        ['ann', 'dee'],
      ],
      ['ann'],
    ],
    [
      'given back to the one in the middle',
      [
        ['ann', 'bob'],
        ['bob', 'cem'],
        ['cem', 'dee'],
        ['dee', 'bob'],
      ],
      ['ann'],
    ],
    [
      'given twice by the same person',
      [
        ['ann', 'bob'],
        ['ann', 'dee'],
      ],
      ['ann'],
    ],
  ])('names only the people through whom it reached the person who did it, if it was %s', (_, moves, expected) => {
    const run = start();
    for (const [by, to] of moves) run.act(give('a', to), by);
    run.act(done('a'), moves.at(-1)?.[1] ?? '');
    expect(givers(run)).toEqual(expected);
  });

  test('that was released counts only as that of the people who do it', () => {
    const run = start();
    run.act(give('a', 'bob'), 'ann');
    run.act(release('a', 'bob'), 'bob');
    run.act(done('a'), 'cem');
    expect(givers(run)).toEqual([]);
  });

  test('names the givers of a skipped step, and of submitted input', () => {
    const skipped = start();
    skipped.act(give('a', 'bob'), 'ann');
    skipped.act({ type: 'skip', stepId: 'a', reason: 'not needed' }, 'bob');
    expect(givers(skipped)).toEqual(['ann']);
    expect(marksOf(skipped, 'ann')).toEqual(['handed_work_over']);
    const checked = new Scenario(stepsOf({ a: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }));
    checked.act(give('a', 'bob'), 'ann');
    checked.act(done('a'), 'bob');
    const by = { at: checked.now, actor: actorOf('ann'), isStrict: true };
    expect(decide(checked.workflow, checked.state, approve('a'), by)).toMatchObject({
      refusal: { code: 'reviewer_not_counted_yet', missing: 'handed_work_over' },
    });
    expect(waitingSteps(checked.workflow, checked.state)).toMatchObject([{ giverIds: ['ann'] }]);
    checked.act(approve('a'), 'ann');
    expect(givers(checked)).toEqual(['ann']);
    expect(checked.facts.find(({ type }) => type === 'step_approved')).toMatchObject({ marks: ['handed_work_over'] });
  });

  test('can’t be approved by its giver under strict review, and is done again after the giver’s rejection', () => {
    const run = new Scenario(
      stepsOf(
        { a: 'b', b: 'z', z: '' },
        { b: { type: 'automated' }, z: approval({ separateFrom: true, onReject: 'b' }) },
      ),
    );
    run.act(give('a', 'bob'), 'ann');
    run.act(done('a'), 'bob');
    run.act(ran('b', null), 'system');
    const by = { at: run.now, actor: actorOf('ann'), isStrict: true };
    expect(decide(run.workflow, run.state, approve('z'), by)).toMatchObject({
      refusal: { code: 'reviewer_not_counted_yet', missing: 'handed_work_over' },
    });
    const rejected = decide(run.workflow, run.state, reject('z', 'again'), by);
    expect(rejected.ok && rejected.state.steps).toMatchObject({ a: { state: 'active' }, b: { state: 'waiting' } });
  });
});

describe('an approval', () => {
  const start = (assignee = 'ann@example.com, bob@example.com', config: object = {}) => {
    const run = new Scenario(
      stepsOf(
        { a: 'z', z: '' },
        { z: { ...approval({ separateFrom: true, minimumApprovers: 2, ...config }), assignee } },
      ),
    );
    run.act(done('a'), 'eve');
    return run;
  };

  test('is handed over with only the giver’s place; the other approvers keep theirs', () => {
    const run = start();
    run.act(give('z', 'cem'), 'ann');
    expect(waitsFor(run, 'z')).toEqual(['bob@example.com', 'user:cem']);
    expect(namesNow(run.state, stepIn(run, 'z')).assignee).toBe('cem@example.com, bob@example.com');
    run.act(give('z', 'dee'), 'cem');
    expect(waitsFor(run, 'z')).toEqual(['bob@example.com', 'user:dee']);
    // Cem handed the place on, so he has none that he could release.
    expect(run.refusal(release('z', 'cem'), 'cem').code).toBe('not_claimed');
    run.act({ ...release('z', 'dee'), because: 'member_removed' } as RunCommand, 'ann');
    expect(waitsFor(run, 'z')).toEqual(['ann@example.com', 'bob@example.com']);
  });

  test('counts as that of everyone who had the place before, and none of them can vote', () => {
    const run = start();
    run.act(give('z', 'cem'), 'ann');
    run.act(give('z', 'dee'), 'cem');
    for (const giver of ['ann', 'cem'])
      for (const command of [approve('z'), reject('z', 'no'), { type: 'skip', stepId: 'z', reason: 'no' } as const])
        expect(run.refusal(command, giver)).toMatchObject({ code: 'approval_handed_over', name: 'dee' });
    run.act(approve('z'), 'dee');
    expect(run.state.steps['z']).toMatchObject({ votes: [{ by: { id: 'dee', also: ['cem', 'ann'] } }] });
    expect(run.refusal(approve('z'), 'ann').code).toBe('already_voted');
    expect(run.act(approve('z'), 'bob')).toContain('step_completed z');
  });

  test.each([
    ['to someone who did the work', 'eve', [], 'did_work'],
    ['to someone whose actions count as theirs', 'fay', ['eve'], 'did_work'],
    ['to someone who has voted', 'bob', [], 'has_voted'],
  ])('isn’t handed over %s', (_, to, also, why) => {
    const run = start('ann@example.com, viewer', { minimumApprovers: 3 });
    run.act(approve('z'), 'bob');
    expect(run.refusal(give('z', to, also), 'ann')).toMatchObject({ code: 'hand_over_barred', name: to, why });
  });

  test('can’t be handed over by someone who did the work or has used their vote, or to a group', () => {
    const run = start('ann@example.com, eve@example.com, bob@example.com', { minimumApprovers: 3 });
    expect(run.refusal(give('z', 'cem'), 'eve').code).toBe('separate_from');
    run.act(approve('z'), 'ann');
    expect(run.refusal(give('z', 'cem'), 'ann').code).toBe('already_voted');
    run.act({ type: 'skip', stepId: 'z', reason: 'no' }, 'bob');
    expect(run.refusal(give('z', 'cem'), 'bob').code).toBe('already_agreed');
    expect(run.refusal(give('z', 'finance'), 'dee').code).toBe('approval_to_group');
  });

  test('can’t be handed over to the same person’s other account, or to someone who handed over their own', () => {
    const run = start();
    expect(run.refusal(give('z', 'twin', ['ann']), 'ann').code).toBe('handed_to_oneself');
    run.act(give('z', 'cem'), 'ann');
    expect(run.refusal(give('z', 'ann'), 'bob')).toMatchObject({ code: 'hand_over_barred', why: 'has_handed_over' });
    expect(run.refusal(give('z', 'cem'), 'bob').code).toBe('already_theirs');
  });

  test('returns to each giver who takes it back', () => {
    const run = start();
    const before = run.state.steps['z'];
    run.act(give('z', 'cem'), 'ann');
    run.act(give('z', 'dee'), 'cem');
    run.act(release('z', 'dee'), 'cem');
    expect(waitsFor(run, 'z')).toEqual(['bob@example.com', 'user:cem']);
    expect(run.refusal(approve('z'), 'ann')).toMatchObject({ code: 'approval_handed_over', name: 'cem' });
    run.act(release('z', 'cem'), 'ann');
    expect(run.state.steps['z']).toEqual(before);
  });

  test('stays with a person who has approved and then leaves the organization', () => {
    const run = start();
    run.act(give('z', 'cem'), 'ann');
    run.act(approve('z'), 'cem');
    const leave: RunCommand = { type: 'release', stepId: 'z', holderId: 'cem', because: 'member_left' };
    expect(run.refusal(leave, 'cem').code).toBe('not_claimed');
    expect(run.refusal(approve('z'), 'ann').code).toBe('already_voted');
  });

  test('has a mark if it was handed over by an unproved account', () => {
    const run = start();
    const ann = { ...actorOf('ann'), unproved: true as const };
    const given = decide(run.workflow, run.state, give('z', 'cem'), { at: run.now, actor: ann });
    if (!given.ok) throw new Error('refused');
    const voted = decide(run.workflow, given.state, approve('z'), { at: run.now, actor: actorOf('cem') });
    expect(voted.ok && voted.facts[0]).toMatchObject({ marks: ['address_not_proved', 'doer_not_proved'] });
  });

  test('still ignores uncertain ties of people named by address, but not those of someone who hands it over', () => {
    // Someone else may have chosen this person's address for the account.
    const started = (twinOf: string) => {
      const run = new Scenario(
        stepsOf(
          { a: 'z', z: '' },
          { z: { ...approval({ separateFrom: true }), assignee: 'ann@example.com, bob@example.com' } },
        ),
      );
      const twin: RunActor = { ...actorOf('twin'), also: [twinOf], unproved: true };
      const decided = decide(run.workflow, run.state, done('a'), { at: run.now, actor: twin });
      if (!decided.ok) throw new Error('refused');
      run.state = decided.state;
      return run;
    };
    const run = started('bob');
    run.act(give('z', 'cem'), 'ann');
    expect(waitingSteps(run.workflow, run.state)).toMatchObject([{ exceptIds: ['ann', 'twin'] }]);
    expect(run.act(approve('z'), 'bob')).toContain('step_completed z');
    // Ann could approve with a mark, but nobody could approve in her place.
    const tied = started('ann');
    expect(tied.refusal(give('z', 'cem'), 'ann')).toMatchObject({ code: 'hand_over_barred', why: 'giver_did_work' });
    expect(tied.act(approve('z'), 'ann')).toContain('step_completed z');
  });

  test('can’t be handed over to someone who has a place by their former address', () => {
    const run = start();
    const to = { ...personOf('new'), id: 'bob' };
    const before: RunCommand = {
      type: 'hand_over',
      stepId: 'z',
      to,
      reason: 'away',
      formerEmails: ['bob@example.com'],
    };
    expect(run.refusal(before, 'ann')).toMatchObject({ code: 'already_theirs' });
  });

  test('still ignores uncertain ties of a person who is named by a former address, which isn’t recorded', () => {
    const steps = stepsOf(
      { a: 'z', z: '' },
      { z: { ...approval({ separateFrom: true }), assignee: 'old@example.com' } },
    );
    const run = new Scenario(steps);
    const twin: RunActor = { ...actorOf('twin'), also: ['bob'], unproved: true };
    const worked = decide(run.workflow, run.state, done('a'), { at: run.now, actor: twin });
    if (!worked.ok) throw new Error('refused');
    const actor = { ...actorOf('bob'), formerEmails: ['old@example.com'] };
    expect(decide(run.workflow, worked.state, approve('z'), { at: run.now, actor: actorOf('bob') })).toMatchObject({
      refusal: { code: 'separate_from' },
    });
    const voted = decide(run.workflow, worked.state, approve('z'), { at: run.now, actor });
    expect(voted.ok && voted.facts[0]).toMatchObject({ type: 'step_approved', marks: ['doer_not_proved'] });
    expect(JSON.stringify(voted)).not.toContain('old@example.com');
    const rejected = decide(run.workflow, worked.state, reject('z', 'No'), { at: run.now, actor });
    expect(rejected.ok).toBe(true);
    expect(JSON.stringify(rejected)).not.toContain('old@example.com');
  });

  test('that is handed back is in the same state as before the first hand-over', () => {
    const run = start();
    const before = run.state.steps['z'];
    run.act(give('z', 'cem'), 'ann');
    run.act(give('z', 'dee'), 'cem');
    run.act(give('z', 'ann'), 'dee');
    expect(run.state.steps['z']).toEqual(before);
  });
});

test('any sequence of claims and hand-overs replays from its facts, and never adds a place to an approval', () => {
  const people = ['ann', 'bob', 'cem', 'dee', 'eve'];
  const move = fc.record({
    by: fc.constantFrom(...people),
    to: fc.constantFrom(...people, 'finance'),
    stepId: fc.constantFrom('m', 'z'),
    what: fc.constantFrom('claim', 'release', 'give', 'give', 'approve'),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      const run = new Scenario(
        stepsOf(
          { a: 'm z', m: '', z: '' },
          { z: { ...approval({ separateFrom: true, minimumApprovers: 4 }), assignee: 'ann@example.com, starter' } },
        ),
        'bob',
      );
      run.act(done('a'), 'eve');
      const facts: RunFact[] = [...run.facts];
      for (const { by, to, stepId, what } of moves) {
        const command =
          what === 'claim'
            ? claim(stepId)
            : what === 'release'
              ? release(stepId, by)
              : what === 'approve'
                ? approve('z')
                : give(stepId, to);
        // The server lets only people with a place of their own hand an approval over.
        const place = namedAs(performersIn(run.state, stepIn(run, 'z')), { ...personOf(by), orgRole: null });
        if (what === 'give' && stepId === 'z' && place !== 'person') continue;
        const decision = run.try(command, by);
        if (decision.ok) facts.push(...decision.facts);
        const names = namesOfPerformers(performersIn(run.state, stepIn(run, 'z')));
        expect(names).toHaveLength(2);
        expect(namesOfPerformers(performersIn(run.state, stepIn(run, 'm'))).length).toBeLessThan(2);
        // No person is behind two votes.
        const step = run.state.steps['z'];
        const voters =
          step?.state === 'active' ? step.votes.flatMap((vote) => [vote.by.id, ...(vote.by.also ?? [])]) : [];
        expect(new Set(voters).size).toBe(voters.length);
        expect(voters).not.toContain('eve');
      }
      const [first, ...rest] = facts;
      if (!first) throw new Error('a run has facts');
      expect(applyFacts(run.workflow, null, [first, ...rest])).toEqual(run.state);
    }),
    { numRuns: 300 },
  );
});
