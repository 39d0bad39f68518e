import { describe, expect, it } from 'vitest';
import { PROOFS, type AccountStanding, mailboxOf, canDecideSteps, withheldPermissions } from './proof.ts';

describe('the mailbox of an address', () => {
  it.each([
    ['Mara+Second@Example.com ', 'mara@example.com'],
    ['mara@example.com', 'mara@example.com'],
    ['a+b+c@x.org', 'a@x.org'],
  ])('is derived from %j as %j', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});

describe('an account', () => {
  const account = (changes: Partial<AccountStanding>): AccountStanding => ({
    provedBy: null,
    alsoCountsAs: [],
    sureInviters: [],
    sameMailbox: [],
    hasSecondManager: false,
    secondManagerUntil: null,
    isManaged: false,
    vouchedBy: [],
    onlyVouchers: [],
    isStrict: false,
    roleByOwnHand: false,
    roleGiven: null,
    ...changes,
  });

  it('has all permissions of its role once it is proved in any way', () => {
    for (const provedBy of PROOFS)
      expect(withheldPermissions(account({ provedBy, hasSecondManager: true, isManaged: true }))).toEqual([]);
  });

  it('can’t review or merge while unproved if someone could confirm it, nor manage alongside another manager', () => {
    expect(withheldPermissions(account({ hasSecondManager: true, isManaged: true }))).toEqual([
      'draft.review',
      'draft.merge',
      'org.manage',
      'workflow.archive',
    ]);
    expect(withheldPermissions(account({ isManaged: true }))).toEqual(['org.manage', 'workflow.archive']);
    expect(withheldPermissions(account({}))).toEqual([]);
  });

  it('can’t decide steps while unproved, unless nobody else could confirm it', () => {
    for (const provedBy of PROOFS) expect(canDecideSteps(account({ provedBy, hasSecondManager: true }))).toBe(true);
    expect(canDecideSteps(account({ hasSecondManager: true }))).toBe(false);
    expect(canDecideSteps(account({ isManaged: true }))).toBe(true);
  });
});
