import { describe, expect, test } from 'vitest';
import type { WorkCalendar } from '../sla/calendar.ts';
import type { Step } from '../steps/index.ts';
import { type RunState, SYSTEM_ACTOR } from './state.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { applyFacts } from './apply.ts';
import type { RunCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { RunFact } from './facts.ts';
import { actorOf, done, ran, Scenario } from './run.scenario.ts';

const MINUTE = 60_000;
const dated = { at: 9 * MINUTE, by: SYSTEM_ACTOR };
const automated: Partial<Step> = { type: 'automated', config: {} };
const DAY_AND_NIGHT: WorkCalendar = {
  timeZone: 'UTC',
  week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]),
  holidays: [],
};

describe('applying an impossible fact', () => {
  const run = () => new Scenario(stepsOf({ a: 'b', b: '' }, { a: { sla: '1m' } }));
  const of = (stepId: string, activation = 1) => ({ stepId, activation, ...dated });

  test.each<[string, RunFact, string]>([
    [
      'a risk of a waiting step',
      { type: 'sla_at_risk', ...of('b'), crossedAt: 1 },
      'sla_at_risk of b, which is waiting',
    ],
    ['a reminder of a waiting step', { type: 'sla_reminded', ...of('b'), reminders: 1 }, 'which is waiting'],
    [
      'a reminder before the breach',
      { type: 'sla_reminded', ...of('a'), reminders: 1 },
      'A reminder comes after a breach',
    ],
    [
      'a vote on a waiting step',
      { type: 'step_approved', ...of('b'), comments: null, votes: 1, required: 1 },
      'which is waiting',
    ],
    ['a failure of a waiting step', { type: 'step_failed', ...of('b'), reason: 'x' }, 'which is waiting'],
    ['a skip of a waiting step', { type: 'step_skipped', ...of('b'), reason: null, onward: true }, 'which is waiting'],
    [
      'a submission to a waiting step',
      { type: 'step_submitted', ...of('b'), output: {}, notes: null },
      'which is waiting',
    ],
    ['a return of a waiting step', { type: 'step_returned', ...of('b'), comments: 'x' }, 'which is waiting'],
    [
      'a reset of a step that doesn’t exist',
      { type: 'step_reset', ...of('x') },
      "step_reset of a step that the run doesn't have: x",
    ],
  ])('throws an error for %s: %s', (_, fact, message) => {
    const { workflow, state } = run();
    expect(() => applyFacts(workflow, state, [fact])).toThrow(message);
  });

  test('throws an error if there are no facts or no start', () => {
    const { workflow } = run();
    const none = null as unknown as RunState;
    expect(() => applyFacts(workflow, none, [])).toThrow('A run begins with run_started');
    expect(() => applyFacts(workflow, none, [{ type: 'step_reset', ...of('a') }])).toThrow(
      'step_reset before run_started',
    );
  });
});

describe('a clock’s notification state', () => {
  test('is stored even if the step was skipped late, before the check', () => {
    const run = new Scenario(stepsOf({ a: '', z: '' }, { a: { sla: '1m' }, z: { sla: '1h' } }));
    run.now = 5 * MINUTE;
    run.act({ type: 'skip', stepId: 'a', reason: 'not needed' });
    run.act({ type: 'watch_clocks', againAfterMs: null }, 'system');
    expect(run.step('a')).toMatchObject({
      state: 'skipped',
      clock: { told: { state: 'breached', againAfterMs: null, reminders: 0 } },
      slaVerdict: 'breached',
    });
  });

  test('doesn’t exist for a step that was skipped with its branch, because it has no clock', () => {
    const { workflow, state } = new Scenario(stepsOf({ a: '' }));
    const skipped: RunFact = {
      type: 'step_skipped',
      stepId: 'a',
      activation: 1,
      ...dated,
      reason: null,
      onward: false,
    };
    const after = applyFacts(workflow, state, [skipped]);
    expect(
      applyFacts(workflow, after, [{ type: 'sla_at_risk', stepId: 'a', activation: 1, ...dated, crossedAt: 1 }]),
    ).toEqual({
      ...after,
      updatedAt: dated.at,
    });
  });
});

