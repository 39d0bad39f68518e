import { canonicalEmail } from './email-address.ts';
import type { Permission } from './permissions.ts';

/**
 * How a person is proved in an organization. `mailbox`: with a code or link mailed to their address. `provider`: by the
 * identity provider. `earlier`: their account was created before proofs existed. `manager`: an owner or admin other
 * than their inviter confirmed them, in this organization only. `founder`: they founded the organization. In it, they
 * need another proof only under strict reviews, and to propose or confirm a change that needs a second manager.
 */
export const PROOFS = ['mailbox', 'provider', 'manager', 'founder', 'earlier'] as const;
export type Proof = (typeof PROOFS)[number];

/**
 * True for a proof that doesn't depend on anyone in the organization: the mailbox, the identity provider, or an account
 * older than proofs.
 */
export const isFirstHand = (proof: Proof | null): boolean =>
  proof === 'mailbox' || proof === 'provider' || proof === 'earlier';

/**
 * Returns the mailbox of an address. Text after a `+` in the local part only sorts mail within one mailbox (RFC 5233),
 * and Gmail ignores dots. Two accounts with one mailbox count as one person in every rule that requires two.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = (canonicalEmail(email) ?? email.trim().toLowerCase()).split('@');
  const name = local.split('+', 1)[0] ?? '';
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** An account's proof in the selected organization, and everything else that limits its permissions. */
export type AccountStanding = {
  provedBy: Proof | null;
  /** Managers with a proved address who confirmed the account in this organization. */
  vouchedBy: readonly string[];
  /** `vouchedBy` if it is only one person, with all accounts of their mailbox; otherwise empty. */
  onlyVouchers: readonly string[];
  /**
   * The account's inviter, and their inviters if they weren't proved either; for a token, also all its former owners.
   * The account's actions also count as theirs if it has a second manager, or if reviews are strict.
   */
  alsoCountsAs: readonly string[];
  /**
   * The people in `alsoCountsAs` who certainly gave the account its link, because no one else saw it, and their other
   * proved accounts. For a token, also all its former owners and the accounts of their mailboxes.
   */
  sureInviters: readonly string[];
  /** Other accounts of the same mailbox, in any organization; for a token, also those of all its former owners. */
  sameMailbox: readonly string[];
  /**
   * True if the account isn't proved and, now or within the last 7 days, a proved manager wasn't behind it, or two
   * managers with different mailboxes were. Always false for proved accounts, like `isManaged`.
   */
  hasSecondManager: boolean;
  /**
   * When the last such former manager stops counting, in ms since 1970. Null if there is a current one, or none at all.
   */
  secondManagerUntil: number | null;
  /** True if another proved manager, possibly the inviter, manages the organization now. */
  isManaged: boolean;
  /**
   * True if the account gave itself its role within the last 7 days: directly, with another account of the same
   * mailbox, or with an account that only it vouches for.
   */
  roleByOwnHand: boolean;
  /** Since when the person has the current role, in epoch milliseconds; null outside of an organization. */
  roleGiven: { since: number } | null;
  /** True if the organization reviews strictly; only set for accounts without a proved address. */
  isStrict: boolean;
};

/** True if the address is proved, or a manager whose own address is proved vouches for the account. */
export const hasProvedAddress = ({ provedBy, vouchedBy }: AccountStanding): boolean =>
  isFirstHand(provedBy) || vouchedBy.length > 0;

/**
 * True if an account may decide steps of runs: it is proved, or no other manager could confirm it
 * (docs/second-person.md). With strict reviews it needs a proved address.
 */
export const canDecideSteps = (account: AccountStanding): boolean =>
  hasProvedAddress(account) || (!account.isStrict && (account.provedBy !== null || !account.hasSecondManager));

const REVIEWING: readonly Permission[] = ['draft.review', 'draft.merge'];
const MANAGING: readonly Permission[] = ['org.manage', 'workflow.archive'];

/**
 * Permissions that an account lacks until it is proved (docs/second-person.md). It can edit drafts and run steps. It
 * can review and merge only if no other manager could confirm it, and manage only if nobody else manages the
 * organization either.
 */
export function withheldPermissions(account: AccountStanding): readonly Permission[] {
  if (account.provedBy !== null) return [];
  return [
    ...(account.hasSecondManager ? REVIEWING : []),
    ...(account.hasSecondManager || account.isManaged ? MANAGING : []),
  ];
}
