import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COOLING, type KnownPerson } from '../access/confirmations.ts';
import { LONG_AGO, NOW, days, given, person } from '../access/known-person.scenario.ts';
import { type Contributor, type DraftStanding, markWords, whoCounts } from './who-counts.ts';

const FIRST_SAVED = NOW - days(1);
const direct = (...ids: string[]): Contributor[] => ids.map((id) => ({ id, through: null }));
const count = (
  people: KnownPerson[],
  { contributors = direct('ana'), strict = false }: { contributors?: Contributor[]; strict?: boolean } = {},
): DraftStanding => whoCounts({ people, contributors, firstSavedAt: FIRST_SAVED, strict, at: NOW });

// Ana writes and manages, Mo manages too, Rob reviews.
const ana = person('ana', 'admin');
const mo = person('mo', 'admin');
const rob = (changes: Partial<KnownPerson> = {}): KnownPerson => person('rob', 'reviewer', changes);
const addedByAna = { invitedBy: 'ana', history: [given('reviewer', 'ana')] };

describe('an approval counts without a mark', () => {
  it.each<[string, KnownPerson[]]>([
    ['by someone whom no author added', [ana, mo, rob()]],
    ['by someone whom another manager added', [ana, mo, rob({ invitedBy: 'mo', history: [given('reviewer', 'mo')] })]],
    [
      'by someone whom an author added and another manager confirmed',
      [ana, mo, rob({ ...addedByAna, confirmedBy: ['mo'] })],
    ],
    [
      'by someone whom an author added and the identity provider knows',
      [ana, mo, rob({ ...addedByAna, provedBy: 'provider', hasProvider: true })],
    ],
    [
      'by someone whom another manager vouches for',
      [ana, mo, rob({ invitedBy: 'x', provedBy: 'manager', confirmedBy: ['mo'] })],
    ],
    [
      'by someone confirmed by a manager who has left since',
      [ana, person('mo', null), rob({ ...addedByAna, confirmedBy: ['mo'] })],
    ],
  ])('%s', (_, people) => {
    expect(count(people).counted.get('rob')).toEqual([]);
  });
});

describe('an approval counts, and is marked', () => {
  it.each<[string, KnownPerson[], string[]]>([
    ['by someone whom an author added long ago', [ana, mo, rob(addedByAna)], ['added_by_author']],
    [
      'by someone whom an author once added, although another manager gave the role of today',
      [
        ana,
        mo,
        rob({ history: [given('reviewer', 'ana', LONG_AGO, NOW - days(9)), given('reviewer', 'mo', NOW - days(8))] }),
      ],
      ['added_by_author'],
    ],
    [
      'by someone not proved whom the only manager, its author, invited',
      [ana, rob({ ...addedByAna, provedBy: null })],
      ['added_by_author', 'address_not_proved'],
    ],
    ['by a founder without a proof', [ana, rob({ provedBy: 'founder' })], ['address_not_proved']],
    ['of a founder without a proof', [person('ana', 'owner', { provedBy: 'founder' }), rob()], ['author_not_proved']],
    [
      'of an author not proved whom someone else invited',
      [person('ana', 'editor', { provedBy: null, invitedBy: 'mo' }), mo, rob()],
      ['author_not_proved'],
    ],
    [
      'by whoever added the author',
      [person('ana', 'editor', { invitedBy: 'rob', history: [given('editor', 'rob')] }), mo, rob()],
      ['author_added_by_reviewer'],
    ],
    [
      'by whoever alone vouches for the author',
      [
        person('ana', 'editor', { invitedBy: 'mo', provedBy: 'manager', confirmedBy: ['rob'] }),
        mo,
        person('rob', 'admin'),
      ],
      ['author_added_by_reviewer'],
    ],
    [
      'by someone whom an author added and confirmed through an account of the same mailbox',
      [ana, mo, person('ana2', 'admin', { email: 'ana+2@example.com' }), rob({ ...addedByAna, confirmedBy: ['ana2'] })],
      ['added_by_author'],
    ],
    [
      'by someone whom a founder without a proof confirmed: that is no third mailbox',
      [ana, person('fay', 'owner', { provedBy: 'founder' }), rob({ ...addedByAna, confirmedBy: ['fay'] })],
      ['added_by_author'],
    ],
    [
      'by an account without a mailbox whom an author added and another manager vouches for',
      [ana, mo, rob({ ...addedByAna, provedBy: 'manager', confirmedBy: ['mo'] })],
      ['added_by_author'],
    ],
  ])('%s', (_, people, marks) => {
    expect(count(people).counted.get('rob')).toEqual(marks);
  });
});

it('is marked if author and reviewer are known by the word of one manager alone', () => {
  const vouched = { provedBy: 'manager' as const, confirmedBy: ['mo'] };
  const { counted } = count([person('ana', 'editor', vouched), mo, rob(vouched)]);
  expect(counted.get('rob')).toEqual(['author_not_proved']);
  const eva = person('eva', 'admin');
  const apart = count([person('ana', 'editor', vouched), mo, eva, rob({ ...vouched, confirmedBy: ['eva'] })]);
  expect(apart.counted.get('rob')).toEqual([]);
});

