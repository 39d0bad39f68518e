import { describe, expect, it } from 'vitest';
import type { Human, Owned } from '../people/humans.ts';
import type { Role } from '../people/oracle.ts';
import { type Acted, RunOracle, type StepStateName } from './oracle.ts';
import { GROUP, type PlayedStep } from './workflows.ts';

const mallory: Human = { name: 'Mallory', mailboxes: ['m@one.example'], isHonest: false };
const honest = (name: string): Human => ({ name, mailboxes: [`${name}@honest.example`], isHonest: true });
const PEOPLE: Owned[] = [
  { id: 'm', email: 'm@one.example', human: mallory },
  { id: 'm+', email: 'm+two@one.example', human: mallory },
  ...['olga', 'rita', 'rob', 'ed'].map((id) => ({ id, email: `${id}@honest.example`, human: honest(id) })),
];
const ROLES: [string, Role][] = [
  ['olga', 'owner'],
  ['rita', 'reviewer'],
  ['rob', 'reviewer'],
  ['ed', 'editor'],
  ['m', 'reviewer'],
  ['m+', 'reviewer'],
];
const step = (
  id: string,
  type: PlayedStep['type'],
  config: PlayedStep['config'],
  next: string[],
  assignee = 'Unassigned',
): PlayedStep => ({ id, type, title: id, assignee, sla: '', config, next });
const STEPS = [
  step('work', 'manual', {}, ['check']),
  step('check', 'condition', {}, ['approve']),
  step('approve', 'approval', { minimumApprovers: 2, separateFrom: true }, ['input'], 'reviewer'),
  step('input', 'manual', { requiresApproval: true }, []),
];

type Call = [by: string, action: Acted['action'], stepId: string, state: StepStateName, more?: Partial<Acted>];
function brokenIn(...calls: Call[]): string[] {
  const oracle = new RunOracle(STEPS, PEOPLE);
  for (const [id, role] of ROLES) oracle.setRole(id, role);
  let states: Record<string, StepStateName> = {
    work: 'active',
    check: 'blocked',
    approve: 'blocked',
    input: 'blocked',
  };
  return calls.flatMap(([by, action, stepId, state, more]) => {
    const before = states;
    states = {
      ...states,
      [stepId]: state,
      ...(stepId === 'work' && state !== 'active' && { check: 'completed', approve: 'active' }),
    };
    if (stepId === 'approve' && ['completed', 'skipped'].includes(state)) states['input'] = 'active';
    return oracle.record({
      by,
      action,
      stepId,
      reason: true,
      before,
      after: states,
      retriedAlone: false,
      isMarked: false,
      isStepMarked: false,
      ...more,
    });
  });
}
const worked: Call = ['ed', 'complete', 'work', 'completed'];
const approved: Call[] = [worked, ['rita', 'approve', 'approve', 'active'], ['rob', 'approve', 'approve', 'completed']];

