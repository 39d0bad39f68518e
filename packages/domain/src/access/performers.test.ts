import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApprovedWork,
  type GroupMembership,
  type NamedPerson,
  type RoleGift,
  addressesOf,
  groupsNamedIn,
  isForAddresses,
  markedPower,
  markedRole,
  namedAs,
  namesOfPerformers,
  performersOf,
  withoutBarredPowers,
} from './performers.ts';

const of = (assignee: string, assignedRole?: string, startedBy: string | null = 'ann') =>
  performersOf({ assignee, config: assignedRole === undefined ? {} : { assignedRole } }, startedBy);

describe('the names in a step', () => {
  it.each([
    ['Unassigned', []],
    ['system, auto', []],
    ['Sam@Halden.example', ['sam@halden.example']],
    ['sam@halden.example, sam@halden.example', ['sam@halden.example']],
    ['reviewer, Group:Finance', ['role:reviewer', 'group:finance']],
    ['group:finance, group:legal, group:finance', ['group:finance', 'group:legal']],
    ['starter', ['user:ann']],
    ['the boss, sam@halden.example', ['sam@halden.example']],
    ['okafor,sam@halden.example', ['okafor,sam@halden.example']],
  ])('are read from %j as %j', (assignee, names) => {
    expect(namesOfPerformers(of(assignee))).toEqual(names);
  });

  it('also include the role in the settings', () => {
    expect(namesOfPerformers(of('group:finance', 'editor'))).toEqual(['role:editor', 'group:finance']);
    // Only the assignee names groups.
    expect(namesOfPerformers(of('', 'group:finance'))).toEqual([]);
  });

  it('include an unknown person as the starter if no person started the run', () => {
    expect(namesOfPerformers(of('starter', undefined, null))).toEqual(['user:unknown']);
  });

  it('include every name of a list, whatever the order and the white space', () => {
    const name = fc.constantFrom('sam@halden.example', 'group:finance', 'Group:QA-2', 'viewer', 'starter', 'Admin');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), fc.constantFrom(',', ', ', ' ,  '), (names, separator) => {
        const together = new Set(namesOfPerformers(of(names.join(separator))));
        expect(together).toEqual(new Set(names.flatMap((each) => namesOfPerformers(of(each)))));
      }),
    );
  });

  it('include each group of several steps once', () => {
    const steps = ['group:a, sam@halden.example', 'group:b', 'Group:A', 'editor'];
    expect(groupsNamedIn(steps.map((assignee) => ({ assignee, config: {} })))).toEqual(['a', 'b']);
  });

  it('are only addresses if there is no group, role or starter among them', () => {
    expect(isForAddresses(of('sam@halden.example, tom@halden.example'))).toBe(true);
    for (const assignee of ['sam@halden.example, group:a', 'sam@halden.example, starter', 'group:a', ''])
      expect(isForAddresses(of(assignee))).toBe(false);
  });
});

const membership = (slug: string, addedAt: number, ...addedBy: string[]): GroupMembership => ({
  slug,
  addedAt,
  addedBy,
  adderName: addedBy[0] ?? '',
});
const person = (...groups: GroupMembership[]): NamedPerson => ({
  id: 'bob',
  email: 'bob@halden.example',
  orgRole: 'viewer',
  groups,
});

describe('namedAs', () => {
  it.each([
    ['bob@halden.example, group:a, viewer', 'person'],
    ['group:a, viewer', 'group'],
    ['viewer', 'role'],
    ['group:b', null],
    ['starter', null],
  ])('of %j is %j', (assignee, expected) => {
    expect(namedAs(of(assignee), person(membership('a', 0)))).toBe(expected);
  });

  it('recognizes the starter of the run', () => {
    expect(namedAs(of('starter', undefined, 'bob'), person())).toBe('person');
  });

  it('also recognizes a person by a former address', () => {
    const renamed = { ...person(), formerEmails: ['before@halden.example'] };
    expect(namedAs(of('Before@halden.example'), renamed)).toBe('person');
    expect(namedAs(of('Before@halden.example'), person())).toBeNull();
    expect(addressesOf(renamed)).toEqual([person().email, 'before@halden.example']);
  });
});