describe('an approval does not count', () => {
  it.each<[string, KnownPerson[], string]>([
    [
      'while the reviewer is not proved and another manager could confirm them',
      [ana, mo, rob({ provedBy: null, invitedBy: 'ana' })],
      'address_not_proved',
    ],
    [
      'while only an author vouches for the reviewer and another manager could',
      [ana, mo, rob({ invitedBy: 'x', provedBy: 'manager', confirmedBy: ['ana'] })],
      'address_not_proved',
    ],
    [
      'if an author added the reviewer after the first save and another manager could confirm them',
      [ana, mo, rob({ history: [given('reviewer', 'ana', NOW - 1000)] })],
      'added_after_first_save',
    ],
  ])('%s', (_, people, because) => {
    const { counted, notCounted } = count(people);
    expect(counted.has('rob')).toBe(false);
    expect(notCounted).toContainEqual({ id: 'rob', because, from: null });
  });

  it('says from when it does if the other manager has just left', () => {
    const left = person('mo', null, { history: [given('admin', null, LONG_AGO, NOW - days(2))] });
    expect(count([ana, left, rob({ history: [given('reviewer', 'ana', NOW - 1000)] })]).notCounted).toEqual([
      { id: 'rob', because: 'added_after_first_save', from: NOW - days(2) + COOLING },
    ]);
  });

  it('waits for no manager whom an author made one less than seven days ago', () => {
    const friend = person('mo', 'admin', { history: [given('admin', 'ana', NOW - days(2))] });
    const people = [ana, friend, rob({ history: [given('reviewer', 'ana', NOW - 1000)] })];
    expect(count(people).counted.get('rob')).toEqual(['added_by_author']);
  });

  it('from whoever stands behind an author, or shares a mailbox with one', () => {
    const contributors = [...direct('new'), { id: 'rob', through: 'new' }];
    const author = person('new', 'editor', { provedBy: null, invitedBy: 'rob' });
    const twin = person('new2', 'reviewer', { email: 'new+2@example.com' });
    const { notCounted, authors } = count([author, rob(), twin, mo], { contributors });
    expect([...authors].toSorted()).toEqual(['new', 'new2', 'rob']);
    expect(notCounted.map(({ id, because }) => [id, because])).toEqual([
      ['rob', 'behind_the_author'],
      ['new2', 'behind_the_author'],
    ]);
  });

  it('with any mark under strict review, nor from an author', () => {
    const { notCounted, selfApproval } = count([ana, mo, rob(addedByAna)], { strict: true });
    expect(notCounted).toEqual([{ id: 'rob', because: 'strict', from: null }]);
    expect(selfApproval).toEqual({ allowed: false, from: null });
    expect(count([ana], { strict: true }).selfApproval).toEqual({ allowed: false, from: null });
  });
});

describe('an author approves', () => {
  it('if nobody else can review, and nobody could lately', () => {
    expect(count([ana]).selfApproval).toEqual({ allowed: true });
    const left = (at: number) => person('rob', null, { history: [given('reviewer', null, LONG_AGO, at)] });
    expect(count([ana, left(NOW - days(8))]).selfApproval).toEqual({ allowed: true });
    expect(count([ana, left(NOW - days(1))]).selfApproval).toEqual({ allowed: false, from: NOW + days(6) });
    expect(count([ana, rob(), left(NOW - days(1))]).selfApproval).toEqual({ allowed: false, from: null });
  });
});

describe('one person with any accounts', () => {
  // Every account of one human, on one mailbox or on none that they read; honest people are not here.
  const account = (index: number): fc.Arbitrary<KnownPerson> =>
    fc.record({
      id: fc.constant(`a${index}`),
      name: fc.constant('x'),
      email: fc.constantFrom('m1@example.com', 'm1+a@example.com', `fake${index}@example.com`),
      role: fc.constantFrom('owner', 'admin', 'editor', 'reviewer'),
      provedBy: fc.constantFrom('mailbox', 'manager', 'founder', null),
      invitedBy: fc.constantFrom(null, 'a0', 'a1', 'a2'),
      confirmedBy: fc.subarray(['a0', 'a1', 'a2']),
      hasProvider: fc.constant(false),
      history: fc.array(
        fc.record({
          role: fc.constantFrom('admin', 'reviewer', 'editor'),
          givenBy: fc.constantFrom(null, 'a0', 'a1', 'a2'),
          since: fc.constantFrom(LONG_AGO, NOW - days(3), NOW - 1000),
          until: fc.constant(null),
        }),
        { maxLength: 3 },
      ),
    });

  // What can't be: a mailbox that isn't read proves nothing, nobody confirms themselves or whom they invited.
  const isPossible = (people: KnownPerson[]): boolean =>
    people.every(
      (each) =>
        (each.provedBy !== 'mailbox' || each.email.startsWith('m1')) &&
        !each.confirmedBy.includes(each.id) &&
        (each.provedBy !== 'manager' || each.confirmedBy.length > 0) &&
        each.confirmedBy.every(
          (id) => people.find((other) => other.id === id)?.provedBy !== null && id !== each.invitedBy,
        ),
    );

  it('never approves their own draft without a mark if they read one mailbox', () => {
    fc.assert(
      fc.property(
        fc.tuple(account(0), account(1), account(2)).filter((people) => isPossible(people)),
        fc.subarray(['a0', 'a1', 'a2'], { minLength: 1 }),
        (people, authors) => {
          const { counted } = count(people, { contributors: direct(...authors) });
          for (const marks of counted.values()) expect(marks.length).toBeGreaterThan(0);
          expect(count(people, { contributors: direct(...authors), strict: true }).counted.size).toBe(0);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

it('says the marks as people read them', () => {
  expect(markWords(['added_by_author', 'address_not_proved'])).toBe('reviewer added by the author, address not proved');
  expect(markWords(['self_approved'])).toBe('self-approved: no other reviewer');
});