describe('the runs oracle', () => {
  it('reports nothing if each control is passed by the people it names', () => {
    expect(
      brokenIn(...approved, ['ed', 'complete', 'input', 'active'], ['olga', 'approve', 'input', 'completed']),
    ).toEqual([]);
    expect(brokenIn(worked, ['rita', 'skip', 'approve', 'active'], ['m', 'skip', 'approve', 'skipped'])).toEqual([]);
    expect(brokenIn(worked, ['rita', 'reject', 'approve', 'failed'], ['rita', 'retry', 'approve', 'active'])).toEqual(
      [],
    );
  });

  it.each<[string, Call[], RegExp]>([
    [
      'two approvals by one human',
      [worked, ['m', 'approve', 'approve', 'active'], ['m+', 'approve', 'approve', 'completed']],
      /passed by 1 of 2/,
    ],
    ['one approval too few', [worked, ['rita', 'approve', 'approve', 'completed']], /passed by 1 of 2/],
    [
      'an approval by the person who did the work, after a server step',
      [
        ['m', 'complete', 'work', 'completed'],
        ['m', 'approve', 'approve', 'active'],
      ],
      /did the work before it/,
    ],
    [
      'an approval by another account of the person who did the work',
      [
        ['m', 'complete', 'work', 'completed'],
        ['m+', 'approve', 'approve', 'active'],
      ],
      /did the work before it/,
    ],
    [
      'an approval by the person who skipped the work',
      [
        ['rita', 'skip', 'work', 'skipped'],
        ['rita', 'approve', 'approve', 'active'],
      ],
      /did the work before it/,
    ],
    ['a skip of an approval by too few people', [worked, ['rita', 'skip', 'approve', 'skipped']], /skipped by 1 of 2/],
    ['a skip without a reason', [['ed', 'skip', 'work', 'skipped', { reason: false }]], /without a reason/],
    [
      'an approval by someone the step does not name',
      [worked, ['ed', 'approve', 'approve', 'active']],
      /names reviewer/,
    ],
    [
      'an owner who stands in although enough of the named people could',
      [worked, ['olga', 'approve', 'approve', 'active']],
      /stood in although/,
    ],
    [
      'an approval of one’s own input',
      [...approved, ['ed', 'complete', 'input', 'active'], ['ed', 'approve', 'input', 'completed']],
      /approved the input of/,
    ],
    ['an input without any approval', [...approved, ['ed', 'complete', 'input', 'completed']], /without the approval/],
    ['an input skipped by one person', [...approved, ['ed', 'skip', 'input', 'skipped']], /skipped by 1 of 2/],
    [
      'a retry by the person whose work was rejected',
      [worked, ['rita', 'reject', 'approve', 'failed'], ['ed', 'retry', 'approve', 'active']],
      /retried over the rejection/,
    ],
    [
      'an unassigned manual step done by a reviewer',
      [['rita', 'complete', 'work', 'completed']],
      /names Unassigned, not rita/,
    ],
  ])('reports %s', (_, calls, broken) => {
    expect(brokenIn(...calls).join('\n')).toMatch(broken);
  });

  const BARRED = ['approve of approve: rita@honest.example did the work before it'];
  it.each([
    ['by an unproved account that they invited', 'rita', null, BARRED],
    ['by an unproved account that they did not invite, although it has an address of their mailbox', 'm', null, []],
    ['for an unproved account that they invited', 'rita', 'olga', BARRED],
    ['for an unproved account that they did not invite, although it has an address of their mailbox', 'm', 'olga', []],
  ])('checks separation for a person named by address after work %s', (_, inviter, delegate, broken) => {
    const steps = [
      step('work', 'manual', {}, ['approve']),
      step('approve', 'approval', { separateFrom: true }, [], 'rita@honest.example'),
    ];
    const people = [...PEOPLE, { id: 'r+', email: 'rita+two@honest.example', human: mallory }];
    const oracle = new RunOracle(steps, people, new Map([['r+', inviter]]));
    for (const [id, role] of [...ROLES, ['r+', 'editor'] as const]) oracle.setRole(id, role);
    const acted = { reason: true, retriedAlone: false, isMarked: true, isStepMarked: true };
    const [before, between] = [
      { work: 'active', approve: 'blocked' },
      { work: 'completed', approve: 'active' },
    ] as const;
    if (delegate) oracle.delegate({ id: 'one', from: 'r+', to: delegate, kinds: ['tasks'] });
    const by = delegate ? { by: delegate, onBehalfOf: 'r+' } : { by: 'r+' };
    oracle.record({ ...acted, ...by, action: 'complete', stepId: 'work', before, after: between });
    const after = { work: 'completed', approve: 'completed' } as const;
    const found = oracle.record({
      ...acted,
      by: 'rita',
      action: 'approve',
      stepId: 'approve',
      before: between,
      after,
    });
    expect(found.map((each) => each.split(':').slice(0, 2).join(':'))).toEqual(broken);
  });

  it('recognizes whether someone can complete a step', () => {
    const oracle = new RunOracle(STEPS, PEOPLE);
    const states: Record<string, StepStateName> = {
      work: 'completed',
      check: 'completed',
      approve: 'active',
      input: 'blocked',
    };
    oracle.setRole('m', 'reviewer');
    oracle.setRole('m+', 'reviewer');
    expect(oracle.canBeFinished('approve', states)).toBe(false);
    oracle.setRole('rita', 'reviewer');
    expect(oracle.canBeFinished('approve', states)).toBe(true);
    oracle.remove('rita');
    oracle.setRole('olga', 'owner');
    expect(oracle.canBeFinished('approve', states)).toBe(true);
  });
});

