import { describe, expect, it } from 'vitest';
import {
  confirmationCovers,
  decideConfirmation,
  decideProposal,
  decideRefusal,
  whyNotSecondTo,
} from './confirmations.ts';
import { COOLING, type KnownPerson, peopleBehind } from './known-person.ts';
import { LONG_AGO, NOW, days, given, known, person } from './known-person.scenario.ts';
import { ORG_ROLES, type OrgRole } from './roles.ts';

const asked = (...people: KnownPerson[]) => ({ people: known(...people), at: NOW });
const mara = person('mara', 'owner');

describe('the people behind an account', () => {
  it('are its inviter and, if the inviter isn’t proved either, the inviter’s inviter', () => {
    const inviter = person('inviter', 'admin', { provedBy: null, invitedBy: 'mara' });
    const account = person('new', 'reviewer', { provedBy: null, invitedBy: 'inviter' });
    expect([...peopleBehind(account, known(mara, inviter, account))]).toEqual(['inviter', 'mara']);
    expect([...peopleBehind({ ...account, provedBy: 'mailbox' }, known(mara, inviter, account))]).toEqual([]);
  });

  it('remain behind it after the inviter has left or proved their address', () => {
    const account = person('new', 'reviewer', { provedBy: null, invitedBy: 'inviter', inviters: ['inviter', 'mara'] });
    const later = person('later', 'viewer', { provedBy: null, invitedBy: 'new', inviters: ['new'] });
    for (const inviter of [
      person('inviter', null, { provedBy: null, inviters: ['mara'] }),
      person('inviter', 'admin', { provedBy: 'mailbox', invitedBy: 'mara' }),
    ])
      expect([...peopleBehind(later, known(mara, inviter, account, later))]).toEqual(['new', 'inviter', 'mara']);
  });

  it('are found even if two accounts invited each other', () => {
    const one = person('one', 'admin', { provedBy: null, invitedBy: 'two' });
    const two = person('two', 'admin', { provedBy: null, invitedBy: 'one' });
    expect([...peopleBehind(one, known(one, two))]).toEqual(['two']);
  });
});

describe('a person’s confirmation', () => {
  it.each([
    ['viewer', ['editor', 'viewer']],
    ['editor', ['editor', 'viewer']],
    ['reviewer', ['editor', 'reviewer', 'viewer']],
    ['admin', ORG_ROLES],
    ['owner', ORG_ROLES],
  ] as const)('given for the role %s counts for %j', (confirmed, roles) => {
    expect(ORG_ROLES.filter((role) => confirmationCovers(confirmed, role))).toEqual(roles);
  });
});

