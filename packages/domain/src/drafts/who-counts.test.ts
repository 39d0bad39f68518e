import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COOLING, type KnownPerson } from '../access/known-person.ts';
import { endsNothing, eventOf, teamAfter, teamEvents } from '../access/introductions.arbitrary.ts';
import { LONG_AGO, NOW, days, given, person } from '../access/known-person.scenario.ts';
import { markWords } from './approval-marks.ts';
import { type Review, countedApprovals } from './policy.ts';
import { relationsAmong } from './relations.ts';
import { type Contributor, type DraftStanding, whoCounts } from './who-counts.ts';

const FIRST_SAVED = NOW - days(1);
const direct = (...ids: string[]): Contributor[] => ids.map((id) => ({ id, through: null }));
const count = (
  people: KnownPerson[],
  {
    contributors = direct('ana'),
    strict = false,
    delegates = [],
  }: { contributors?: Contributor[]; strict?: boolean; delegates?: KnownPerson[] } = {},
): DraftStanding =>
  whoCounts({
    relations: relationsAmong(people, NOW),
    reviewers: people,
    delegates,
    contributors,
    firstSavedAt: FIRST_SAVED,
    strict,
  });

const approvalBy = (reviewerId: string): Review => ({
  reviewerId,
  verdict: 'approved',
  contentHash: 'h',
  dismissed: false,
  byToken: false,
});

// Ana is the author and a manager, Mo is another manager, and Rob reviews.
const ana = person('ana', 'admin');
const mo = person('mo', 'admin');
const rob = (changes: Partial<KnownPerson> = {}): KnownPerson => person('rob', 'reviewer', changes);
const addedByAna = { invitedBy: 'ana', history: [given('reviewer', 'ana')] };

describe('marks', () => {
  it.each<[string, KnownPerson[]]>([
    ['by someone not added by an author', [ana, mo, rob()]],
    ['by someone added by another manager', [ana, mo, rob({ invitedBy: 'mo', history: [given('reviewer', 'mo')] })]],
    [
      'by someone added by an author and confirmed by another manager',
      [ana, mo, rob({ ...addedByAna, confirmedBy: ['mo'] })],
    ],
    [
      'by someone added by an author whose other account was confirmed as an admin',
      [ana, mo, rob(addedByAna), person('rob2', 'admin', { email: 'rob+2@example.com', confirmedBy: ['mo'] })],
    ],
    [
      'by someone added by an author and known to the identity provider',
      [ana, mo, rob({ ...addedByAna, provedBy: 'provider', hasProvider: true })],
    ],
    [
      'by someone whom another manager vouches for',
      [ana, mo, rob({ invitedBy: 'x', provedBy: 'manager', confirmedBy: ['mo'] })],
    ],
    [
      'by someone confirmed by a manager who has since left',
      [ana, person('mo', null), rob({ ...addedByAna, confirmedBy: ['mo'] })],
    ],
  ])('are absent from an approval %s', (_, people) => {
    expect(count(people).counted.get('rob')).toEqual([]);
  });
});

it('an account for which only an author vouches is tied to the draft', () => {
  const confirmed = (by: string) => person('xia', 'admin', { provedBy: 'manager', invitedBy: 'mo', confirmedBy: [by] });
  expect(count([ana, mo, confirmed('ana')]).ties.get('xia')).toBe('rests');
  expect(count([ana, mo, confirmed('mo')]).ties.get('xia')).toBeUndefined();
});

describe('the only vouchers of an author', () => {
  const author = (...confirmedBy: string[]) => person('ana', 'editor', { provedBy: 'manager', confirmedBy });
  const lea = person('lea', 'admin');
  const vouchersOf = (...people: KnownPerson[]) => [...count(people).vouchersOfAuthors].toSorted();

  it('are the author and the accounts of the manager who confirmed the author, if nobody else did', () => {
    const mo2 = person('mo2', 'viewer', { email: 'mo+2@example.com' });
    expect(vouchersOf(author('mo'), mo, mo2, lea, rob())).toEqual(['ana', 'mo', 'mo2']);
    expect(vouchersOf(author('mo', 'lea'), mo, lea, rob())).toEqual([]);
    // Mo invited Jon, but Lea vouches for him.
    const jon = (invitedBy: string, by: string) =>
      person('jon', 'admin', { provedBy: 'manager', invitedBy, confirmedBy: [by], confirmedAsManagerBy: [by] });
    expect(vouchersOf(author('mo'), mo, lea, jon('mo', 'lea'))).toEqual(['ana', 'mo']);
    expect(vouchersOf(author('mo'), mo, lea, jon('lea', 'mo'))).toEqual(['ana', 'jon', 'mo']);
    // Jon confirmed the author, and only Mo confirmed Jon.
    expect(vouchersOf(author('jon'), mo, lea, jon('lea', 'mo'))).toEqual(['ana', 'jon', 'mo']);
    expect(vouchersOf(author('jon'), mo, lea, jon('mo', 'lea'))).toEqual(['ana', 'jon', 'lea']);
    expect(vouchersOf(ana, mo, lea, rob())).toEqual([]);
  });

  it('cause a mark if they gave the reviewer their role', () => {
    const reviewer = rob({ history: [given('reviewer', 'mo')] });
    expect(count([author('mo'), mo, lea, reviewer]).counted.get('rob')).toEqual(['author_added_by_reviewer']);
    expect(count([author('mo', 'lea'), mo, lea, reviewer]).counted.get('rob')).toEqual([]);
  });
});