describe('a change of the group', () => {
  const GROUP_STEPS = [
    step('work', 'manual', {}, ['approve']),
    step('approve', 'approval', { separateFrom: true }, [], 'group:finance'),
  ];
  const active = { work: 'completed', approve: 'active' } as const;
  const passed = { work: 'completed', approve: 'completed' } as const;
  type Approval = {
    isMarked: boolean;
    isLate?: boolean;
    isAlone?: boolean;
    approver?: string;
    reason?: boolean;
    /** The person for whom the work is done. */
    delegator?: string;
  };
  /**
   * Ed or Olga does the work. Olga adds someone to the group, before the run or, with `isLate`, after the work. Then
   * this person approves.
   */
  function brokenIn(
    doer: string,
    { isMarked, isLate = true, isAlone = false, approver = 'rita', reason = true, delegator }: Approval,
  ): string[] {
    const oracle = new RunOracle(GROUP_STEPS, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    if (!isAlone) oracle.setRole('rob', 'admin');
    const call = { reason: true, retriedAlone: false, isStepMarked: isMarked };
    const start = { work: 'active', approve: 'blocked' } as const;
    if (!isLate) oracle.setGroup([approver], 'olga');
    oracle.follow(start);
    if (delegator !== undefined) oracle.delegate({ id: 'one', from: delegator, to: doer, kinds: ['tasks'] });
    const work = {
      by: doer,
      ...(delegator !== undefined && { onBehalfOf: delegator }),
      action: 'complete',
      stepId: 'work',
      before: start,
      after: active,
      isMarked: false,
    } as const;
    const approval = { by: approver, action: 'approve', stepId: 'approve', before: active, after: passed } as const;
    const first = oracle.record({ ...call, ...work });
    if (isLate) oracle.setGroup([approver], 'olga');
    return [...first, ...oracle.record({ ...call, ...approval, isMarked, reason })];
  }

  it('during the run requires a mark, and bars members added by someone who did the work', () => {
    expect(brokenIn('ed', { isMarked: true })).toEqual([]);
    expect(brokenIn('ed', { isMarked: false, isLate: false })).toEqual([]);
    expect(brokenIn('ed', { isMarked: false }).join()).toMatch(/was added or given the role late, .*without a mark/);
    expect(brokenIn('olga', { isMarked: true }).join()).toMatch(
      /added to the group, or given the role, by someone who did the work/,
    );
    expect(brokenIn('ed', { isMarked: false, approver: 'rob' }).join()).toMatch(/stood in although rob@.* could/);
    // It is doubtful whether a power from someone for whom a delegate did the work counts. So the manager may stand in.
    const doubtful = { isMarked: false, approver: 'rob', delegator: 'olga' };
    expect(brokenIn('ed', doubtful)).toEqual([]);
    expect(brokenIn('ed', { ...doubtful, reason: false }).join()).toMatch(/without a mark/);
    // A manager who is alone can't ask anyone else to add people.
    expect(brokenIn('olga', { isMarked: true, isAlone: true })).toEqual([]);
    expect(brokenIn('olga', { isMarked: false, isAlone: true }).join()).toMatch(/without a mark/);
    expect(brokenIn('olga', { isMarked: true, isLate: false })).toEqual([]);
    expect(brokenIn('olga', { isMarked: false, isLate: false }).join()).toMatch(/without a mark/);
  });
});

describe('a role', () => {
  const ROLE_STEPS = [
    step('work', 'manual', {}, ['approve'], 'editor'),
    step('approve', 'approval', { separateFrom: true }, [], 'viewer'),
  ];
  const start = { work: 'active', approve: 'blocked' } as const;
  const active = { work: 'completed', approve: 'active' } as const;
  const passed = { work: 'completed', approve: 'completed' } as const;
  /**
   * Olga or someone else does the work. Olga, or someone whom she appointed, gives Rita the role that the approval
   * names.
   */
  function brokenIn(
    doer: string,
    when: 'before the run' | 'before the approval' | 'late',
    isMarked: boolean,
    { through = null as string | null, isAlone = false } = {},
  ): string {
    const oracle = new RunOracle(ROLE_STEPS, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    if (!isAlone) oracle.setRole('rob', 'admin');
    const give = (at: typeof when): void => {
      if (at !== when) return;
      if (through !== null) oracle.setRole(through, 'admin', 'olga');
      oracle.setRole('rita', 'viewer', through ?? 'olga');
    };
    give('before the run');
    oracle.follow(start);
    give('before the approval');
    const call = { reason: true, retriedAlone: false, isStepMarked: isMarked };
    const work = { ...call, by: doer, action: 'complete', stepId: 'work', before: start, after: active } as const;
    const first = oracle.record({ ...work, isMarked: false });
    give('late');
    const approval = { by: 'rita', action: 'approve', stepId: 'approve', before: active, after: passed } as const;
    return [...first, ...oracle.record({ ...call, ...approval, isMarked })].join();
  }

  it('given once the step is active requires a mark, and bars the person if those who did the work gave it during the run', () => {
    for (const doer of ['ed', 'olga']) expect(brokenIn(doer, 'before the run', false)).toBe('');
    expect(brokenIn('ed', 'before the approval', false)).toBe('');
    expect(brokenIn('ed', 'late', true)).toBe('');
    expect(brokenIn('ed', 'late', false)).toMatch(/given the role late, .*without a mark/);
    for (const when of ['before the approval', 'late'] as const)
      expect(brokenIn('olga', when, true)).toMatch(/given the role, by someone who did the work/);
    // The same applies if the role came from someone whom Olga appointed during the run, or if Rita gave it to herself.
    for (const through of ['m', 'rita'])
      expect(brokenIn('olga', 'before the approval', true, { through })).toMatch(/given the role, by someone who did/);
    expect(brokenIn('ed', 'before the approval', false, { through: 'rita' })).toMatch(/without a mark/);
    expect(brokenIn('olga', 'late', true, { isAlone: true })).toBe('');
    expect(brokenIn('olga', 'late', false, { isAlone: true })).toMatch(/without a mark/);
  });
});

describe('an account that managers confirmed', () => {
  const steps = [
    step('work', 'manual', {}, ['approve'], 'editor'),
    step('approve', 'approval', { separateFrom: true }, [], 'group:finance, viewer'),
  ];
  const start = { work: 'active', approve: 'blocked' } as const;
  const active = { work: 'completed', approve: 'active' } as const;
  const passed = { work: 'completed', approve: 'completed' } as const;
  /** Olga invited Guest, and others confirmed it. Someone does the work. Then someone else approves it. */
  function brokenIn(
    confirmed: readonly [by: string, as: Role][],
    [doer, approver]: [doer: string, approver: string],
    {
      isMarked = false,
      isStrict = false,
      adder = 'olga',
      role = 'admin',
    }: { isMarked?: boolean; isStrict?: boolean; adder?: string; role?: Role } = {},
  ): string {
    const guest: Owned = { id: 'guest', email: 'guest@honest.example', human: honest('guest') };
    const oracle = new RunOracle(steps, [...PEOPLE, guest], new Map([['guest', 'olga']]));
    for (const [id, of] of ROLES) oracle.setRole(id, of);
    for (const id of ['rob', 'ed']) oracle.setRole(id, 'admin');
    oracle.setRole('guest', role);
    oracle.confirm(
      'guest',
      confirmed.map(([by, as]) => ({ by, as })),
    );
    oracle.isStrict = isStrict;
    oracle.setGroup([approver], adder);
    oracle.follow(start);
    const call = { reason: true, retriedAlone: false, isStepMarked: isMarked, isMarked };
    const work = { ...call, by: doer, action: 'complete', stepId: 'work', before: start, after: active } as const;
    const approval = { ...call, by: approver, action: 'approve', stepId: 'approve', before: active, after: passed };
    oracle.record(work);
    return oracle.record({ ...approval, action: 'approve' }).join();
  }
  const byRob: [string, Role][] = [['rob', 'admin']];

  it('requires a mark, or none of these approvals under strict review, if only one person behind the work did', () => {
    for (const people of [
      ['guest', 'rob'],
      ['rob', 'guest'],
    ] as [string, string][]) {
      expect(brokenIn(byRob, people)).toMatch(/did the work before it: .*, without a mark/);
      expect(brokenIn(byRob, people, { isMarked: true })).toBe('');
      expect(brokenIn(byRob, people, { isMarked: true, isStrict: true })).toMatch(/did the work before it/);
    }
    expect(brokenIn(byRob, ['guest', 'rita'])).toBe('');
    expect(brokenIn([...byRob, ['ed', 'admin']], ['guest', 'rob'], { isStrict: true })).toBe('');
    expect(brokenIn([...byRob, ['ed', 'admin']], ['rob', 'guest'], { isStrict: true })).toBe('');
    expect(brokenIn(byRob, ['ed', 'guest'], { isStrict: true })).toBe('');
    expect(brokenIn([], ['ed', 'guest'])).toMatch(/decides although nobody has proved them/);
  });

  it.each([
    ['its only voucher gave for its work', ['guest', 'rita'], 'rob'],
    ['it gave for the work of its only voucher', ['rob', 'rita'], 'guest'],
  ] as const)('requires a mark for a power that %s', (_, [doer, approver], adder) => {
    const lines = (isMarked: boolean, more = {}) => brokenIn(byRob, [doer, approver], { isMarked, adder, ...more });
    expect(lines(false)).toMatch(/without a mark/);
    expect(lines(true)).toBe('');
    expect(lines(true, { isStrict: true })).toMatch(/added to the group, or given the role, by someone who did/);
    expect(brokenIn([...byRob, ['ed', 'admin']], [doer, approver], { adder })).toBe('');
  });

  it('counts only confirmations that cover its role, and those as a manager for what it did as one', () => {
    const both: [string, Role][] = [
      ['rob', 'admin'],
      ['ed', 'editor'],
    ];
    expect(brokenIn(both, ['rob', 'rita'], { adder: 'guest', role: 'editor' })).toMatch(/without a mark/);
    expect(brokenIn([['ed', 'editor']], ['rita', 'guest'])).toMatch(/decides although nobody has proved them/);
  });

  it('can’t approve together with another one that the same person vouches for, under strict review', () => {
    const guests = ['guest', 'other'].map((id): Owned => ({ id, email: `${id}@honest.example`, human: honest(id) }));
    const two = [step('approve', 'approval', { minimumApprovers: 2 }, [], 'editor')];
    const standIn = (isStrict: boolean): string => {
      const oracle = new RunOracle(two, [...PEOPLE, ...guests], new Map(guests.map(({ id }) => [id, 'olga'])));
      for (const [id, role] of [
        ['olga', 'owner'],
        ['rob', 'admin'],
        ['guest', 'editor'],
        ['other', 'editor'],
      ] as const)
        oracle.setRole(id, role);
      for (const { id } of guests) oracle.confirm(id, [{ by: 'rob', as: 'editor' }]);
      oracle.isStrict = isStrict;
      const call = { reason: true, retriedAlone: false, isStepMarked: false, isMarked: false } as const;
      const states = { approve: 'active' } as const;
      oracle.follow(states);
      expect(oracle.canBeFinished('approve', states)).toBe(true);
      return oracle
        .record({ ...call, by: 'olga', action: 'approve', stepId: 'approve', before: states, after: states })
        .join();
    };
    expect(standIn(false)).toMatch(/stood in although guest.*, other.* could/);
    expect(standIn(true)).toBe('');
  });

  it('no longer counts as its inviter’s once someone else has confirmed it, even for a smaller role', () => {
    expect(brokenIn([], ['guest', 'olga'], { isMarked: true })).toMatch(/did the work before it/);
    expect(brokenIn([['ed', 'editor']], ['guest', 'olga'], { isMarked: true })).toBe('');
  });
});

describe('removing members of the group', () => {
  const GROUP_STEPS = [step('approve', 'approval', {}, [], 'group:finance')];
  const removed = (steps: typeof GROUP_STEPS, by: { proposedBy: string; confirmedBy?: string }): string => {
    const oracle = new RunOracle(steps, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    oracle.setRole('rob', 'admin');
    oracle.setGroup(['rita'], 'olga');
    return oracle.removeFromGroup(['rita'], by).join();
  };
  it('that a step names requires a second manager', () => {
    expect(removed(GROUP_STEPS, { proposedBy: 'olga' })).toMatch(/alone, although .* could confirm/);
    expect(removed(GROUP_STEPS, { proposedBy: 'olga', confirmedBy: 'rob' })).toBe('');
    expect(removed(GROUP_STEPS, { proposedBy: 'olga', confirmedBy: 'olga' })).toMatch(/confirmed a removal by/);
    expect(removed([step('approve', 'approval', {}, [], 'reviewer')], { proposedBy: 'olga' })).toBe('');
  });
});

describe('a hand-over', () => {
  const NAMED_STEPS = [
    step('work', 'manual', {}, ['approve'], 'editor'),
    step('approve', 'approval', { separateFrom: true, minimumApprovers: 2 }, [], 'rita@honest.example, reviewer'),
  ];
  const start = { work: 'active', approve: 'blocked' } as const;
  const active = { work: 'completed', approve: 'active' } as const;
  function followed(): RunOracle {
    const oracle = new RunOracle(NAMED_STEPS, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    oracle.follow(start);
    return oracle;
  }
  const call = { reason: true, retriedAlone: false, isStepMarked: false, isMarked: false };
  const work = { ...call, by: 'ed', action: 'complete', stepId: 'work', before: start, after: active } as const;
  const hand = (by: string, to: string) => ({ by, stepId: 'approve', action: 'hand over', to }) as const;
  const vote = (by: string, after: Record<string, StepStateName> = active) =>
    ({ ...call, by, action: 'approve', stepId: 'approve', before: active, after }) as const;

  it('of a manual step can be made by an owner, but not by someone whom it doesn’t name', () => {
    const oracle = followed();
    expect(oracle.recordHeld({ by: 'ed', stepId: 'work', action: 'claim' }, start)).toEqual([]);
    expect(oracle.recordHeld({ by: 'rob', stepId: 'work', action: 'claim' }, start).join()).toMatch(/already/);
    expect(oracle.recordHeld({ ...hand('rita', 'rob'), stepId: 'work' }, start).join()).toMatch(/it names/);
    expect(oracle.recordHeld({ ...hand('olga', 'ed'), stepId: 'work' }, start)).toEqual([]);
  });

  it.each<[string, boolean, boolean, RegExp | null]>([
    ['without a mark', false, false, /handed the work over/],
    ['with a mark', true, false, null],
    ['with a mark, under strict review', true, true, /handed the work over/],
  ])('of a manual step limits the approval of the person who made it: %s', (_, isMarked, isStrict, broken) => {
    const oracle = followed();
    oracle.isStrict = isStrict;
    expect(oracle.recordHeld({ by: 'olga', stepId: 'work', action: 'hand over', to: 'ed' }, start)).toEqual([]);
    expect(oracle.record(work)).toEqual([]);
    const found = oracle.record({ ...vote('olga'), isMarked }).join();
    if (broken) expect(found).toMatch(broken);
    else expect(found).not.toMatch(/handed the work over/);
  });

  it('of an approval must come from someone it names by address, and not go to someone who did the work or to a group', () => {
    const oracle = followed();
    oracle.record(work);
    expect(oracle.recordHeld(hand('rob', 'olga'), active).join()).toMatch(/no place of their own/);
    expect(oracle.recordHeld(hand('rita', 'ed'), active).join()).toMatch(/did the work before it/);
    expect(followed().recordHeld(hand('rita', 'group:finance'), active).join()).toMatch(/to a group/);
  });

  it('uses the vote of the person who made it', () => {
    const oracle = followed();
    oracle.record(work);
    expect(oracle.recordHeld(hand('rita', 'olga'), active)).toEqual([]);
    expect(oracle.record(vote('olga'))).toEqual([]);
    const passed = { work: 'completed', approve: 'completed' } as const;
    expect(oracle.record(vote('rita', passed)).join()).toMatch(/passed by 1 of 2 people/);
  });
});

describe('a delegate', () => {
  const VOTED_STEPS = [
    step('work', 'manual', {}, ['approve'], 'editor'),
    step('approve', 'approval', { separateFrom: true, minimumApprovers: 2 }, [], 'reviewer'),
  ];
  const start = { work: 'active', approve: 'blocked' } as const;
  const active = { work: 'completed', approve: 'active' } as const;
  const passed = { work: 'completed', approve: 'completed' } as const;
  const call = { reason: true, retriedAlone: false, isStepMarked: false, isMarked: false };
  const work = (by: string, onBehalfOf?: string) =>
    ({
      ...call,
      by,
      ...(onBehalfOf !== undefined && { onBehalfOf }),
      action: 'complete',
      stepId: 'work',
      before: start,
      after: active,
    }) as const;
  const vote = (by: string, onBehalfOf?: string, after: Record<string, StepStateName> = active) =>
    ({
      ...call,
      by,
      ...(onBehalfOf !== undefined && { onBehalfOf }),
      action: 'approve',
      stepId: 'approve',
      before: active,
      after,
    }) as const;
  function brokenIn(...calls: Acted[]): string {
    const oracle = new RunOracle(VOTED_STEPS, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    oracle.delegate({ id: 'one', from: 'rita', to: 'olga', kinds: ['votes'] });
    oracle.delegate({ id: 'two', from: 'ed', to: 'rob', kinds: ['tasks'] });
    oracle.follow(start);
    return calls.flatMap((each) => oracle.record(each)).join('\n');
  }

  it('casts the vote of the delegator, and both votes are used', () => {
    expect(brokenIn(work('ed'), vote('olga', 'rita'), vote('rob', undefined, passed))).toBe('');
    expect(brokenIn(work('ed'), vote('olga', 'rita'), vote('rita', undefined, passed))).toMatch(/passed by 1 of 2/);
    expect(brokenIn(work('ed'), vote('rita'), vote('olga', 'rita'))).toMatch(/has used their vote/);
  });

  it('does only the kind of work that was delegated, for the person who delegated it', () => {
    expect(brokenIn(work('ed'), vote('rob', 'rita'))).toMatch(/has not delegated votes/);
    expect(brokenIn(work('olga', 'rita'))).toMatch(/has not delegated tasks/);
    expect(brokenIn(work('rob', 'ed'))).toBe('');
  });

  it('counts as having done the work', () => {
    expect(brokenIn(work('rob', 'ed'), vote('rob'))).toMatch(/did the work before it/);
    const oracle = new RunOracle(VOTED_STEPS, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    oracle.delegate({ id: 'one', from: 'rob', to: 'rita', kinds: ['votes', 'tasks'] });
    oracle.follow(start);
    oracle.setRole('rob', 'editor');
    expect(oracle.record(work('rita', 'rob'))).toEqual([]);
    expect(oracle.record(vote('rita')).join()).toMatch(/did the work before it/);
  });

  it('no longer acts for someone who left and joined again', () => {
    const oracle = new RunOracle(VOTED_STEPS, PEOPLE);
    for (const [id, role] of ROLES) oracle.setRole(id, role);
    oracle.delegate({ id: 'one', from: 'rita', to: 'olga', kinds: ['votes'] });
    oracle.follow(start);
    oracle.record(work('ed'));
    oracle.remove('rita');
    oracle.setRole('rita', 'reviewer');
    expect(oracle.record(vote('olga', 'rita')).join()).toMatch(/has not delegated votes/);
  });
});

describe('a removal', () => {
  it('releases the steps that the leaver has, or gives them to someone', () => {
    const steps = [step('work', 'manual', {}, [], 'editor, reviewer')];
    const active = { work: 'active' } as const;
    const holderAfter = (handOver?: { by: string; to: string; states: typeof active }): string | undefined => {
      const oracle = new RunOracle(steps, PEOPLE);
      for (const [id, role] of ROLES) oracle.setRole(id, role);
      oracle.recordHeld({ by: 'ed', stepId: 'work', action: 'claim' }, active);
      oracle.remove('ed', handOver);
      return oracle.performerOf('work');
    };
    expect(holderAfter()).toBeUndefined();
    expect(holderAfter({ by: 'olga', to: 'rob', states: active })).toBe('rob');
  });
});

describe('a disabled account', () => {
  const active = { work: 'completed', check: 'completed', approve: 'active', input: 'blocked' } as const;
  const start = { ...active, work: 'active', check: 'blocked', approve: 'blocked' } as const;
  const call = { reason: true, retriedAlone: false, isStepMarked: false, isMarked: false };
  const voteOf = (by: string): Acted => ({
    ...call,
    by,
    action: 'approve',
    stepId: 'approve',
    before: active,
    after: active,
  });
  const oracleWithout = (...disabled: string[]): RunOracle => {
    const oracle = new RunOracle(STEPS, PEOPLE);
    for (const [id, role] of ROLES.slice(0, 4)) oracle.setRole(id, role);
    oracle.follow(start);
    for (const id of disabled) oracle.disable(id);
    oracle.record({ ...call, by: 'ed', action: 'complete', stepId: 'work', before: start, after: active });
    return oracle;
  };

  it('can’t act, until it is enabled again', () => {
    const disabled = oracleWithout('rob').record(voteOf('rob')).join();
    expect(disabled).toMatch(/rob.* acts although their account is disabled/);
    const oracle = oracleWithout('rob');
    oracle.enable('rob');
    expect(oracle.record(voteOf('rob'))).toEqual([]);
  });

  it('isn’t among the people who could act, so an owner or admin can stand in', () => {
    expect(oracleWithout().record(voteOf('olga')).join()).toMatch(/stood in although/);
    expect(oracleWithout('rob').record(voteOf('olga'))).toEqual([]);
  });

  it('no longer has the steps that it had', () => {
    const oracle = oracleWithout();
    oracle.recordHeld({ by: 'ed', stepId: 'input', action: 'hand over', to: 'rita' }, { ...active, input: 'active' });
    expect(oracle.performerOf('input')).toBe('rita');
    oracle.disable('rita');
    oracle.enable('rita');
    expect(oracle.performerOf('input')).toBeUndefined();
  });

  it('isn’t needed for a run to be finished, and can’t finish it', () => {
    expect(oracleWithout('rob').canBeFinished('approve', active)).toBe(true);
    expect(oracleWithout('rob', 'olga').canBeFinished('approve', active)).toBe(false);
  });

  it('can’t be added to the group, and neither can someone who isn’t a member', () => {
    const oracle = oracleWithout('rob');
    oracle.remove('rita');
    expect(oracle.setGroup(['rob', 'rita', 'ed'], 'olga')).toEqual([
      expect.stringMatching(/rob.* was added to the group although their account is disabled$/),
      expect.stringMatching(/rita.* was added to the group although they aren’t a member$/),
    ]);
  });

  it('isn’t a manager who could confirm a removal from the group', () => {
    const steps = [step('work', 'manual', {}, [], GROUP)];
    const oracle = new RunOracle(steps, PEOPLE);
    oracle.setRole('olga', 'owner');
    oracle.setRole('ed', 'admin');
    oracle.setGroup(['rita'], 'olga');
    oracle.disable('ed');
    expect(oracle.removeFromGroup(['rita'], { proposedBy: 'olga', confirmedBy: 'ed' })).toHaveLength(1);
    oracle.setGroup(['rob'], 'olga');
    expect(oracle.removeFromGroup(['rob'], { proposedBy: 'olga' })).toEqual([]);
  });
});
