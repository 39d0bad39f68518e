import type { Permission } from './permissions.ts';

/**
 * How a person is proved in an organization. `mailbox`: by a code or link that was mailed to their address. `provider`: by
 * the identity provider. `earlier`: their account is older than proofs. `manager`: an owner or admin other than their
 * inviter confirmed them, in this organization only. `founder`: they founded it and need no proof here.
 */
export const PROOFS = ['mailbox', 'provider', 'manager', 'founder', 'earlier'] as const;
export type Proof = (typeof PROOFS)[number];

/** True for a proof that rests on nobody's word in the organization: the address itself, or the identity provider. */
export const isFirstHand = (proof: Proof | null): boolean =>
  proof === 'mailbox' || proof === 'provider' || proof === 'earlier';

/**
 * The mailbox behind an address: what follows a `+` in its local part only sorts the mail of one mailbox (RFC 5233). Two
 * accounts of one mailbox are one person to every rule that asks for two.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  return `${local.split('+')[0]}@${domain}`;
}

/** An account as far as its proof in the selected organization limits what it may do. */
export type AccountStanding = {
  provedBy: Proof | null;
  /** Who invited the account, and who invited them while they weren't proved either: its acts also count as theirs. */
  alsoCountsAs: readonly string[];
  /** Other accounts of the same mailbox, in any organization. */
  sameMailbox: readonly string[];
  /** True if there is, or was within the last 7 days, a proved manager other than the account and those behind it. */
  hasSecondManager: boolean;
  /** When the last such manager of the past stops counting, in ms since 1970; null if there is one now, or none at all. */
  secondManagerUntil: number | null;
  /** True if any other proved manager, the inviter included, manages the organization now. */
  isManaged: boolean;
};

/** True if an account may decide steps of runs: it is proved, or no other manager could confirm it (who may act, rule 2). */
export const mayDecideSteps = ({ provedBy, hasSecondManager }: AccountStanding): boolean =>
  provedBy !== null || !hasSecondManager;

const REVIEWING: readonly Permission[] = ['draft.review', 'draft.merge'];
const MANAGING: readonly Permission[] = ['org.manage', 'workflow.archive'];

/**
 * The permissions that an account doesn't have until it is proved (who may act, rule 2). It can draft and run steps; it
 * reviews and merges only if no other manager could confirm it, and manages only if nobody else does.
 */
export function withheldPermissions(account: AccountStanding): readonly Permission[] {
  if (account.provedBy !== null) return [];
  return [
    ...(account.hasSecondManager ? REVIEWING : []),
    ...(account.hasSecondManager || account.isManaged ? MANAGING : []),
  ];
}