describe('whyNotSecondTo', () => {
  it.each<[string | null, string, KnownPerson]>([
    [null, 'another proved manager', person('jon', 'admin')],
    ['founder_not_proved', 'a founder without a proof', person('jon', 'owner', { provedBy: 'founder' })],
    [null, 'a manager proved by someone else', person('jon', 'admin', { provedBy: 'manager', confirmedBy: ['eva'] })],
    ['same_person', 'the same person', mara],
    ['same_person', 'another account of the same mailbox', person('m2', 'admin', { email: 'mara+2@example.com' })],
    [
      'founder_not_proved',
      'a founder who only claims an address of the same mailbox',
      person('m2', 'owner', { email: 'mara+2@example.com', provedBy: 'founder' }),
    ],
    [
      'not_proved',
      'an unproved account with another address of the same mailbox',
      person('m2', 'admin', { email: 'mara+2@example.com', provedBy: null }),
    ],
    ['not_proved', 'an unproved manager who invited nobody', person('jon', 'admin', { provedBy: null })],
    [
      'same_person',
      'an unproved manager invited by the other',
      person('jon', 'admin', { provedBy: null, invitedBy: 'mara' }),
    ],
    [
      'vouched',
      'a manager proved by the other',
      person('jon', 'admin', { provedBy: 'manager', confirmedBy: ['mara'] }),
    ],
    [
      'made_manager_lately',
      'someone the other made a manager six days ago',
      person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(6))] }),
    ],
    [
      null,
      'someone the other made a manager eight days ago',
      person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(8))] }),
    ],
    ['made_proposer_lately', 'someone who made the other a manager six days ago', person('zoe', 'owner')],
  ])('returns %s for %s', (missing, _, other) => {
    const first = { ...mara, history: [given('owner', 'zoe', NOW - days(6))] };
    expect(whyNotSecondTo(other, first, asked(first, other, person('eva', 'owner')))).toBe(missing);
  });

  it('doesn’t accept a manager for whom only the other vouches, even through others and with different inviters', () => {
    const eva = person('eva', 'owner');
    const vouched = (id: string, ...confirmedBy: string[]) =>
      person(id, 'admin', { provedBy: 'manager', invitedBy: 'eva', inviters: ['eva'], confirmedBy });
    const missingOf = (...accounts: KnownPerson[]) =>
      accounts.map((each) => whyNotSecondTo(each, mara, asked(mara, eva, ...accounts)));
    const chain = [vouched('rick', 'mara'), vouched('paul', 'rick'), vouched('quin', 'paul')];
    expect(missingOf(...chain)).toEqual(['vouched', 'vouched', 'vouched']);
    const [, paul] = chain;
    expect(paul && whyNotSecondTo(mara, paul, asked(mara, eva, ...chain))).toBe('vouched');
    expect(paul && whyNotSecondTo(eva, paul, asked(mara, eva, ...chain))).toBeNull();
    // Both have confirmed each other.
    expect(missingOf(vouched('rick', 'mara', 'paul'), vouched('paul', 'rick'))).toEqual(['vouched', 'vouched']);
    // Someone else vouches for one of them too.
    expect(missingOf(vouched('rick', 'mara', 'eva'), vouched('paul', 'rick'))).toEqual([null, null]);
    expect(missingOf(vouched('rick', 'mara'), vouched('paul', 'rick', 'eva'))).toEqual(['vouched', null]);
  });

  it('doesn’t count a confirmation as an editor for what someone did as a manager, even after they left', () => {
    const eva = person('eva', 'owner');
    const left = (...confirmedAsManagerBy: string[]) =>
      person('rick', null, { provedBy: 'manager', confirmedBy: ['mara', 'eva'], confirmedAsManagerBy });
    const missingOf = (rick: KnownPerson) => {
      const paul = person('paul', 'admin', { provedBy: 'manager', confirmedBy: ['rick'] });
      const among = asked(mara, eva, rick, paul);
      return [whyNotSecondTo(paul, mara, among), whyNotSecondTo(mara, rick, among), whyNotSecondTo(eva, rick, among)];
    };
    expect(missingOf(left('mara'))).toEqual(['vouched', 'vouched', null]);
    expect(missingOf(left('mara', 'eva'))).toEqual([null, null, null]);
  });

  it('doesn’t accept two managers if one appointed the other six days ago, no matter which of them proposes', () => {
    const jon = person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(6))] });
    expect(whyNotSecondTo(mara, jon, asked(mara, jon))).toBe('made_proposer_lately');
    expect(
      decideConfirmation({ actorId: 'mara', proposedBy: 'jon', ...asked(mara, jon, person('eva', 'owner')) }),
    ).toMatchObject({ refusal: { missing: 'made_proposer_lately', from: NOW + days(1), who: ['eva'] } });
  });

  it('doesn’t accept someone with a role dated in the future by a wrong clock, but accepts a third manager', () => {
    const dated = (...roles: [OrgRole, number][]) =>
      person('vera', 'admin', { history: roles.map(([role, since]) => given(role, 'mara', since)) });
    const third = person('will', 'admin', { history: [given('admin', 'mara', NOW - days(8))] });
    // Roles of one person are in order, so a promotion after the correction is dated in the future too.
    for (const vera of [
      dated(['admin', NOW + days(365)]),
      dated(['viewer', NOW + days(365)], ['admin', NOW + days(365)]),
    ]) {
      const among = asked(mara, vera, third);
      expect(whyNotSecondTo(vera, mara, among)).toBe('made_manager_lately');
      expect(whyNotSecondTo(third, mara, among)).toBeNull();
      expect(whyNotSecondTo(third, vera, among)).toBeNull();
    }
  });

  it('doesn’t accept anyone for the proposal of an unproved founder', () => {
    const founder = person('jon', 'owner', { provedBy: 'founder' });
    expect(whyNotSecondTo(mara, founder, asked(mara, founder))).toBe('proposer_not_proved');
    const disabled = { ...founder, isDisabled: true };
    expect(whyNotSecondTo(mara, disabled, asked(mara, disabled))).toBe('proposer_left_unproved');
  });
});

