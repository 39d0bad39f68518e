import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { introductionsAmong, isMailbox, newManagersOf } from './introductions.ts';
import { endsNothing, eventOf, teamAfter, teamEvents } from './introductions.arbitrary.ts';
import { COOLING } from './known-person.ts';
import { days, LONG_AGO } from './known-person.scenario.ts';
import { isFirstHand, mailboxOf } from './proof.ts';

const RUNS = { numRuns: 2000 };

describe('in any history of a team', () => {
  it('an account proved first hand has its own mailbox behind it; others have only their inviter’s and vouchers’', () => {
    fc.assert(
      fc.property(teamEvents, (events) => {
        const people = teamAfter(events);
        const { mailboxesOf } = introductionsAmong(people);
        for (const { id, email, provedBy, invitedBy, confirmedBy } of people) {
          const own = mailboxesOf(id);
          expect(own.size).toBeGreaterThan(0);
          if (isFirstHand(provedBy)) {
            expect([...own]).toEqual([mailboxOf(email)]);
            continue;
          }
          const words = [...confirmedBy, ...(invitedBy === null ? [] : [invitedBy])];
          const theirs = new Set(words.flatMap((by) => [...mailboxesOf(by)]));
          if (words.length > 0) expect([...own].filter(isMailbox).every((each) => theirs.has(each))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('a confirmation never removes a mailbox behind an account', () => {
    fc.assert(
      fc.property(teamEvents, eventOf('is confirmed'), (events, confirmation) => {
        const before = introductionsAmong(teamAfter(events));
        const people = teamAfter([...events, confirmation]);
        const after = introductionsAmong(people);
        for (const { id } of people)
          expect([...before.mailboxesOf(id)].filter(isMailbox).every((each) => after.mailboxesOf(id).has(each))).toBe(
            true,
          );
      }),
      RUNS,
    );
  });

  it('everyone who ever gave someone a role remains known after a confirmation, and after anyone leaves', () => {
    fc.assert(
      fc.property(teamEvents, eventOf('is confirmed', 'leaves'), (events, event) => {
        const before = teamAfter(events);
        const people = teamAfter([...events, event]);
        const [past, now] = [introductionsAmong(before), introductionsAmong(people)];
        for (const person of before) {
          const later = people.find(({ id }) => id === person.id);
          const givers = new Set(later && now.rolesGivenTo(later).map(({ givenBy }) => givenBy));
          for (const { givenBy } of past.rolesGivenTo(person)) expect(givers.has(givenBy)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('a new role never shortens a new manager’s wait, which ends within seven days', () => {
    fc.assert(
      fc.property(teamEvents, eventOf('joins', 'gets a role'), (events, event) => {
        fc.pre(endsNothing(events, event));
        const at = LONG_AGO + days(events.length + 1);
        const waitsAfter = (all: typeof events) => {
          const people = teamAfter(all);
          return newManagersOf((id) => id === 'a0', { people, introductions: introductionsAmong(people), at });
        };
        const [before, after] = [waitsAfter(events), waitsAfter([...events, event])];
        for (const [id, until] of before) expect(after.get(id) ?? 0).toBeGreaterThanOrEqual(until);
        for (const until of after.values()) expect(until).toBeLessThanOrEqual(at + COOLING);
      }),
      RUNS,
    );
  });
});
