import { describe, expect, test } from 'vitest';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import type { RunCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { DecidedBy } from './ledger.ts';
import { decisionMarkWords } from './mark-words.ts';
import { actorOf, approval, approve, decided, done, reject, Scenario } from './run.scenario.ts';
import { actingFor, type RunState, stepStateOf } from './state.ts';

describe('an approval step', () => {
  const run = (config: object = {}) => {
    const scenario = new Scenario(stepsOf({ a: 'b', b: 'c', c: '' }, { b: approval(config) }));
    scenario.act(done('a'));
    return scenario;
  };

  test('is completed by one approval if no valid number of approvers is set', () => {
    for (const config of [{}, { minimumApprovers: 0 }, { minimumApprovers: Number.NaN }]) {
      expect(run(config).act(approve('b'))).toEqual(['step_approved b', 'step_completed b', 'step_activated c']);
    }
  });

  test('is completed by the required number of people, each with one vote', () => {
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

  test('treats a completion as an approval with the text as its comments', () => {
    const scenario = run();
    expect(scenario.act({ type: 'complete', stepId: 'b', output: { text: ' ok ' } }, 'bob')).toContain(
      'step_completed b',
    );
    expect(scenario.step('b')).toMatchObject({ votes: [{ comments: 'ok' }] });
    expect(run().act({ type: 'complete', stepId: 'b' }, 'bob')).toContain('step_completed b');
  });

  test('marks the vote of someone added to the group during the run, and names who added them', () => {
    const scenario = run();
    const by = { at: 1e9, actor: actorOf('bob'), added: { mark: 'added_during_run' as const, by: 'Mara' } };
    const marked = { marks: ['added_during_run'], addedBy: 'Mara' };
    const approved = decide(scenario.workflow, scenario.state, approve('b'), by);
    expect(approved).toMatchObject({ ok: true, facts: [{ type: 'step_approved', ...marked }, {}, {}] });
    expect(approved.ok && stepStateOf(approved.state, 'b')).toMatchObject({ votes: [marked] });
    const skipped = decide(scenario.workflow, scenario.state, { type: 'skip', stepId: 'b', reason: 'x' }, by);
    expect(skipped).toMatchObject({ ok: true, facts: [{ type: 'step_skipped', ...marked }, {}] });
    // A rejection doesn't get this mark, because it approves nothing.
    const rejected = decide(scenario.workflow, scenario.state, reject('b', 'no'), by);
    expect(rejected.ok && rejected.facts[0]).not.toHaveProperty('marks');
    expect(decisionMarkWords(['added_during_run'], 'Mara')).toBe('added to the group during this run by Mara');
    expect(decisionMarkWords(['role_during_run'], 'Mara')).toBe('given the role during this run by Mara');
    expect(decisionMarkWords(['role_during_run'])).toBe('given the role during this run');
    expect(decisionMarkWords(['added_by_doer'], 'Mara')).toBe('added to the group by Mara, who did the work');
    expect(decide(scenario.workflow, scenario.state, approve('b'), { ...by, isStrict: true }).ok).toBe(false);
  });

  test('needs comments for a rejection', () => {
    expect(run().refusal(reject('b', ' '))).toEqual({ code: 'comments_required', stepId: 'b' });
  });

  test('fails the run on rejection if no return step is set', () => {
    const scenario = run();
    expect(scenario.act(reject('b', 'too risky'), 'bob')).toEqual(['step_rejected b', 'step_failed b', 'run_failed b']);
    expect(scenario.state).toMatchObject({ status: 'failed', stepId: 'b', reason: 'Rejected by bob: too risky' });
    expect(scenario.act({ type: 'retry', stepId: 'b' }, 'cem')).toEqual(['step_retried b', 'step_activated b']);
    expect(scenario.act(approve('b'), 'bob')).toContain('step_completed b');
  });
});

describe('a rejection by someone who couldn’t approve because of the people behind the work', () => {
  const added = { mark: 'added_by_vouched' as const, by: 'Rick' };
  const strictly = { actor: actorOf('axel'), added, isStrict: true };
  const atCheck = (config: object = {}) => {
    const run = new Scenario(
      stepsOf({ a: 'z', p: 'q', q: 'z', z: '' }, { z: approval({ separateFrom: true, ...config }) }),
    );
    for (const id of ['a', 'p', 'q']) run.act(done(id), 'dora');
    return run;
  };
  const decideIn = (run: Scenario, ...[command, by]: [RunCommand, Omit<DecidedBy, 'at'>]) => {
    run.now += 60_000;
    const decision = decide(run.workflow, run.state, command, { at: run.now, ...by });
    if (!decision.ok) throw new Error(`Refused: ${decision.refusal.code}`);
    run.state = decision.state;
    return decision.facts;
  };
  const retry = { type: 'retry', stepId: 'z' } as const;
  const byCem = { actor: actorOf('cem'), isStrict: true };

  test('lets that work be done again after a retry under strict review', () => {
    const run = atCheck();
    expect(decideIn(run, reject('z', 'no'), strictly)[0]).toMatchObject({ approvalMark: 'added_by_vouched' });
    expect(run.step('z')).toMatchObject({ state: 'failed', rejected: { approvalMark: 'added_by_vouched' } });
    decideIn(run, retry, byCem);
    expect(run.states).toBe('a:active p:completed q:active z:waiting');
    expect(run.step('a')).toMatchObject({ activation: 2, returned: { by: { id: 'axel' }, comments: 'no' } });
  });

  test('lets it be done again in addition to the step to which the rejection returns', () => {
    const run = atCheck({ onReject: 'p' });
    decideIn(run, reject('z', 'no'), strictly);
    expect(run.states).toBe('a:active p:active q:waiting z:waiting');
  });

  test('only repeats the check if the review isn’t strict, or there is no mark about the work', () => {
    const late = { mark: 'added_during_run' as const, by: 'Rick' };
    for (const by of [
      { ...strictly, isStrict: false },
      { ...strictly, added: late },
      { ...strictly, added: null },
    ]) {
      const run = atCheck();
      expect(decideIn(run, reject('z', 'no'), by)[0]).not.toHaveProperty('approvalMark');
      decideIn(run, retry, byCem);
      expect(run.states).toBe('a:completed p:completed q:completed z:active');
    }
    const run = atCheck();
    decideIn(run, reject('z', 'no'), strictly);
    decideIn(run, retry, { ...byCem, isStrict: false });
    expect(run.states).toBe('a:completed p:completed q:completed z:active');
  });
});

describe('a rejection by someone for whom only a person behind the work vouches', () => {
  const rick = { ...actorOf('rick'), vouchedBy: ['dora'] };
  const rejected = (by: DecidedBy['actor'], isStrict = true) => {
    const run = new Scenario(stepsOf({ a: 'z', b: 'z', z: '' }, { z: approval({ separateFrom: true }) }));
    run.act(done('a'), 'dora');
    run.act(done('b'), 'hugo');
    const decideBy = (actor: DecidedBy['actor'], command: RunCommand, proofs: DecidedBy['proofs'] = new Map()) => {
      run.now += 60_000;
      const decision = decide(run.workflow, run.state, command, { at: run.now, actor, isStrict, proofs });
      if (decision.ok) run.state = decision.state;
      return decision;
    };
    return { run, decideBy, reject: () => decideBy(by, reject('z', 'no')) };
  };
  const retry = { type: 'retry', stepId: 'z' } as const;

  test('is explained to them, and lets that work be done again after a retry under strict review', () => {
    const { run, decideBy, reject: rejectIt } = rejected(rick);
    expect(decideBy(rick, approve('z'))).toMatchObject({ refusal: { missing: 'vouched_by_doer', who: ['rick'] } });
    expect(rejectIt().ok).toBe(true);
    decideBy(actorOf('cem'), retry);
    expect(run.states).toBe('a:active b:completed z:waiting');
    decideBy(actorOf('cem'), done('a'));
    expect(decideBy(rick, approve('z')).ok).toBe(true);
    expect(run.state.status).toBe('completed');
  });

  test('only repeats the check once they have proved their address, or if the review isn’t strict', () => {
    for (const [isStrict, proofs] of [
      [true, new Map([['rick', {}]])],
      [false, new Map()],
    ] as const) {
      const { run, decideBy, reject: rejectIt } = rejected(rick, isStrict);
      rejectIt();
      decideBy(actorOf('cem'), retry, proofs);
      expect(run.states).toBe('a:completed b:completed z:active');
    }
  });

  test('does so too if a delegate rejects for them, unless they have proved their address', () => {
    for (const [proofs, states] of [
      [new Map(), 'a:active b:completed z:waiting'],
      [new Map([['rick', {}]]), 'a:completed b:completed z:active'],
    ] as const) {
      const { run, decideBy, reject: rejectIt } = rejected(actingFor(actorOf('axel'), rick));
      rejectIt();
      decideBy(actorOf('cem'), retry, proofs);
      expect(run.states).toBe(states);
    }
  });

  test('names only others who must prove their addresses, if there are any', () => {
    const { decideBy, run } = rejected(rick);
    run.state = {
      ...run.state,
      steps: { ...run.state.steps, b: { ...run.step('b'), by: { ...actorOf('guest'), unproved: true } } },
    } as RunState;
    expect(decideBy(rick, approve('z'))).toMatchObject({
      refusal: { missing: 'doer_not_proved', who: ['guest', 'rick'], names: ['guest'] },
    });
  });
});

describe('a rejection that returns to an earlier step', () => {
  const links = { a: 'b p', b: 'c d', c: 'z', d: '', p: 'z', z: '' };
  const atReview = () => {
    const run = new Scenario(stepsOf(links, { z: approval({ onReject: 'b', minimumApprovers: 2 }) }));
    for (const id of ['a', 'b', 'c', 'p']) run.act(done(id));
    run.act(approve('z'), 'cem');
    expect(run.states).toBe('a:completed b:completed c:completed d:active p:completed z:active');
    return run;
  };

  test('resets only that step and its successors', () => {
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

  test('gives steps that become active again a new activation without votes', () => {
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

  test('activates the earlier step even if no branch had led to it', () => {
    const run = new Scenario(
      stepsOf(
        { q: 't f', t: 'z', f: 'z', z: '' },
        { q: { type: 'condition', config: { trueNext: 't', falseNext: 'f' } }, z: approval({ onReject: 't' }) },
      ),
    );
    run.act(decided('q', false), 'system');
    run.act(done('f'));
    run.act(reject('z', 'do t as well'), 'bob');
    expect(run.states).toBe('q:completed t:active f:completed z:waiting');
    expect(run.act(done('t'))).toEqual(['step_completed t', 'step_activated z']);
  });

  test('doesn’t reset waiting steps, and activates a step only once', () => {
    const run = new Scenario(stepsOf({ p: 'x', r: 'y', x: 'y', y: '' }, { r: approval({ onReject: 'x' }) }));
    expect(run.act(reject('r', 'x first'), 'bob')).toEqual(['step_rejected r', 'step_activated x']);
    expect(run.act(done('p'))).toEqual(['step_completed p']);
    expect(run.step('x')).toMatchObject({ state: 'active', activation: 1 });
  });
});
