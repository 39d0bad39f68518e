import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { done, Scenario } from './run.scenario.ts';
import { isDecision } from './person-steps.ts';
import { namesOf, waitingSteps } from './waiting.ts';

const step = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  type: 'manual',
  title: id,
  description: '',
  assignee: 'Unassigned',
  sla: '',
  config: {},
  next: [],
  ...more,
});
const waits = (run: Scenario) =>
  waitingSteps(run.workflow, run.state).map(({ stepId, who, exceptIds }) => ({ stepId, who, exceptIds }));

test('waitingSteps returns the number of missing approvals, and who may decide if a step names too few people', () => {
  const run = new Scenario([
    step('a', { type: 'approval', assignee: 'ann@example.com', config: { minimumApprovers: 2 } }),
    step('b', { assignee: 'viewer', config: { requiresApproval: true } }),
    step('c', { assignee: 'viewer' }),
    step('d'),
  ]);
  const needs = () => waitingSteps(run.workflow, run.state).map((waiting) => waiting.needs);
  const one = { people: 1, otherwise: 'helpers' };
  const open = { people: 1, otherwise: 'permission:step.act_any' };
  expect(needs()).toEqual([{ people: 2, otherwise: 'permission:step.stand_in' }, one, one, open]);
  run.act({ type: 'approve', stepId: 'a' }, 'ann');
  run.act(done('b'), 'bob');
  expect(needs()).toEqual([{ people: 1, otherwise: 'permission:step.stand_in' }, one, one, open]);
});

test('waitingSteps returns how many agreements a skip still needs, and whom it doesn’t expect to agree', () => {
  const run = new Scenario([
    step('a', { type: 'approval', assignee: 'reviewer', config: { minimumApprovers: 3 } }),
    step('b', { config: { requiresApproval: true } }),
    step('c'),
  ]);
  run.act({ type: 'approve', stepId: 'a' }, 'ann');
  run.act({ type: 'skip', stepId: 'a', reason: 'not needed' }, 'bob');
  run.act(done('b'), 'cem');
  const skips = waitingSteps(run.workflow, run.state).map(({ needs, skip }) => [needs.people, skip]);
  expect(skips).toEqual([
    [2, { people: 2, exceptIds: ['ann', 'bob'] }],
    [1, { people: 2, exceptIds: ['cem'] }],
    [1, { people: 1, exceptIds: [] }],
  ]);
});

test('waitingSteps marks steps that wait for a vote or an approval of input as decisions', () => {
  const run = new Scenario([
    step('a', { type: 'approval' }),
    step('b', { config: { requiresApproval: true } }),
    step('c', { config: { requiresApproval: true } }),
  ]);
  run.act(done('b'), 'ann');
  expect(waitingSteps(run.workflow, run.state).map(({ isDecision: decides }) => decides)).toEqual([true, true, false]);
  const [vote, input] = run.workflow.steps as [Step, Step];
  const acts = ['complete', 'approve', 'reject', 'skip'] as const;
  expect(acts.map((act) => isDecision(vote, act))).toEqual([true, true, true, true]);
  expect(acts.map((act) => isDecision(input, act))).toEqual([false, true, true, true]);
  expect(isDecision(step('d'), 'skip')).toBe(false);
});