describe('an approval with marks', () => {
  it.each<[string[], string, KnownPerson[]]>([
    [['added_by_author'], 'by someone added by an author long ago', [ana, mo, rob(addedByAna)]],
    [
      ['added_by_author'],
      'by someone added by an author, if only another account of theirs was confirmed, as a viewer',
      [ana, mo, rob(addedByAna), person('rob2', 'viewer', { email: 'rob+2@example.com', confirmedBy: ['mo'] })],
    ],
    [
      ['added_by_author'],
      'by someone added by an author, if another account of theirs was confirmed as a viewer before it left',
      [
        ana,
        mo,
        rob(addedByAna),
        person('rob2', null, {
          email: 'rob+2@example.com',
          confirmedBy: ['mo'],
          history: [given('viewer', 'ana', LONG_AGO, NOW - days(9))],
        }),
      ],
    ],
    [
      ['added_by_author'],
      'by someone once added by an author, even if another manager gave the current role',
      [
        ana,
        mo,
        rob({ history: [given('reviewer', 'ana', LONG_AGO, NOW - days(9)), given('reviewer', 'mo', NOW - days(8))] }),
      ],
    ],
    [
      ['added_by_author', 'address_not_proved'],
      'by an unproved person invited by the only manager, who is the author',
      [ana, rob({ ...addedByAna, provedBy: null })],
    ],
    [['address_not_proved'], 'by a founder without a proof', [ana, rob({ provedBy: 'founder' })]],
    [
      ['author_not_proved'],
      'to a draft by a founder without a proof',
      [person('ana', 'owner', { provedBy: 'founder' }), rob()],
    ],
    [
      ['author_not_proved'],
      'to a draft by an unproved author whom someone else invited',
      [person('ana', 'editor', { provedBy: null, invitedBy: 'mo' }), mo, rob()],
    ],
    [
      ['author_added_by_reviewer'],
      'by the person who added the author',
      [person('ana', 'editor', { invitedBy: 'rob', history: [given('editor', 'rob')] }), mo, rob()],
    ],
    [
      ['author_added_by_reviewer'],
      'by the only person who vouches for the author',
      [
        person('ana', 'editor', { invitedBy: 'mo', provedBy: 'manager', confirmedBy: ['rob'] }),
        mo,
        person('rob', 'admin'),
      ],
    ],
    [
      ['added_by_author'],
      'by someone added by an author and confirmed with an account of the same mailbox',
      [ana, mo, person('ana2', 'admin', { email: 'ana+2@example.com' }), rob({ ...addedByAna, confirmedBy: ['ana2'] })],
    ],
    [
      ['added_by_author'],
      'by someone confirmed by a founder without a proof, because there is no third mailbox',
      [ana, person('fay', 'owner', { provedBy: 'founder' }), rob({ ...addedByAna, confirmedBy: ['fay'] })],
    ],
    [
      ['added_by_author'],
      'by an account without a mailbox that an author added and another manager vouches for',
      [ana, mo, rob({ ...addedByAna, provedBy: 'manager', confirmedBy: ['mo'] })],
    ],
  ])('has the marks %j if it is given %s', (marks, _, people) => {
    expect(count(people).counted.get('rob')).toEqual(marks);
  });
});

it('an approval is marked if the same manager alone vouches for both author and reviewer', () => {
  const vouched = { provedBy: 'manager' as const, confirmedBy: ['mo'] };
  const { counted } = count([person('ana', 'editor', vouched), mo, rob(vouched)]);
  expect(counted.get('rob')).toEqual(['author_not_proved']);
  const eva = person('eva', 'admin');
  const apart = count([person('ana', 'editor', vouched), mo, eva, rob({ ...vouched, confirmedBy: ['eva'] })]);
  expect(apart.counted.get('rob')).toEqual([]);
});

