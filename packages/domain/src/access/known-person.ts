import { roleHas } from './permissions.ts';
import type { Proof } from './proof.ts';
import type { OrgRole } from './roles.ts';

/**
 * A duration in ms. For this long, a former manager or reviewer still counts as someone who could have been asked, and
 * a new manager can't confirm changes by the manager who appointed them.
 */
export const COOLING = 7 * 24 * 60 * 60 * 1000;

/** A role that someone has or had; times in ms since 1970, `until` null while current. */
export type RolePeriod = { role: OrgRole; givenBy: string | null; since: number; until: number | null };

/** A person, with the facts that the rules about second people use. */
export type KnownPerson = {
  id: string;
  name: string;
  email: string;
  /** Null for a former member. */
  role: OrgRole | null;
  /** True if the administrator disabled the account, so the person can't decide anything now. */
  isDisabled: boolean;
  provedBy: Proof | null;
  invitedBy: string | null;
  /**
   * The inviter and everyone who may have been behind them when they sent the invitation, also for a former member.
   * Empty if the account is proved first hand.
   */
  inviters: readonly string[];
  /** Managers who confirmed this person in the organization, for their current role or one with more permissions. */
  confirmedBy: readonly string[];
  /** Those who confirmed them as an owner or admin, even if they no longer are one. */
  confirmedAsManagerBy: readonly string[];
  /** True if the person signs in through the identity provider. */
  hasProvider: boolean;
  /** All roles that the person has or had, in any order. */
  history: readonly RolePeriod[];
};

/**
 * Returns when someone last had a permission: `now`, a time in ms since 1970 less than `COOLING` ago, or null. A person
 * with a disabled account counts as if they had left long ago.
 */
export function lastHeld(
  { role, history, isDisabled }: Pick<KnownPerson, 'role' | 'history' | 'isDisabled'>,
  permission: 'org.manage' | 'draft.review',
  at: number,
): 'now' | number | null {
  if (isDisabled) return null;
  if (role !== null && roleHas(role, permission)) return 'now';
  const ended = history.flatMap((period) =>
    period.until !== null && roleHas(period.role, permission) && period.until + COOLING > at ? [period.until] : [],
  );
  return ended.length === 0 ? null : Math.max(...ended);
}

/** Returns the inviter of an account, and everyone who may have been behind the inviter. */
export const invitersOf = ({ invitedBy, inviters }: Pick<KnownPerson, 'invitedBy' | 'inviters'>): readonly string[] =>
  invitedBy === null ? inviters : [invitedBy, ...inviters];

/**
 * Returns the ids of the people behind this person: their inviters until they are proved, even if the inviters have
 * left. The person's actions count as theirs too.
 */
export function peopleBehind(person: KnownPerson, people: ReadonlyMap<string, KnownPerson>): Set<string> {
  const behind = new Set<string>();
  const reached = [person];
  for (const each of reached) {
    if (each.provedBy !== null) continue;
    for (const id of invitersOf(each)) {
      const inviter = people.get(id);
      if (inviter && !behind.has(id)) reached.push(inviter);
      behind.add(id);
    }
  }
  behind.delete(person.id);
  return behind;
}
