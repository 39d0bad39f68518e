import { COOLING, type KnownPerson, type RolePeriod } from './known-person.ts';
import type { OrgRole } from './roles.ts';

/** The current time in tests of second people, in ms since 1970. */
export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const days = (count: number): number => count * 24 * 60 * 60 * 1000;
/** A time before any cooling period. */
export const LONG_AGO = NOW - 3 * COOLING;

/** Returns a role that someone gave; it is current unless `until` is set. */
export const given = (role: OrgRole, by: string | null, since = LONG_AGO, until: number | null = null): RolePeriod => ({
  role,
  givenBy: by,
  since,
  until,
});

/** Returns a member with this role and a proved mailbox, not added by anyone. */
export const person = (id: string, role: OrgRole | null, changes: Partial<KnownPerson> = {}): KnownPerson => ({
  id,
  name: id,
  email: `${id}@example.com`,
  role,
  isDisabled: false,
  provedBy: 'mailbox',
  invitedBy: null,
  inviters: [],
  confirmedBy: [],
  confirmedAsManagerBy: changes.confirmedBy ?? [],
  hasProvider: false,
  history: [],
  ...changes,
});

export const known = (...people: KnownPerson[]): ReadonlyMap<string, KnownPerson> =>
  new Map(people.map((each) => [each.id, each]));
