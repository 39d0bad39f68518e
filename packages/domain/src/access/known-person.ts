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
  provedBy: Proof | null;
  invitedBy: string | null;
  /** Managers who confirmed this person in the organization, for their current role or one with more permissions. */
  confirmedBy: readonly string[];
  /** True if the person signs in through the identity provider. */
  hasProvider: boolean;
  /** All roles that the person has or had, in any order. */
  history: readonly RolePeriod[];
};

/** Returns when someone last had a permission: `now`, a time in ms since 1970 less than `COOLING` ago, or null. */
export function lastHeld(
  { role, history }: Pick<KnownPerson, 'role' | 'history'>,
  permission: 'org.manage' | 'draft.review',
  at: number,
): 'now' | number | null {
  if (role !== null && roleHas(role, permission)) return 'now';
  const ended = history.flatMap((period) =>
    period.until !== null && roleHas(period.role, permission) && period.until + COOLING > at ? [period.until] : [],
  );
  return ended.length === 0 ? null : Math.max(...ended);
}

/**
 * Returns the ids of the people behind this person: their inviters while unproved. The person's actions count as theirs
 * too.
 */
export function peopleBehind(person: KnownPerson, people: ReadonlyMap<string, KnownPerson>): Set<string> {
  const behind = new Set<string>();
  let next: KnownPerson | undefined = person;
  while (next?.provedBy === null && next.invitedBy !== null && !behind.has(next.invitedBy)) {
    behind.add(next.invitedBy);
    next = people.get(next.invitedBy);
  }
  behind.delete(person.id);
  return behind;
}