describe('a run', () => {
  const commands: readonly [RunCommand, string][] = [
    [{ type: 'pause' }, 'ann'],
    [{ type: 'resume' }, 'ann'],
    [done('a'), 'ann'],
    [{ type: 'approve', stepId: 'a', comments: ' ' }, 'bob'],
    [{ type: 'fail_step', stepId: 'b', activation: 1, reason: 'x', simulated: true, log: ['one'] }, 'system'],
    [{ type: 'retry', stepId: 'b' }, 'ann'],
    [{ type: 'fail_step', stepId: 'b', activation: 2, reason: 'x' }, 'system'],
    [{ type: 'retry', stepId: 'b' }, 'ann'],
    [{ ...ran('b', { n: 1 }), activation: 3, log: [] }, 'system'],
    [{ type: 'watch_clocks', againAfterMs: MINUTE }, 'system'],
    [{ type: 'skip', stepId: 'c', reason: ' late ' }, 'ann'],
    [{ type: 'approve', stepId: 'd' }, 'ann'],
  ];
  const workflow = {
    steps: stepsOf(
      { a: 'b', b: 'c', c: 'd', d: '' },
      {
        a: { config: { requiresApproval: true }, sla: '4m' },
        b: { ...automated, sla: '20m' },
        c: { sla: '1h' },
        d: { type: 'approval', config: {} },
      },
    ),
  };

  test.each([
    ['in elapsed time', null],
    ['in working hours', DAY_AND_NIGHT],
  ])('is always plain JSON and can be replayed from its facts (%s)', (_, calendar) => {
    let state: RunState | null = null;
    const facts: RunFact[] = [];
    let at = 1_000_000;
    for (const [command, name] of [[{ type: 'start' }, 'ann'] as [RunCommand, string], ...commands]) {
      at += 3 * MINUTE;
      const decision = decide(workflow, state, command, { at, actor: actorOf(name), calendar });
      if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.code}`);
      for (const fact of decision.facts) {
        expect(JSON.parse(JSON.stringify(fact))).toStrictEqual(fact);
        state = applyFacts(workflow, state, [fact]);
        expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
        facts.push(fact);
      }
      expect(decision.state).toStrictEqual(state);
    }
    const [first, ...others] = facts;
    if (!first || !state) throw new Error('no facts');
    expect(applyFacts(workflow, null, [first, ...others])).toStrictEqual(state);
    expect(state.status).toBe('completed');
    const failures = facts.filter((fact) => fact.type === 'step_failed');
    expect(failures.map((fact) => [fact.simulated, fact.log])).toEqual([
      [true, ['one']],
      [undefined, undefined],
    ]);
    const counted = facts.filter((fact) => 'usedShare' in fact && fact.usedShare !== undefined);
    expect(counted).toHaveLength(calendar ? 2 : 0);
    const deadlines = facts.filter((fact) => 'riskAt' in fact && fact.riskAt !== undefined);
    expect(deadlines).toHaveLength(calendar ? 5 : 0);
  });
});

describe('the used share of an SLA', () => {
  const OFFICE: WorkCalendar = { ...DAY_AND_NIGHT, week: [...DAY_AND_NIGHT.week.slice(0, 5), [], []] };
  const friday = Date.parse('2026-11-20T10:00:00Z');
  const hours = (count: number): number => friday + count * 60 * MINUTE;
  const workflow = { steps: stepsOf({ a: '' }, { a: { sla: '1h' } }) };
  /** Returns the stored share; -1 if there is none. */
  const used = (...commands: readonly [RunCommand, number, WorkCalendar | null][]): number => {
    let state: RunState | null = null;
    for (const [command, at, calendar] of commands) {
      const decision = decide(workflow, state, command, { at, actor: actorOf('ann'), calendar });
      if (!decision.ok) throw new Error(decision.refusal.code);
      state = decision.state;
      const completed = decision.facts.find((fact) => fact.type === 'step_completed');
      if (completed) return 'usedShare' in completed ? (completed.usedShare ?? -1) : -1;
    }
    throw new Error('not completed');
  };

  test('is stored only if working hours applied both at the step’s start and at its end', () => {
    expect(used([{ type: 'start' }, hours(0), OFFICE], [done('a'), hours(0.25), OFFICE])).toBe(0.25);
    expect(used([{ type: 'start' }, hours(0), OFFICE], [done('a'), hours(0.25), null])).toBe(-1);
    expect(used([{ type: 'start' }, hours(0), null], [done('a'), hours(0.25), OFFICE])).toBe(-1);
  });

  test('is absent if a pause moved all of its time to non-working days', () => {
    const pause: [RunCommand, number, WorkCalendar][] = [
      [{ type: 'pause' }, hours(2), OFFICE],
      [{ type: 'resume' }, hours(26), OFFICE],
    ];
    expect(used([{ type: 'start' }, hours(0), OFFICE], ...pause, [done('a'), hours(27), OFFICE])).toBe(-1);
  });
});
