import { describe, expect, it } from 'vitest';
import {
  COOLING,
  decideConfirmation,
  decideProposal,
  type KnownPerson,
  notSecondTo,
  peopleBehind,
} from './confirmations.ts';
import { LONG_AGO, NOW, days, given, known, person } from './known-person.scenario.ts';

const asked = (...people: KnownPerson[]) => ({ people: known(...people), at: NOW, strict: false });
const mara = person('mara', 'owner');

describe('the people behind an account', () => {
  it('are its inviters, as far as they are not proved either', () => {
    const inviter = person('inviter', 'admin', { provedBy: null, invitedBy: 'mara' });
    const account = person('new', 'reviewer', { provedBy: null, invitedBy: 'inviter' });
    expect([...peopleBehind(account, known(mara, inviter, account))]).toEqual(['inviter', 'mara']);
    expect([...peopleBehind({ ...account, provedBy: 'mailbox' }, known(mara, inviter, account))]).toEqual([]);
  });

  it('are found although two accounts invited each other', () => {
    const one = person('one', 'admin', { provedBy: null, invitedBy: 'two' });
    const two = person('two', 'admin', { provedBy: null, invitedBy: 'one' });
    expect([...peopleBehind(one, known(one, two))]).toEqual(['two']);
  });
});

describe('a second manager', () => {
  it.each<[string, KnownPerson, string | null]>([
    ['another proved one', person('jon', 'admin'), null],
    ['a founder without a proof', person('jon', 'owner', { provedBy: 'founder' }), null],
    ['one whom someone else proved', person('jon', 'admin', { provedBy: 'manager', confirmedBy: ['eva'] }), null],
    ['oneself', mara, 'same_person'],
    ['another account of the same mailbox', person('m2', 'admin', { email: 'mara+2@example.com' }), 'same_person'],
    ['someone who stands behind nobody and is not proved', person('jon', 'admin', { provedBy: null }), 'not_proved'],
    ['whom one invited, not proved', person('jon', 'admin', { provedBy: null, invitedBy: 'mara' }), 'same_person'],
    ['whom one proved oneself', person('jon', 'admin', { provedBy: 'manager', confirmedBy: ['mara'] }), 'vouched'],
    [
      'whom one made a manager six days ago',
      person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(6))] }),
      'made_manager_lately',
    ],
    [
      'whom one made a manager eight days ago',
      person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(8))] }),
      null,
    ],
  ])('%s', (_, other, missing) => {
    expect(notSecondTo(other, mara, asked(mara, other, person('eva', 'owner')))).toBe(missing);
  });

  it('needs a proof of their own under strict review, founder or not', () => {
    const founder = person('jon', 'owner', { provedBy: 'founder' });
    expect(notSecondTo(founder, mara, { ...asked(mara, founder), strict: true })).toBe('not_proved');
    expect(notSecondTo(mara, founder, { ...asked(mara, founder), strict: true })).toBe('not_proved');
  });
});

describe('a proposal', () => {
  const propose = (...people: KnownPerson[]) => decideProposal({ actorId: 'mara', ...asked(mara, ...people) });

  it.each<[string, KnownPerson[]]>([
    ['there is no other manager', [person('sam', 'reviewer')]],
    ['the only other one is not proved', [person('jon', 'admin', { provedBy: null, invitedBy: 'mara' })]],
    [
      'the other one left eight days ago',
      [person('jon', null, { history: [given('admin', null, LONG_AGO, NOW - days(8))] })],
    ],
    ['the other one is oneself under another address', [person('jon', 'admin', { email: 'mara+x@example.com' })]],
  ])('takes effect alone if %s', (_, people) => {
    expect(propose(...people)).toEqual({ ok: true, change: 'alone' });
  });

  it.each<[string, KnownPerson[]]>([
    ['another manager is here', [person('jon', 'admin')]],
    [
      'the only other one became a manager yesterday',
      [person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(1))] })],
    ],
  ])('waits if %s', (_, people) => {
    expect(propose(...people)).toEqual({ ok: true, change: 'waits' });
  });

  it.each<[string, KnownPerson]>([
    ['left', person('jon', null, { history: [given('owner', null, LONG_AGO, NOW - days(2))] })],
    [
      'was demoted',
      person('jon', 'viewer', {
        history: [given('admin', null, LONG_AGO, NOW - days(2)), given('viewer', 'mara', NOW - days(2))],
      }),
    ],
  ])('is refused until seven days after the other manager %s', (_, other) => {
    expect(propose(other)).toEqual({
      ok: false,
      refusal: { code: 'reviewer_not_counted_yet', missing: 'second_manager', from: NOW - days(2) + COOLING, who: [] },
    });
  });
});

describe('a confirmation', () => {
  const confirm = (actorId: string, people: KnownPerson[], aboutId: string | null = null) =>
    decideConfirmation({ actorId, proposedBy: 'mara', aboutId, ...asked(mara, ...people) });
  const jon = person('jon', 'admin');

  it('comes from another manager', () => {
    expect(confirm('jon', [jon])).toEqual({ ok: true });
    expect(confirm('mara', [jon])).toEqual({ ok: false, refusal: { code: 'proposer_cannot_confirm' } });
    expect(confirm('sam', [jon, person('sam', 'reviewer')])).toEqual({ ok: false, refusal: { code: 'forbidden' } });
    expect(confirm('gone', [jon])).toEqual({ ok: false, refusal: { code: 'forbidden' } });
  });

  it('says from when a new manager can give it, and who can now', () => {
    const eva = person('eva', 'admin', { history: [given('admin', 'mara', NOW - days(3))] });
    expect(confirm('eva', [jon, eva])).toEqual({
      ok: false,
      refusal: { code: 'reviewer_not_counted_yet', missing: 'made_manager_lately', from: NOW + days(4), who: ['jon'] },
    });
  });

  it('is never given by the person whom it is about, under whatever address', () => {
    const about = person('eva', 'admin');
    const other = person('eva2', 'admin', { email: 'eva+2@example.com' });
    for (const id of ['eva', 'eva2'])
      expect(confirm(id, [about, other], 'eva')).toMatchObject({ refusal: { missing: 'same_person' } });
  });

  it('needs nothing of a proposer who has left since', () => {
    const left = { ...mara, role: null };
    expect(decideConfirmation({ actorId: 'jon', proposedBy: 'mara', ...asked(left, jon) })).toEqual({ ok: true });
    expect(decideConfirmation({ actorId: 'jon', proposedBy: 'unknown', ...asked(jon) })).toEqual({ ok: true });
  });
});
