import fc from 'fast-check';
import { confirmationCovers } from './confirmations.ts';
import type { KnownPerson } from './known-person.ts';
import { days, LONG_AGO, person } from './known-person.scenario.ts';
import { roleHas } from './permissions.ts';
import { mailboxOf } from './proof.ts';
import type { OrgRole } from './roles.ts';

const IDS = ['a0', 'a1', 'a2', 'a3', 'a4'];
const EMAILS = ['m0@example.com', 'm1@example.com', 'm2@example.com', 'm1+x@example.com', 'm3@example.com'];

/** Something that happens to the accounts `who` and `by` of a team. Impossible events have no effect. */
export type TeamEvent =
  /** `isMailed`: they used the mailed link. */
  | { kind: 'joins'; who: string; by: string; role: OrgRole; isMailed: boolean }
  | { kind: 'gets a role'; who: string; by: string; role: OrgRole }
  | { kind: 'is confirmed'; who: string; by: string }
  | { kind: 'proves the address' | 'signs in with the provider' | 'leaves'; who: string };

const who = fc.constantFrom(...IDS);
const role = fc.constantFrom<OrgRole>('admin', 'admin', 'reviewer', 'reviewer', 'editor');

/** Returns an arbitrary event of one of these kinds. */
export const eventOf = (...kinds: readonly TeamEvent['kind'][]): fc.Arbitrary<TeamEvent> =>
  fc.record({ kind: fc.constantFrom(...kinds), who, by: who, role, isMailed: fc.boolean() });

const KINDS = [
  'joins',
  'joins',
  'gets a role',
  'is confirmed',
  'is confirmed',
  'proves the address',
  'leaves',
] as const;
const joinOf = (id: string): fc.Arbitrary<TeamEvent> => eventOf('joins').map((event) => ({ ...event, who: id }));

/** A random history of a team. At the beginning, each account joins if its inviter is a manager then. */
export const teamEvents: fc.Arbitrary<TeamEvent[]> = fc
  .tuple(
    fc.subarray<TeamEvent>([{ kind: 'proves the address', who: 'a0' }]),
    ...IDS.slice(1).map(joinOf),
    fc.array(eventOf(...KINDS, 'signs in with the provider'), { maxLength: 12 }),
  )
  .map(([proof, ...rest]) => [proof, ...rest].flat());

/** True unless the event could end an earlier confirmation of the same account, or replace its inviter. */
export const endsNothing = (events: readonly TeamEvent[], { kind, who: id }: TeamEvent): boolean =>
  !events.some(
    (each) => each.who === id && (each.kind === 'is confirmed' || (kind === 'joins' && each.kind === 'joins')),
  );

type Member = KnownPerson & { confirmations: { by: string; role: OrgRole }[]; isProved: boolean };

/** Returns the members of a team founded by a0 after these events, one event per day. */
export function teamAfter(events: readonly TeamEvent[]): KnownPerson[] {
  const members = new Map<string, Member>();
  const add = (id: string, by: string | null, as: OrgRole, since: number): void => {
    const former = members.get(id);
    members.set(id, {
      ...person(id, as, { email: EMAILS[IDS.indexOf(id)] ?? '', invitedBy: by }),
      confirmations: [],
      isProved: false,
      ...(former && {
        confirmations: former.confirmations,
        isProved: former.isProved,
        hasProvider: former.hasProvider,
      }),
      history: [...(former?.history ?? []), { role: as, givenBy: by, since, until: null }],
    });
  };
  add('a0', null, 'owner', LONG_AGO);
  events.forEach((event, n) => {
    const at = LONG_AGO + days(n + 1);
    const member = members.get(event.who);
    const by = 'by' in event ? members.get(event.by) : undefined;
    const isByManager =
      by !== undefined &&
      by.role !== null &&
      roleHas(by.role, 'org.manage') &&
      by.id !== event.who &&
      known(by).provedBy !== null;
    const endRole = (): void => {
      if (member) member.history = member.history.map((each) => ({ ...each, until: each.until ?? at }));
    };
    switch (event.kind) {
      case 'joins':
        if (!isByManager || (member?.role ?? null) !== null) return;
        add(event.who, event.by, event.role, at);
        if (event.isMailed) members.set(event.who, { ...(members.get(event.who) as Member), isProved: true });
        return;
      case 'gets a role':
        if (!isByManager || !member?.role) return;
        endRole();
        member.role = event.role;
        member.history = [...member.history, { role: event.role, givenBy: event.by, since: at, until: null }];
        return;
      case 'is confirmed':
        if (!isByManager || !member?.role || !by.isProved || member.invitedBy === by.id) return;
        if (mailboxOf(by.email) !== mailboxOf(member.email))
          member.confirmations = [...member.confirmations, { by: by.id, role: member.role }];
        return;
      case 'proves the address':
        if (member) member.isProved = true;
        return;
      case 'signs in with the provider':
        if (member) member.hasProvider = true;
        return;
      case 'leaves':
        if (!member || member.id === 'a0') return;
        endRole();
        member.role = null;
    }
  });
  return [...members.values()].map(known);
}

function known({ confirmations, isProved, ...account }: Member): KnownPerson {
  const counting = confirmations.filter(
    ({ role: as }) => account.role === null || confirmationCovers(as, account.role),
  );
  const proof = account.hasProvider ? 'provider' : isProved ? 'mailbox' : counting.length > 0 ? 'manager' : null;
  return {
    ...account,
    confirmedBy: [...new Set(counting.map(({ by }) => by))],
    confirmedAsManagerBy: [
      ...new Set(confirmations.flatMap(({ by, role }) => (roleHas(role, 'org.manage') ? [by] : []))),
    ],
    provedBy: proof ?? (account.id === 'a0' ? 'founder' : null),
  };
}
