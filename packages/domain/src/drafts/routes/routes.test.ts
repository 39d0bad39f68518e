import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeFinding, UNCLASSIFIED } from '../findings/finding.ts';
import { fillRequirements, type OpenRequirement } from './fill.ts';
import { requirementsOf, type ReviewRoute, ROUTE_TRIGGERS, weakensRoutes } from './route.ts';

const at = { stepId: 'pay', title: 'Pay' };
const clock: ChangeFinding = {
  ...at,
  code: 'clock_loosened',
  effect: 'loss',
  before: { text: '1h', ms: 3_600_000 },
  after: { text: '2h', ms: 7_200_000 },
};
const script: ChangeFinding = { ...at, code: 'script_changed', effect: 'unknown', before: 'a', after: 'b' };
const removed: ChangeFinding = {
  ...at,
  code: 'step_removed',
  effect: 'unknown',
  before: 'manual',
  after: null,
  covers: ['clock_removed'],
};
const narrowed: ChangeFinding = { ...at, code: 'people_changed', effect: 'gain', before: [], after: ['a@example.com'] };

const route = (trigger: ReviewRoute['if'], tag: string | null = null, group = 'compliance'): ReviewRoute => ({
  if: trigger,
  tag,
  group,
});
const groups = (findings: ChangeFinding[], tags: string[], ...routes: ReviewRoute[]) =>
  requirementsOf(findings, tags, routes).map(({ group, because }) => `${group}: ${because.length}`);

describe('the requirements of a draft', () => {
  it.each<[what: string, found: string[], expected: string[]]>([
    ['the code of a finding', groups([clock], [], route('clock_loosened')), ['compliance: 1']],
    ['another code', groups([clock], [], route('fewer_approvers')), []],
    ['any loss', groups([clock, script], [], route('loss')), ['compliance: 2']],
    ['an unknown change', groups([clock, script], [], route('unknown')), ['compliance: 1']],
    ['a control of a removed step', groups([removed], [], route('clock_removed')), ['compliance: 1']],
    ['a gain', groups([narrowed], [], route('loss'), route('people_changed')), []],
    ['a tag of the workflow', groups([clock], ['payments'], route('loss', 'payments')), ['compliance: 1']],
    ['a tag that the workflow lacks', groups([clock], ['hr'], route('loss', 'payments')), []],
    [
      'a failed check',
      groups([UNCLASSIFIED], [], route('script_changed'), route('loss', null, 'legal')),
      ['compliance: 1', 'legal: 1'],
    ],
    [
      'two routes to one group',
      groups([clock, script], [], route('clock_loosened'), route('unknown')),
      ['compliance: 2'],
    ],
  ])('in the case of %s are %j', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

const anyRoute: fc.Arbitrary<ReviewRoute> = fc.record({
  if: fc.constantFrom(...ROUTE_TRIGGERS.slice(0, 5)),
  tag: fc.constantFrom(null, 'a', 'b'),
  group: fc.constantFrom('x', 'y'),
});
const anyRoutes = fc.array(anyRoute, { maxLength: 4 });

describe('a change of routes', () => {
  it('that doesn’t count as weaker requires at least the same groups for every finding', () => {
    const findings = [clock, script, removed, narrowed, UNCLASSIFIED];
    fc.assert(
      fc.property(
        anyRoutes,
        anyRoutes,
        fc.subarray(['a', 'b']),
        fc.constantFrom(...findings),
        (before, after, tags, one) => {
          fc.pre(!weakensRoutes(before, after));
          const asked = (routes: ReviewRoute[]) => requirementsOf([one], tags, routes).map(({ group }) => group);
          expect(asked(after)).toEqual(expect.arrayContaining(asked(before)));
        },
      ),
    );
  });

  it('is weaker if a route is removed, limited to a tag or a finding, or given to another group', () => {
    const before = [route('loss')];
    expect(weakensRoutes(before, before)).toBe(false);
    expect(weakensRoutes(before, [...before, route('unknown')])).toBe(false);
    expect(weakensRoutes([route('unknown', 'a')], before)).toBe(false);
    for (const after of [[], [route('loss', 'a')], [route('loss', null, 'legal')], [route('clock_loosened')]])
      expect(weakensRoutes(before, after)).toBe(true);
  });
});

/** Returns the largest number of requirements that can be filled, found by trying every assignment. */
function mostFilled(
  requirements: readonly { members: OpenRequirement['members'] }[],
  approvers: readonly string[],
): number {
  const [first, ...rest] = requirements;
  if (first === undefined) return 0;
  const without = mostFilled(rest, approvers);
  const tries = approvers
    .filter((id) => first.members.has(id))
    .map(
      (id) =>
        1 +
        mostFilled(
          rest,
          approvers.filter((each) => each !== id),
        ),
    );
  return Math.max(without, ...tries);
}

describe('approvals', () => {
  it('fill as many requirements as possible, one each', () => {
    const people = ['p', 'q', 'r', 's'];
    const members = fc
      .tuple(fc.subarray(people), fc.subarray(people))
      .map(([ids, marked]) => new Map(ids.map((id) => [id, { isMarked: marked.includes(id) }])));
    fc.assert(
      fc.property(fc.array(members, { maxLength: 4 }), fc.shuffledSubarray(people), (sets, approvers) => {
        const requirements = sets.map((each, n) => ({ group: `g${n}`, members: each }));
        const filled = fillRequirements(requirements, approvers);
        expect(filled.size).toBe(mostFilled(requirements, approvers));
        expect(new Set(filled.values()).size).toBe(filled.size);
        for (const { group, members: accepted } of requirements) {
          const by = filled.get(group);
          if (by !== undefined) expect(accepted.has(by) && approvers.includes(by)).toBe(true);
        }
      }),
    );
  });

  it('without a mark are preferred, unless that would leave a requirement unfilled', () => {
    const members = new Map([
      ['added-by-author', { isMarked: true }],
      ['carla', { isMarked: false }],
    ]);
    const both = ['added-by-author', 'carla'];
    expect(fillRequirements([{ group: 'a', members }], both)).toEqual(new Map([['a', 'carla']]));
    const legal = { group: 'b', members: new Map([['carla', { isMarked: false }]]) };
    expect(fillRequirements([{ group: 'a', members }, legal], both)).toEqual(
      new Map([
        ['a', 'added-by-author'],
        ['b', 'carla'],
      ]),
    );
  });
});