describe('a step', () => {
  test.each([
    ['the person it is assigned to', { assignee: ' Ann@Example.com ' }, ['ann@example.com']],
    ['members with the role it is assigned to', { assignee: 'Reviewer' }, ['role:reviewer']],
    [
      'both its assignee and the role in its settings',
      { assignee: 'ann@example.com', config: { assignedRole: 'editor' } },
      ['ann@example.com', 'role:editor'],
    ],
    [
      'a role once, even if it is named twice',
      { assignee: 'editor', config: { assignedRole: 'editor' } },
      ['role:editor'],
    ],
    ['everyone who may vote if it is an unassigned approval', { type: 'approval' }, ['permission:step.act_approval']],
    ['everyone who may act on any step if it is unassigned', {}, ['permission:step.act_any']],
    [
      'everyone who may act on any step if its assignee isn’t a person',
      { assignee: 'system' },
      ['permission:step.act_any'],
    ],
  ])('waits for %s', (_, more, who) => {
    expect(waits(new Scenario([step('a', more as Partial<Step>)]))).toEqual([{ stepId: 'a', who, exceptIds: [] }]);
  });

  test('waits for nobody if the server executes it', () => {
    expect(waits(new Scenario([step('a', { type: 'automated', assignee: 'ann@example.com' })]))).toEqual([]);
  });

  test('waits for nobody while the run is paused or over', () => {
    const run = new Scenario([step('a', { assignee: 'editor' })]);
    run.act({ type: 'pause' });
    expect(waits(run)).toEqual([]);
    run.act({ type: 'resume' });
    expect(waits(run)).toHaveLength(1);
    run.act({ type: 'cancel', reason: 'over' });
    expect(waits(run)).toEqual([]);
  });

  test('doesn’t wait for people who have voted', () => {
    const run = new Scenario([step('a', { type: 'approval', assignee: 'reviewer', config: { minimumApprovers: 2 } })]);
    run.act({ type: 'approve', stepId: 'a' }, 'bob');
    expect(waits(run)).toEqual([{ stepId: 'a', who: ['role:reviewer'], exceptIds: ['bob'] }]);
  });

  test('doesn’t wait for people who completed the previous step if it requires separation of duties', () => {
    const run = new Scenario([
      step('a', { next: ['b'] }),
      step('b', { type: 'approval', assignee: 'reviewer', config: { separateFrom: true } }),
    ]);
    run.act(done('a'), 'bob');
    expect(waits(run)).toEqual([{ stepId: 'b', who: ['role:reviewer'], exceptIds: ['bob'] }]);
  });

  test('waits only while it is active', () => {
    const run = new Scenario([
      step('a', { assignee: 'ann@example.com', next: ['b'] }),
      step('b', { assignee: 'editor' }),
    ]);
    expect(waits(run).map(({ stepId }) => stepId)).toEqual(['a']);
    run.act(done('a'));
    expect(waits(run).map(({ stepId }) => stepId)).toEqual(['b']);
  });

  test('waits for the person who did the previous step, unless it requires separation of duties', () => {
    const approval = (separateFrom: boolean) =>
      step('b', { type: 'approval', assignee: 'reviewer', config: { separateFrom } });
    const open = new Scenario([step('a', { next: ['b'] }), approval(false)]);
    open.act(done('a'), 'bob');
    expect(waits(open)).toEqual([{ stepId: 'b', who: ['role:reviewer'], exceptIds: [] }]);
    const skipped = new Scenario([step('a', { next: ['b'] }), approval(true)]);
    skipped.act({ type: 'skip', stepId: 'a', reason: 'not needed' }, 'bob');
    expect(waits(skipped)).toEqual([{ stepId: 'b', who: ['role:reviewer'], exceptIds: ['bob'] }]);
  });

  test('doesn’t wait for people who submitted, approved or voted in previous steps if it requires separation of duties', () => {
    const run = new Scenario([
      step('a', { next: ['z'], config: { requiresApproval: true } }),
      step('b', { type: 'approval', next: ['z'], config: { minimumApprovers: 2 } }),
      step('z', { type: 'approval', assignee: 'reviewer', config: { separateFrom: true, minimumApprovers: 9 } }),
    ]);
    run.act(done('a'), 'bob');
    run.act({ type: 'approve', stepId: 'a' }, 'cem');
    run.act({ type: 'approve', stepId: 'b' }, 'dan');
    run.act({ type: 'approve', stepId: 'b' }, 'eva');
    run.act({ type: 'approve', stepId: 'z' }, 'fay');
    expect(waits(run)[0]?.exceptIds.toSorted()).toEqual(['bob', 'cem', 'dan', 'eva', 'fay']);
  });

  test('waits for its assignees except the person who submitted its input, or for helpers if nobody is left', () => {
    const config = { requiresApproval: true };
    const ofAnn = new Scenario([step('a', { assignee: 'ann@example.com', config })]);
    ofAnn.act(done('a'), 'bob');
    expect(waits(ofAnn)).toEqual([{ stepId: 'a', who: ['ann@example.com'], exceptIds: ['bob'] }]);
    const ofBoth = new Scenario([
      step('a', { assignee: 'bob@example.com', config: { ...config, assignedRole: 'editor' } }),
    ]);
    ofBoth.act(done('a'), 'bob');
    expect(waits(ofBoth)).toEqual([{ stepId: 'a', who: ['bob@example.com', 'role:editor'], exceptIds: ['bob'] }]);
    const inCapitals = new Scenario([step('a', { assignee: 'bob@example.com', config })]);
    inCapitals.act(done('a'), 'Bob');
    expect(waits(inCapitals)).toEqual([{ stepId: 'a', who: ['helpers'], exceptIds: ['Bob'] }]);
  });

  test('waits for others with its role, or for helpers, after its assignee submitted the input', () => {
    const byRole = new Scenario([step('a', { assignee: 'editor', config: { requiresApproval: true } })]);
    byRole.act(done('a'), 'bob');
    expect(waits(byRole)).toEqual([{ stepId: 'a', who: ['role:editor'], exceptIds: ['bob'] }]);
    const inPerson = new Scenario([step('a', { assignee: 'bob@example.com', config: { requiresApproval: true } })]);
    inPerson.act(done('a'), 'bob');
    expect(waits(inPerson)).toEqual([{ stepId: 'a', who: ['helpers'], exceptIds: ['bob'] }]);
    const asTyped = new Scenario([step('a', { assignee: 'bob@ｅxample.com', config: { requiresApproval: true } })]);
    asTyped.act(done('a'), 'bob');
    expect(waits(asTyped)).toEqual([{ stepId: 'a', who: ['helpers'], exceptIds: ['bob'] }]);
  });
});