const NONE: ApprovedWork['barred'] = { role: false, groups: [] };
const IN_A = { ...NONE, groups: ['a'] };
const BY_ROLE = { ...NONE, role: true };
const LATE = 'added_during_run';

describe('markedPower, markedRole and withoutBarredPowers', () => {
  const gift = (at: number, by: string, ...through: string[]): RoleGift => ({
    at,
    givenBy: [by, `${by}-2`],
    giverName: by,
    through: [by, `${by}-2`, ...through],
    isGivenBack: false,
  });
  const marked = (
    assignee: string,
    user: NamedPerson,
    {
      doers = [] as string[],
      givers = [] as string[],
      vouchers = [] as string[],
      vouched = [] as string[],
      isStrict = false,
      barred = NONE,
    } = {},
  ) => {
    const work = { since: 10, startedAt: 5, doers, givers, vouchers, vouched, isStrict, barred };
    const found = markedPower(of(assignee), user, work);
    return found && [found.by, found.mark, ...(found.isBarred ? ['barred'] : [])];
  };

  it('marks a membership that began after the step had become active', () => {
    expect(marked('group:a', person(membership('a', 11, 'mara')))).toEqual(['mara', 'added_during_run']);
    expect(marked('group:a', person(membership('a', 10, 'mara')))).toBeNull();
    expect(marked('group:a', person(membership('b', 11, 'mara')))).toBeNull();
  });

  it('marks a membership given by someone who did the work, at any time', () => {
    for (const at of [1, 5, 6, 10, 11]) {
      const user = person(membership('a', at, 'mara'));
      expect(marked('group:a', user, { doers: ['mara'] })).toEqual(['mara', 'added_by_doer']);
      const barred = { doers: ['mara'], barred: IN_A };
      expect(marked('group:a', user, barred)).toEqual(['mara', 'added_by_doer', 'barred']);
    }
  });

  it('marks a membership given by someone who handed the work over, and bars it only under strict review', () => {
    for (const at of [1, 6, 11]) {
      const user = person(membership('a', at, 'mara'));
      expect(marked('group:a', user, { givers: ['mara'] })).toEqual(['mara', 'added_by_giver']);
      const strict = { givers: ['mara'], isStrict: true };
      const isLate = at > 10;
      expect(marked('group:a', user, strict)).toEqual(['mara', isLate ? LATE : 'added_by_giver', 'barred']);
      const byDoer = ['mara', isLate ? LATE : 'added_by_doer', 'barred'];
      expect(marked('group:a', user, { ...strict, doers: ['mara'] })).toEqual(byDoer);
    }
  });

  it('marks a membership or role from an account for which only one person behind the work vouches, and bars it only under strict review', () => {
    const vouched = ['rick'];
    for (const at of [1, 6, 11]) {
      const user = person(membership('a', at, 'rick'));
      expect(marked('group:a', user, { vouched })).toEqual(['rick', 'added_by_vouched']);
      const mark = at > 10 ? LATE : 'added_by_vouched';
      expect(marked('group:a', user, { vouched, isStrict: true })).toEqual(['rick', mark, 'barred']);
      expect(marked('group:a', user, { vouched, vouchers: ['rick'] })).toEqual(['rick', 'added_by_voucher']);
    }
    const role = (at: number, ...through: string[]) => ({ ...person(), roleGifts: [gift(at, 'vera', ...through)] });
    expect(marked('viewer', role(6), { vouched: ['vera'] })).toEqual(['vera', 'role_by_vouched']);
    expect(marked('viewer', role(5), { vouched: ['vera'] })).toBeNull();
    expect(marked('viewer', role(6, 'rick'), { vouched })).toEqual(['vera', 'role_by_appointee']);
  });

  it('marks a membership or role from the only voucher of an account that did the work, and bars it only under strict review', () => {
    const vouchers = ['mara'];
    for (const at of [1, 6, 11]) {
      const user = person(membership('a', at, 'mara'));
      expect(marked('group:a', user, { vouchers })).toEqual(['mara', 'added_by_voucher']);
      const mark = at > 10 ? LATE : 'added_by_voucher';
      expect(marked('group:a', user, { vouchers, isStrict: true })).toEqual(['mara', mark, 'barred']);
      expect(marked('group:a', user, { vouchers, givers: ['mara'] })).toEqual(['mara', 'added_by_giver']);
      expect(marked('group:a', user, { vouchers: ['tom'] })).toEqual(at === 11 ? ['mara', 'added_during_run'] : null);
    }
    const role = (at: number, ...through: string[]) => ({ ...person(), roleGifts: [gift(at, 'vera', ...through)] });
    expect(marked('viewer', role(6), { vouchers: ['vera'] })).toEqual(['vera', 'role_by_voucher']);
    expect(marked('viewer', role(5), { vouchers: ['vera'] })).toBeNull();
    expect(marked('viewer', role(6, 'mara'), { vouchers })).toEqual(['vera', 'role_by_appointee']);
    // Someone else also gave them a power.
    const both = { ...role(6), groups: [membership('a', 6, 'tom')] };
    expect(marked('viewer, group:a', both, { vouchers: ['vera'] })).toBeNull();
  });

  it('is null if the step also names the person without a mark', () => {
    const user = person(membership('a', 11, 'mara'), membership('b', 5, 'mara'));
    for (const assignee of ['group:a, bob@halden.example', 'group:a, viewer', 'group:a, group:b'])
      expect(marked(assignee, user)).toBeNull();
  });

  it('prefers a membership that isn’t barred', () => {
    const user = person(membership('a', 11, 'mara', 'mara-2'), membership('b', 12, 'tom'));
    expect(marked('group:a, group:b', user)).toEqual(['mara', 'added_during_run']);
    const barred = { doers: ['mara-2'], barred: IN_A };
    expect(marked('group:a, group:b', user, barred)).toEqual(['tom', 'added_during_run']);
    expect(marked('group:a', user, barred)).toEqual(['mara', 'added_by_doer', 'barred']);
  });

  it('marks a role given after the step had become active, or during the run by someone who did or handed over the work', () => {
    const withRole = (since: number, by: string): NamedPerson => ({
      ...person(),
      roleGifts: [gift(since, by)],
    });
    for (const since of [1, 5, 10]) expect(marked('viewer', withRole(since, 'mara'))).toBeNull();
    expect(marked('viewer', withRole(11, 'mara'))).toEqual(['mara', 'role_during_run']);
    expect(marked('editor', withRole(11, 'mara'))).toBeNull();
    // For a role given before the run started, it doesn't matter who gave it.
    expect(marked('viewer', withRole(5, 'mara'), { doers: ['mara'], givers: ['mara'], isStrict: true })).toBeNull();
    for (const since of [6, 11]) {
      const barred = { doers: ['mara-2'], barred: BY_ROLE };
      expect(marked('viewer', withRole(since, 'mara'), barred)).toEqual(['mara', 'role_by_doer', 'barred']);
      expect(marked('viewer', withRole(since, 'mara'), { givers: ['mara-2'] })).toEqual(['mara', 'role_by_giver']);
    }
    expect(marked('viewer', withRole(11, 'mara'), { isStrict: true })).toEqual(['mara', 'role_during_run', 'barred']);
    const both = { ...withRole(11, 'mara'), groups: [membership('a', 11, 'tom')] };
    const barred = { doers: ['mara'], barred: BY_ROLE };
    expect(marked('viewer, group:a', both, barred)).toEqual(['tom', 'added_during_run']);
    expect(marked('viewer, group:a', { ...both, groups: [membership('a', 1, 'tom')] }, { doers: ['mara'] })).toBeNull();
    expect(marked('viewer, bob@halden.example', withRole(11, 'mara'))).toBeNull();
  });

  it('marks a membership or role from someone whom a person behind the work appointed during the run', () => {
    const through = (at: number) => ({ ...membership('a', at, 'vera'), through: ['vera', 'mara'] });
    for (const at of [6, 11]) {
      const user = person(through(at));
      const barred = { doers: ['mara'], barred: IN_A };
      expect(marked('group:a', user, barred)).toEqual(['vera', 'added_by_appointee', 'barred']);
      expect(marked('group:a', user, { givers: ['mara'] })).toEqual(['vera', 'added_by_appointee']);
    }
    // For a membership from before the run started, only the person who added the member matters.
    expect(marked('group:a', person(through(5)), { doers: ['mara'] })).toBeNull();
    const role = (at: number) => ({ ...person(), roleGifts: [gift(at, 'vera', 'mara')] });
    const barred = { doers: ['mara'], barred: BY_ROLE };
    expect(marked('viewer', role(6), barred)).toEqual(['vera', 'role_by_appointee', 'barred']);
    expect(marked('viewer', role(6), { givers: ['mara'] })).toEqual(['vera', 'role_by_appointee']);
    expect(marked('viewer', role(5), { doers: ['mara'] })).toBeNull();
  });

  it('marks a membership or role that the person gave to themselves during the run', () => {
    expect(marked('group:a', person(membership('a', 6, 'bob')))).toEqual(['bob', 'added_during_run']);
    expect(marked('group:a', person(membership('a', 5, 'bob')))).toBeNull();
    expect(marked('viewer', { ...person(), roleGifts: [gift(6, 'bob')] })).toEqual(['bob', 'role_during_run']);
    const strict = { isStrict: true };
    expect(marked('group:a', person(membership('a', 6, 'bob')), strict)).toEqual(['bob', 'added_during_run', 'barred']);
  });

  it('marks a role that was given back only if it came from someone who did the work or handed it over', () => {
    const user = { ...person(), roleGifts: [{ ...gift(11, 'vera', 'tom'), isGivenBack: true }] };
    for (const isStrict of [false, true]) expect(marked('viewer', user, { isStrict })).toBeNull();
    expect(marked('viewer', user, { doers: ['vera'], barred: BY_ROLE })).toEqual(['vera', 'role_by_doer', 'barred']);
    expect(marked('viewer', user, { doers: ['tom'] })).toEqual(['vera', 'role_by_appointee']);
    expect(marked('viewer', user, { givers: ['vera'], isStrict: true })).toEqual(['vera', 'role_by_giver', 'barred']);
  });

  it('bars a marked power that `barred` doesn’t contain, but only under strict review', () => {
    const lone = { doers: ['mara'] };
    expect(marked('group:a', person(membership('a', 6, 'mara')), lone)).toEqual(['mara', 'added_by_doer']);
    const appointed = { ...person(), roleGifts: [gift(6, 'vera', 'mara')] };
    expect(marked('viewer', appointed, lone)).toEqual(['vera', 'role_by_appointee']);
    expect(marked('viewer', appointed, { ...lone, isStrict: true })).toEqual(['vera', 'role_by_appointee', 'barred']);
  });

  it('names the person closest to the separated work, or otherwise the last person who gave a role', () => {
    const user = { ...person(), roleGifts: [gift(6, 'mara'), gift(7, 'vera'), gift(11, 'tom')] };
    expect(marked('viewer', user)).toEqual(['tom', 'role_during_run']);
    expect(marked('viewer', user, { doers: ['mara'], barred: BY_ROLE })).toEqual(['mara', 'role_by_doer', 'barred']);
    expect(marked('viewer', user, { givers: ['vera'] })).toEqual(['vera', 'role_by_giver']);
  });

  it('also marks a role that lets someone stand in, whatever the step names', () => {
    const work = {
      since: 10,
      startedAt: 5,
      doers: ['mara'],
      givers: [],
      vouchers: [],
      vouched: [],
      isStrict: false,
      barred: BY_ROLE,
    };
    expect(markedRole({ ...person(), roleGifts: [gift(6, 'mara')] }, work)).toEqual({
      by: 'mara',
      mark: 'role_by_doer',
      isBarred: true,
    });
    expect(markedRole(person(), work)).toBeNull();
  });

  it('never bars more if fewer people are behind a membership, or if the person is in another group', () => {
    const ids = fc.subarray(['ann', 'bob', 'mara', 'vera']);
    const memberships = fc.record({ at: fc.integer({ min: 1, max: 15 }), by: ids, through: ids });
    const barred = fc.record({ role: fc.boolean(), groups: fc.subarray(['a', 'b']) });
    const work = fc.record({ doers: ids, givers: ids, vouchers: ids, vouched: ids, isStrict: fc.boolean(), barred });
    fc.assert(
      fc.property(memberships, memberships, work, ids, (one, other, behind, more) => {
        const groupOf = (slug: string, { at, by, through }: typeof one, added: readonly string[] = []) => ({
          ...membership(slug, at, ...by),
          through: [...by, ...through, ...added],
        });
        const isBarred = (...groups: GroupMembership[]) =>
          markedPower(of('group:a, group:b'), person(...groups), { since: 10, startedAt: 5, ...behind })?.isBarred ??
          false;
        const alone = isBarred(groupOf('a', one));
        expect(isBarred(groupOf('a', one), groupOf('b', other))).toBe(alone && isBarred(groupOf('b', other)));
        if (alone) expect(isBarred(groupOf('a', one, more))).toBe(true);
        if (alone && !behind.isStrict) expect(behind.barred.groups).toContain('a');
      }),
    );
  });

  it('removes barred memberships and roles from a person', () => {
    const work = { since: 10, startedAt: 5, doers: ['mara'], givers: [], vouchers: [], vouched: [], isStrict: false };
    const groups = [membership('a', 6, 'mara'), membership('b', 6, 'tom')];
    const user = { ...person(...groups), roleGifts: [gift(6, 'mara')] };
    const left = (barred: ApprovedWork['barred'], isStrict = false) => {
      const { groups: counted = [], orgRole } = withoutBarredPowers(user, { ...work, barred, isStrict });
      return [...counted.map(({ slug }) => slug), orgRole];
    };
    expect(left(NONE)).toEqual(['a', 'b', 'viewer']);
    expect(left(IN_A)).toEqual(['b', 'viewer']);
    expect(left(BY_ROLE)).toEqual(['a', 'b', null]);
    expect(left(NONE, true)).toEqual(['b', null]);
  });

  it('bars every marked membership under strict review', () => {
    expect(marked('group:a', person(membership('a', 1, 'mara')), { isStrict: true })).toBeNull();
    for (const [at, mark] of [
      [1, 'added_by_doer'],
      [11, LATE],
    ] as const) {
      const user = person(membership('a', at, 'mara'));
      expect(marked('group:a', user, { doers: ['mara'], isStrict: true })).toEqual(['mara', mark, 'barred']);
    }
  });

  it('prefers a membership that may count once someone else has done the work again', () => {
    const early = membership('b', 1, 'rick');
    const barred = { vouched: ['rick'], isStrict: true };
    for (const late of [membership('a', 11, 'tom'), membership('c', 11, 'tom'), membership('a', 11, 'rick')]) {
      const user = person(...[early, late].sort((one, other) => one.slug.localeCompare(other.slug)));
      expect(marked('group:a, group:b, group:c', user, barred)).toEqual(['rick', 'added_by_vouched', 'barred']);
      expect(marked('group:a, group:c', user, barred)).toEqual([late.adderName, LATE, 'barred']);
    }
  });

  it('names the late one of several roles under strict review, because all of them count', () => {
    const user = { ...person(), roleGifts: [gift(6, 'mara'), gift(11, 'tom')] };
    expect(marked('viewer', user, { doers: ['mara'], isStrict: true })).toEqual(['tom', 'role_during_run', 'barred']);
    const early = { ...person(), roleGifts: [gift(6, 'mara'), gift(7, 'tom')] };
    expect(marked('viewer', early, { doers: ['mara'], isStrict: true })).toEqual(['mara', 'role_by_doer', 'barred']);
  });
});