describe('a change that needs a second manager', () => {
  const propose = (...people: KnownPerson[]) => decideProposal({ actorId: 'mara', ...asked(mara, ...people) });

  it.each<[string, KnownPerson[]]>([
    ['there is no other manager', [person('sam', 'reviewer')]],
    ['the only other manager’s account is disabled', [person('jon', 'admin', { isDisabled: true })]],
    ['the only other manager isn’t proved', [person('jon', 'admin', { provedBy: null, invitedBy: 'mara' })]],
    [
      'the other manager left eight days ago',
      [person('jon', null, { history: [given('admin', null, LONG_AGO, NOW - days(8))] })],
    ],
    [
      'the other manager is the same person with a different address',
      [person('jon', 'admin', { email: 'mara+x@example.com' })],
    ],
  ])('takes effect alone if %s', (_, people) => {
    expect(propose(...people)).toEqual({ ok: true, change: 'alone' });
  });

  it.each<[string, KnownPerson[]]>([
    ['there is another manager', [person('jon', 'admin')]],
    [
      'the other manager is a founder who could still prove their address',
      [person('jon', 'owner', { provedBy: 'founder' })],
    ],
    [
      'the other manager is proved and is the only one who vouches for the proposer',
      [person('mara', 'owner', { provedBy: 'manager', confirmedBy: ['jon'] }), person('jon', 'admin')],
    ],
    [
      'the only other manager was appointed yesterday',
      [person('jon', 'admin', { history: [given('admin', 'mara', NOW - days(1))] })],
    ],
  ])('waits if %s', (_, people) => {
    expect(propose(...people)).toEqual({ ok: true, change: 'waits' });
  });

  it('waits until the address of the founder who proposed it is proved', () => {
    const founder = person('mara', 'owner', { provedBy: 'founder' });
    const question = { actorId: 'mara', ...asked(founder, person('jon', 'admin')) };
    expect(decideProposal(question)).toEqual({ ok: true, change: 'waits' });
    expect(decideProposal({ ...question, ...asked(founder) })).toEqual({ ok: true, change: 'alone' });
    const three = asked(founder, person('jon', 'admin'), person('eva', 'admin'));
    expect(decideConfirmation({ ...three, actorId: 'jon', proposedBy: 'mara' })).toMatchObject({
      refusal: { missing: 'proposer_not_proved', from: null, who: [] },
    });
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

  it('requires another manager', () => {
    expect(confirm('jon', [jon])).toEqual({ ok: true });
    expect(confirm('mara', [jon])).toEqual({ ok: false, refusal: { code: 'proposer_cannot_confirm' } });
    expect(confirm('sam', [jon, person('sam', 'reviewer')])).toEqual({ ok: false, refusal: { code: 'forbidden' } });
    expect(confirm('gone', [jon])).toEqual({ ok: false, refusal: { code: 'forbidden' } });
  });

  it('is refused to a new manager until a given time, and lists the managers who can confirm now', () => {
    const eva = person('eva', 'admin', { history: [given('admin', 'mara', NOW - days(3))] });
    expect(confirm('eva', [jon, eva])).toEqual({
      ok: false,
      refusal: { code: 'reviewer_not_counted_yet', missing: 'made_manager_lately', from: NOW + days(4), who: ['jon'] },
    });
  });

  it('is refused to the person it is about, even if they use a different address', () => {
    const about = person('eva', 'admin');
    const other = person('eva2', 'admin', { email: 'eva+2@example.com' });
    for (const id of ['eva', 'eva2'])
      expect(confirm(id, [about, other], 'eva')).toMatchObject({ refusal: { missing: 'about_you' } });
  });

  it('is allowed even if the proposer has left', () => {
    const left = { ...mara, role: null };
    expect(decideConfirmation({ actorId: 'jon', proposedBy: 'mara', ...asked(left, jon) })).toEqual({ ok: true });
    expect(decideConfirmation({ actorId: 'jon', proposedBy: 'unknown', ...asked(jon) })).toEqual({ ok: true });
  });

  it.each<[string, Partial<KnownPerson>]>([
    ['has left', { role: null }],
    ['is no longer a manager', { role: 'editor' }],
    ['has a disabled account', { isDisabled: true }],
  ])('is refused if the proposer must be a manager but %s; the change can still be rejected', (_, changes) => {
    const question = { actorId: 'jon', proposedBy: 'mara', ...asked({ ...mara, ...changes }, jon) };
    const managed = { ...question, proposerNeeds: 'org.manage' as const };
    expect(decideConfirmation(managed)).toMatchObject({ refusal: { missing: 'proposer_gone', who: [] } });
    expect(decideRefusal(managed)).toEqual({ ok: true });
    expect(decideConfirmation(question)).toEqual({ ok: true });
  });

  it('is refused to managers appointed by a new manager, because a further invitation doesn’t shorten the wait', () => {
    const second = person('second', 'admin', { history: [given('admin', 'mara', NOW - days(3))] });
    const third = person('third', 'admin', { history: [given('admin', 'second', NOW - 1000)] });
    const twin = person('twin', 'admin', {
      email: 'second+2@example.com',
      history: [given('admin', 'second', LONG_AGO)],
    });
    for (const id of ['third', 'twin'])
      expect(confirm(id, [jon, second, third, twin])).toMatchObject({
        refusal: { missing: 'made_manager_lately', from: NOW + days(4), who: ['jon'] },
      });
  });
});