describe('an approval', () => {
  it.each<[string, string, KnownPerson[]]>([
    [
      'while the reviewer is not proved and another manager could confirm them',
      'address_not_proved',
      [ana, mo, rob({ provedBy: null, invitedBy: 'ana' })],
    ],
    [
      'while only an author vouches for the reviewer and another manager could',
      'address_not_proved',
      [ana, mo, rob({ invitedBy: 'x', provedBy: 'manager', confirmedBy: ['ana'] })],
    ],
    [
      'if an author added the reviewer after the first save and another manager could confirm them',
      'added_after_first_save',
      [ana, mo, rob({ history: [given('reviewer', 'ana', NOW - 1000)] })],
    ],
    [
      'while the reviewer is not proved and both managers may be behind them',
      'address_not_proved',
      [ana, mo, rob({ provedBy: null, invitedBy: 'ana', inviters: ['ana', 'mo'] })],
    ],
  ])('does not count %s: %s', (_, because, people) => {
    const { counted, notCounted } = count(people);
    expect(counted.has('rob')).toBe(false);
    expect(notCounted).toContainEqual({ id: 'rob', because, from: null });
  });

  it('is marked if all managers behind a reviewer who is not proved have one mailbox', () => {
    const second = person('ana2', 'admin', { email: 'ana+2@example.com' });
    const reviewer = rob({ provedBy: null, invitedBy: 'ana2', inviters: ['ana2', 'ana'] });
    expect(count([ana, second, reviewer]).counted.get('rob')).toContain('address_not_proved');
  });

  it('is refused with a time if all but one of the managers behind an unproved reviewer have left', () => {
    const left = person('mo', null, { history: [given('admin', null, LONG_AGO, NOW - days(2))] });
    const reviewer = rob({ provedBy: null, invitedBy: 'ana', inviters: ['ana', 'mo'] });
    expect(count([ana, left, reviewer]).notCounted).toEqual([
      { id: 'rob', because: 'address_not_proved', from: NOW - days(2) + COOLING },
    ]);
  });

  it('is refused with the time from which it counts if the other manager has just left', () => {
    const left = person('mo', null, { history: [given('admin', null, LONG_AGO, NOW - days(2))] });
    expect(count([ana, left, rob({ history: [given('reviewer', 'ana', NOW - 1000)] })]).notCounted).toEqual([
      { id: 'rob', because: 'added_after_first_save', from: NOW - days(2) + COOLING },
    ]);
  });

  it('counts with a mark if the only other manager was appointed by an author less than seven days ago', () => {
    const friend = person('mo', 'admin', { history: [given('admin', 'ana', NOW - days(2))] });
    const people = [ana, friend, rob({ history: [given('reviewer', 'ana', NOW - 1000)] })];
    expect(count(people).counted.get('rob')).toEqual(['added_by_author']);
  });

  it('does not count if the reviewer is behind an author or has an author’s mailbox', () => {
    const contributors = [...direct('new'), { id: 'rob', through: 'new' }];
    const author = person('new', 'editor', { provedBy: null, invitedBy: 'rob' });
    const twin = person('new2', 'reviewer', { email: 'new+2@example.com' });
    const proved = person('new', 'editor', { invitedBy: 'rob' });
    for (const [who, refused] of [
      [author, ['rob']],
      [proved, ['rob', 'new2']],
    ] as const) {
      const { notCounted, authors } = count([who, rob(), twin, mo], { contributors });
      expect([...authors].toSorted()).toEqual(['new', 'new2', 'rob']);
      expect(notCounted.map(({ id, because }) => [id, because])).toEqual(
        refused.map((id) => [id, 'behind_the_author']),
      );
    }
    // Anyone could have used an unproved account. The person whose mailbox its address names can review, with a mark.
    expect(count([author, rob(), twin, mo], { contributors }).counted.get('new2')).toEqual(['author_not_proved']);
  });

  it('does not count under strict review if it has a mark or comes from an author', () => {
    const { notCounted, selfApproval } = count([ana, mo, rob(addedByAna)], { strict: true });
    expect(notCounted).toEqual([{ id: 'rob', because: 'strict', from: null }]);
    expect(selfApproval).toEqual({ allowed: false, from: null });
    expect(count([ana], { strict: true }).selfApproval).toEqual({ allowed: false, from: null });
  });
});