test('namesOf returns the email, id, role, groups and permissions by which a person’s tasks are found', () => {
  const person = { id: 'ann', email: 'Ann@x.de ', orgRole: 'editor', groups: [{ slug: 'finance' }] };
  expect(namesOf({ ...person, permissions: ['draft.edit', 'step.act_any'] })).toEqual([
    'ann@x.de',
    'user:ann',
    'role:editor',
    'group:finance',
    'permission:step.act_any',
    'helpers',
  ]);
});

test('a step waits for everyone it names: addresses, groups, roles and the starter of the run', () => {
  const assignee = 'Bob@example.com, group:Finance, reviewer, starter';
  const run = new Scenario([
    step('a', { assignee, config: { requiresApproval: true } }),
    step('b', { type: 'approval', assignee: 'group:legal', config: { separateFrom: true } }),
    step('c', { assignee: 'bob@example.com, ann@example.com', config: { requiresApproval: true } }),
  ]);
  const starter = run.state.startedBy.id;
  const whoOf = (id: string) => waits(run).find(({ stepId }) => stepId === id)?.who;
  expect(whoOf('a')).toEqual(['bob@example.com', 'role:reviewer', 'group:finance', `user:${starter}`]);
  expect(whoOf('b')).toEqual(['group:legal']);
  // The other person with an address can approve the input, so nobody has to help.
  run.act(done('c'), 'bob');
  expect(whoOf('c')).toEqual(['bob@example.com', 'ann@example.com']);
});

test('a waiting approval with separation of duties lists the people who did the work', () => {
  const run = new Scenario([
    step('a', { next: ['b'] }),
    step('b', { type: 'approval', assignee: 'group:finance', config: { separateFrom: true } }),
  ]);
  run.act(done('a'), 'bob');
  expect(waitingSteps(run.workflow, run.state)).toMatchObject([{ doerIds: ['bob'], uncertainDoerIds: [] }]);
});

test('an approval with named approvers also waits for owners and admins once it is 24 hours overdue, or 24 working hours', () => {
  const run = new Scenario([
    step('named', { type: 'approval', assignee: 'reviewer', sla: '2h' }),
    step('open', { type: 'approval', sla: '2h' }),
    step('endless', { type: 'approval', assignee: 'reviewer' }),
    step('manual', { assignee: 'editor', sla: '2h' }),
  ]);
  const hours = (n: number) => n * 3_600_000;
  const moments = waitingSteps(run.workflow, run.state).map(({ standInAt: at }) => at);
  expect(moments).toEqual([hours(26), null, null, null]);
  // A working day has 8 hours (9:00 to 17:00), so 24 working hours end at 17:00 on the third day.
  const week = Array.from({ length: 7 }, () => [{ from: 9 * 60, to: 17 * 60 }]);
  const [named] = waitingSteps(run.workflow, run.state, { timeZone: 'UTC', week, holidays: [] });
  expect(named?.standInAt).toBe(hours(2 * 24 + 17));
});