describe('a delegate', () => {
  const ben = (changes: Partial<KnownPerson> = {}): KnownPerson => person('ben', 'viewer', changes);
  const verdictOn = (people: KnownPerson[], more: Parameters<typeof count>[1] = {}) =>
    count(people, { delegates: people, ...more }).delegates.get('ben');

  it.each<[string, KnownPerson, object]>([
    ['counts without a mark if no author added them', ben(), { marks: [] }],
    [
      'counts without a mark if another manager confirmed them',
      ben({ history: [given('viewer', 'ana')], confirmedBy: ['mo'] }),
      { marks: [] },
    ],
    [
      'is marked if an author gave them any role, because they act with a reviewer’s power',
      ben({ history: [given('viewer', 'ana')] }),
      { marks: ['added_by_author'] },
    ],
    [
      'doesn’t count if an author gave them any role after the first save',
      ben({ history: [given('viewer', 'ana', NOW - 1000)] }),
      { id: 'ben', because: 'added_after_first_save', from: null },
    ],
    [
      'doesn’t count if only a manager vouches for them, who confirmed them for another role',
      ben({ provedBy: 'manager', confirmedBy: ['mo'] }),
      { id: 'ben', because: 'address_not_proved', from: null },
    ],
    [
      'doesn’t count without a proof',
      ben({ provedBy: null }),
      { id: 'ben', because: 'address_not_proved', from: null },
    ],
    [
      'doesn’t count with an author’s mailbox',
      ben({ email: 'ana+2@example.com' }),
      { id: 'ben', because: 'behind_the_author', from: null },
    ],
    ['doesn’t count after they left', ben({ role: null }), { id: 'ben', because: 'address_not_proved', from: null }],
  ])('%s', (_, delegate, verdict) => {
    expect(verdictOn([ana, mo, rob(), delegate])).toEqual(verdict);
  });

  it('doesn’t count if they are an author or behind one, even if authors may approve alone', () => {
    const refused = { id: 'ben', because: 'behind_the_author', from: null };
    expect(verdictOn([ben()], { contributors: direct('ben') })).toEqual(refused);
    const contributors = [...direct('new'), { id: 'ben', through: 'new' }];
    const behind = [person('new', 'editor', { provedBy: null, invitedBy: 'ben' }), ben(), mo];
    expect(verdictOn(behind, { contributors })).toEqual(refused);
  });

  it('doesn’t count under strict review with a mark', () => {
    const people = [ana, mo, rob(), ben({ history: [given('viewer', 'ana')] })];
    expect(verdictOn(people, { strict: true })).toEqual({ id: 'ben', because: 'strict', from: null });
  });

  it('doesn’t change who else counts', () => {
    fc.assert(
      fc.property(teamEvents, fc.subarray(['a0', 'a1', 'a2']), fc.boolean(), (events, authors, strict) => {
        const people = teamAfter(events);
        const question = {
          relations: relationsAmong(people, NOW),
          reviewers: people,
          contributors: direct(...authors),
          firstSavedAt: FIRST_SAVED,
          strict,
        };
        const { delegates: _, ...without } = whoCounts(question);
        const { delegates, ...rest } = whoCounts({ ...question, delegates: people });
        expect(rest).toEqual(without);
        for (const [id, verdict] of delegates) {
          if (authors.includes(id)) expect(verdict).toHaveProperty('because');
          // A reviewer's own approval never has more marks than the one they would give as a delegate.
          const own = without.counted.get(id);
          if ('marks' in verdict && own) expect(verdict.marks).toEqual(expect.arrayContaining([...own]));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('an author', () => {
  it('may approve if nobody else can review now or could recently', () => {
    expect(count([ana]).selfApproval).toEqual({ allowed: true });
    const left = (at: number) => person('rob', null, { history: [given('reviewer', null, LONG_AGO, at)] });
    expect(count([ana, left(NOW - days(8))]).selfApproval).toEqual({ allowed: true });
    expect(count([ana, left(NOW - days(1))]).selfApproval).toEqual({ allowed: false, from: NOW + days(6) });
    expect(count([ana, { ...rob(), isDisabled: true }]).selfApproval).toEqual({ allowed: true });
    expect(count([ana, { ...left(NOW - days(1)), isDisabled: true }]).selfApproval).toEqual({ allowed: true });
    expect(count([ana, { ...rob(), isDisabled: true }]).counted.has('rob')).toBe(false);
    expect(count([ana, rob(), left(NOW - days(1))]).selfApproval).toEqual({ allowed: false, from: null });
  });

  it('may not approve while anyone else is tied to the draft only by an unproved account', () => {
    const unproved = (email: string, invitedBy: string) =>
      person('new', 'editor', { email, provedBy: null, invitedBy });
    const tagged = count([ana, rob(), unproved('rob+2@example.com', 'ana')], { contributors: direct('ana', 'new') });
    expect(tagged.selfApproval).toEqual({ allowed: false, from: null });
    expect(tagged.counted.get('rob')).toContain('author_not_proved');
    const contributors = [...direct('ana', 'new'), { id: 'mo', through: 'new' }];
    const invited = count([ana, mo, unproved('new@example.com', 'mo')], { contributors });
    expect(invited.selfApproval).toEqual({ allowed: false, from: null });
    expect(invited.counted.get('mo')).toEqual(['self_approved']);
  });

  it('may approve if only an unproved account ties them to the draft, and everyone else has closer ties', () => {
    const puppet = person('pat', 'admin', { provedBy: 'manager', invitedBy: 'mo', confirmedBy: ['ana'] });
    const unproved = (id: string, invitedBy: string) => person(id, 'editor', { provedBy: null, invitedBy });
    const contributors = [...direct('ana', 'one', 'two'), { id: 'pat', through: 'one' }, { id: 'mo', through: 'two' }];
    const { counted } = count([ana, mo, puppet, unproved('one', 'pat'), unproved('two', 'mo')], { contributors });
    expect([...counted.keys()]).toEqual(['mo']);
  });
});

describe('a founder without a proved address whom only one person has confirmed', () => {
  it('shares one vote with that person, and with nobody else', () => {
    const founder = person('fay', 'reviewer', { provedBy: 'manager', confirmedBy: ['ben'] });
    const { yieldsTo } = relationsAmong([founder, person('ben', 'owner'), person('cara', 'owner')], NOW);
    expect(yieldsTo.get('fay')).toEqual(new Set(['ben']));
    expect(yieldsTo.get('cara')).toEqual(new Set());
  });

  it.each([false, true])(
    'has one vote together with them and all accounts that the founder confirmed (strict: %s)',
    (strict) => {
      const people = [
        person('fay', 'admin', { provedBy: 'manager', confirmedBy: ['ben'], history: [given('admin', 'cara')] }),
        person('ben', 'owner', { history: [given('owner', 'fay')] }),
        ...['xia', 'yan'].map((id) =>
          person(id, 'reviewer', { provedBy: 'manager', invitedBy: 'cara', inviters: ['cara'], confirmedBy: ['fay'] }),
        ),
        person('cara', 'owner'),
        person('ana', 'editor'),
      ];
      const standing = count(people, { strict });
      const countOf = (...ids: string[]) =>
        countedApprovals({ reviews: ids.map(approvalBy), contentHash: 'h' }, standing, { requiredApprovals: 2, strict })
          .length;
      for (const ids of [
        ['fay', 'ben'],
        ['ben', 'fay'],
        ['fay', 'ben', 'xia', 'yan'],
        ['xia', 'yan', 'fay'],
      ])
        expect({ ids, votes: countOf(...ids) }).toEqual({ ids, votes: 1 });
      expect(countOf('fay', 'ben', 'cara')).toBe(2);
    },
  );
});

describe('two people behind an unproved author', () => {
  const rex = person('rex', 'editor', { provedBy: null, invitedBy: 'mo', inviters: ['mo', 'lea'] });
  const lea = person('lea', 'admin');
  const behind = (...ids: string[]): Contributor[] => ids.map((id) => ({ id, through: 'rex' }));
  const allowed = (people: KnownPerson[], contributors: Contributor[]): string[] => [
    ...count(people, { contributors }).counted.keys(),
  ];

  it('may not approve while the other could, because the author can be only one of them', () => {
    const contributors = [...direct('rex'), ...behind('mo', 'lea')];
    expect(allowed([rex, mo, lea], contributors)).toEqual([]);
    expect(allowed([rex, mo, { ...lea, isDisabled: true }], contributors)).toEqual(['mo']);
    expect(allowed([rex, mo, { ...lea, role: null }], contributors)).toEqual(['mo']);
    expect(allowed([rex, mo, { ...lea, email: 'mo+2@example.com' }], contributors)).toEqual(['mo', 'lea']);
    // If Zoe vouches for Lea, Lea is a second person; if only Mo does, she isn't.
    const confirmed = (by: string): KnownPerson => ({ ...lea, provedBy: 'manager', invitedBy: 'x', confirmedBy: [by] });
    expect(allowed([rex, mo, confirmed('zoe'), person('zoe', null)], contributors)).toEqual([]);
    expect(allowed([rex, mo, confirmed('mo')], contributors)).toEqual(['mo']);
  });

  it('may not approve while the other founded the organization and needs no proof', () => {
    const contributors = [...direct('rex'), ...behind('mo', 'lea')];
    const founder: KnownPerson = { ...lea, role: 'owner', provedBy: 'founder' };
    expect(allowed([rex, mo, founder], contributors)).toEqual([]);
    expect(allowed([rex, mo, { ...founder, isDisabled: true }], contributors)).toEqual(['mo']);
    expect(allowed([rex, mo, { ...founder, role: null }], contributors)).toEqual(['mo']);
    expect(allowed([rex, mo, { ...founder, email: 'mo+2@example.com' }], contributors)).toEqual(['mo']);
    // If one edits the draft, the other may approve it.
    expect(allowed([rex, mo, founder], [...direct('rex', 'lea'), ...behind('mo')])).toEqual(['mo']);
    expect(allowed([rex, mo, founder], [...direct('rex', 'mo'), ...behind('lea')])).toEqual(['lea']);
  });

  it('may approve once the other has edited the draft', () => {
    expect(allowed([rex, mo, lea], [...direct('rex', 'lea'), ...behind('mo')])).toEqual(['mo']);
    expect(allowed([rex, mo, lea, rob()], [...direct('rex', 'lea'), ...behind('mo')])).toEqual(['rob']);
  });
});

const asManagers = (account: Omit<KnownPerson, 'confirmedAsManagerBy'>): KnownPerson => ({
  ...account,
  confirmedAsManagerBy: account.confirmedBy,
});

describe('one person with several accounts', () => {
  // All accounts belong to one person and have one mailbox, or mailboxes that the person can't read. There is nobody
  // else.
  const account = (index: number): fc.Arbitrary<KnownPerson> =>
    fc
      .record({
        id: fc.constant(`a${index}`),
        name: fc.constant('x'),
        email: fc.constantFrom('m1@example.com', 'm1+a@example.com', `fake${index}@example.com`),
        role: fc.constantFrom('owner', 'admin', 'editor', 'reviewer'),
        isDisabled: fc.constant(false),
        provedBy: fc.constantFrom('mailbox', 'manager', 'founder', null),
        invitedBy: fc.constantFrom(null, 'a0', 'a1', 'a2'),
        inviters: fc.constant([]),
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
      })
      .map(asManagers);

  // Impossible accounts are excluded before they are combined, because otherwise almost every combination would contain
  // one: people can't prove a mailbox that they don't read, a proof by a manager needs a confirmation, and people can't
  // confirm themselves or those they invited.
  const isPossible = ({ id, email, provedBy, confirmedBy, invitedBy }: KnownPerson): boolean =>
    (provedBy !== 'mailbox' || email.startsWith('m')) &&
    (provedBy !== 'manager' || confirmedBy.length > 0) &&
    confirmedBy.every((by) => by !== id && by !== invitedBy);
  // Only a proved account can confirm others.
  const hasProvedConfirmers = (people: KnownPerson[]): boolean =>
    people.every(({ confirmedBy }) => confirmedBy.every((by) => people.find(({ id }) => id === by)?.provedBy !== null));

  it('can’t approve their own draft without a mark if they read only one mailbox', () => {
    fc.assert(
      fc.property(
        fc.tuple(...[0, 1, 2].map((index) => account(index).filter(isPossible))).filter(hasProvedConfirmers),
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

  it('gets the same result if the accounts are judged one by one', () => {
    fc.assert(
      fc.property(fc.tuple(account(0), account(1), account(2)), fc.boolean(), (people, strict) => {
        const relations = relationsAmong(people, NOW);
        const question = { relations, contributors: direct('a0'), firstSavedAt: FIRST_SAVED, strict };
        const whole = whoCounts({ ...question, reviewers: people });
        for (const each of people) {
          const { id } = each;
          const own = whoCounts({ ...question, reviewers: [each] });
          expect([...own.counted]).toEqual([...whole.counted].filter(([other]) => other === id));
          expect(own.notCounted).toEqual(whole.notCounted.filter((other) => other.id === id));
          expect({ ties: own.ties, selfApproval: own.selfApproval, yieldsTo: own.yieldsTo }).toEqual({
            ties: whole.ties,
            selfApproval: whole.selfApproval,
            yieldsTo: whole.yieldsTo,
          });
        }
      }),
    );
  });

  /** Accounts of one person with two mailboxes. Each one except the first was invited by an earlier one. */
  const accountOfTwoMailboxes = (
    index: number,
    count: number,
    root: 'founder' | 'honest',
  ): fc.Arbitrary<KnownPerson> => {
    const others = Array.from({ length: count }, (_, n) => `a${n}`).filter((id) => id !== `a${index}`);
    // The inviter joined before the account.
    const inviter =
      index > 0 ? fc.constantFrom(...others.slice(0, index)) : fc.constant(root === 'honest' ? 'honest' : null);
    const mailboxes = ['m1@example.com', 'm1+a@example.com', `fake${index}@example.com`];
    return inviter.chain((by) =>
      fc
        .record({
          id: fc.constant(`a${index}`),
          name: fc.constant('x'),
          email: fc.constantFrom(...mailboxes, ...(index > 0 ? ['m2@example.com', 'm2+b@example.com'] : [])),
          role: fc.constantFrom('owner', 'admin', 'editor', 'reviewer', null),
          isDisabled: fc.constant(false),
          provedBy:
            index === 0 && root === 'founder'
              ? fc.constantFrom('mailbox', 'founder')
              : fc.constantFrom('mailbox', 'manager', null),
          invitedBy: fc.constant(by),
          inviters: fc.constant([]),
          confirmedBy: fc.subarray(others),
          hasProvider: fc.constant(false),
          history: fc
            .array(
              fc.record({
                role: fc.constantFrom('admin', 'reviewer', 'editor'),
                givenBy: fc.constantFrom(...others),
                since: fc.constantFrom(LONG_AGO, NOW - days(3), NOW - 1000),
                until: fc.constant(null),
              }),
              { maxLength: 2 },
            )
            .map((later) => [given('reviewer', by), ...later]),
        })
        .map(asManagers),
    );
  };

  it.each(['founder', 'honest'] as const)(
    'can’t approve their own draft without a mark if they read two mailboxes (organization started by %s)',
    (root) => {
      const honest = person('honest', 'owner', { email: 'm3@example.com' });
      // Only a proved account can manage and give roles.
      const hasProvedGivers = (people: KnownPerson[]): boolean =>
        people.every(({ history }) =>
          history.every(({ givenBy }) => people.find(({ id }) => id === givenBy)?.provedBy !== null),
        );
      fc.assert(
        fc.property(
          fc
            .tuple(...[0, 1, 2, 3].map((index) => accountOfTwoMailboxes(index, 4, root).filter(isPossible)))
            .filter((people) => hasProvedGivers(people) && hasProvedConfirmers(people)),
          fc.subarray(['a0', 'a1', 'a2', 'a3'], { minLength: 1 }),
          (accounts, authors) => {
            const people = root === 'honest' ? [...accounts, honest] : accounts;
            const contributors = direct(...authors);
            const standing = count(people, { contributors, delegates: accounts });
            for (const [id, marks] of standing.counted)
              if (id !== 'honest') expect({ id, marks }).not.toEqual({ id, marks: [] });
            // Not even as delegates of an honest reviewer.
            for (const [id, verdict] of standing.delegates)
              expect({ id, ...verdict }).not.toMatchObject({ id, marks: [] });
            const strict = count(people, { contributors, strict: true, delegates: accounts });
            const delegates = [...strict.delegates].flatMap(([id, verdict]) => ('marks' in verdict ? [id] : []));
            expect([...strict.counted.keys(), ...delegates].filter((id) => id !== 'honest')).toEqual([]);
          },
        ),
        { numRuns: 800 },
      );
    },
  );
});

describe('one person with two mailboxes', () => {
  const MAILBOXES = ['m1@example.com', 'm1+a@example.com', 'm2@example.com', 'm2+b@example.com'];
  const isRead = (email: string): boolean => email.startsWith('m');

  /** Accounts that only added each other: a founder, and others that were each added by an earlier manager. */
  const accounts = fc
    .array(
      fc.record({
        email: fc.option(fc.constantFrom(...MAILBOXES), { freq: 4 }),
        role: fc.constantFrom('admin', 'editor', 'reviewer', 'admin', 'reviewer'),
        by: fc.nat(),
        isProved: fc.boolean(),
        voucher: fc.option(fc.nat()),
      }),
      { minLength: 2, maxLength: 5 },
    )
    .map((wanted) => {
      const people: KnownPerson[] = [];
      wanted.forEach(({ email: mailbox, role, by, isProved, voucher }, n) => {
        const email = mailbox ?? `fake${n}@example.com`;
        const managers = people.filter((each) => each.role === 'owner' || each.role === 'admin');
        const inviter = managers[by % managers.length]?.id ?? null;
        const isMailed = isProved && isRead(email);
        const vouchers = managers.filter(
          (each) => each.id !== inviter && each.provedBy !== null && each.provedBy !== 'founder',
        );
        const confirmedBy = voucher === null || n < 2 ? [] : vouchers.slice(voucher % 3, (voucher % 3) + 1);
        people.push(
          person(`a${n}`, n === 0 ? 'owner' : role, {
            email,
            provedBy: isMailed ? 'mailbox' : n === 0 ? 'founder' : confirmedBy.length > 0 ? 'manager' : null,
            invitedBy: inviter,
            confirmedBy: confirmedBy.map(({ id }) => id),
            history: [given(n === 0 ? 'owner' : role, inviter)],
          }),
        );
      });
      return people;
    });

  it('can’t approve their own draft without a mark, or at all under strict review', () => {
    fc.assert(
      fc.property(accounts, fc.nat(), (people, pick) => {
        const contributors = direct(people[pick % people.length]?.id ?? '');
        for (const marks of count(people, { contributors }).counted.values()) expect(marks.length).toBeGreaterThan(0);
        expect(count(people, { contributors, strict: true }).counted.size).toBe(0);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('over any history of a team', () => {
  const author = fc.constantFrom('a0', 'a1', 'a2', 'a3');
  const authorIn = (people: readonly KnownPerson[], wanted: string): string =>
    people.some(({ id }) => id === wanted) ? wanted : 'a0';
  /** Returns the people whose approval counts without a mark, and those whose approval counts with one. */
  const approvers = (people: readonly KnownPerson[], by: string) => {
    const question = {
      relations: relationsAmong(people, LONG_AGO + days(40)),
      reviewers: people,
      contributors: direct(by),
      firstSavedAt: LONG_AGO,
      strict: false,
    };
    const { counted } = whoCounts(question);
    const ids = (isMarked: boolean) =>
      [...counted].flatMap(([id, { length }]) => (length > 0 === isMarked ? [id] : []));
    return { unmarked: ids(false), marked: ids(true) };
  };

  it('a confirmation by an uninvolved manager never adds a mark', () => {
    const zoe = person('zoe', 'admin');
    fc.assert(
      fc.property(teamEvents, author, fc.nat(), (events, wanted, pick) => {
        const people = teamAfter(events);
        const by = authorIn(people, wanted);
        const others = people.filter(({ id }) => id !== by);
        const confirmed = others[pick % Math.max(1, others.length)];
        const after = people.map((each): KnownPerson =>
          each === confirmed
            ? {
                ...each,
                confirmedBy: [...each.confirmedBy, zoe.id],
                confirmedAsManagerBy: [
                  ...each.confirmedAsManagerBy,
                  ...(each.role === 'owner' || each.role === 'admin' ? [zoe.id] : []),
                ],
                provedBy: each.provedBy === 'founder' ? 'manager' : (each.provedBy ?? 'manager'),
              }
            : each,
        );
        const { unmarked } = approvers([...people, zoe], by);
        const expected = unmarked.filter((id) => id !== zoe.id);
        expect(approvers([...after, zoe], by).unmarked).toEqual(expect.arrayContaining(expected));
      }),
      { numRuns: 3000 },
    );
  });

  it('a mark never disappears because someone joins, gets a higher role or, unless it is the author, leaves', () => {
    // With a lower role, an earlier confirmation can count again.
    const next = eventOf('joins', 'gets a role', 'leaves').filter(
      (event) => event.kind !== 'gets a role' || event.role === 'admin',
    );
    fc.assert(
      fc.property(teamEvents, next, author, (events, event, wanted) => {
        const people = teamAfter(events);
        const by = authorIn(people, wanted);
        fc.pre(endsNothing(events, event) && !(event.kind === 'leaves' && event.who === by));
        const { marked } = approvers(people, by);
        const { unmarked } = approvers(teamAfter([...events, event]), by);
        expect(unmarked.filter((id) => marked.includes(id))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});

it('markWords describes the marks in words', () => {
  expect(markWords(['added_by_author', 'address_not_proved'])).toBe('reviewer added by the author, address not proved');
  expect(markWords(['self_approved'])).toBe('self-approved: no other reviewer');
});
