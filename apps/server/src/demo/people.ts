import type { User } from '@stet/contract';
import { appendAudit } from '../modules/audit/append-audit.ts';
import { insertMembership, proveAccount, setCurrentOrganization } from '../modules/accounts/accounts.sql.ts';
import type { Server } from '../server.ts';
import { type Call, CallRefused, callAs } from './api.ts';
import { CAST, type CastMember, EVERYONE, NEWCOMER, PASSWORD, TEAM, type Who } from './cast.ts';
import { findMembership, muteMembers } from './demo.sql.ts';

export type Person = CastMember & { id: string; call: Call };
export type People = Record<Who, Person> & { orgId: string };

/**
 * Signs everyone up, or in if they already have accounts, and makes them members of the team with proved addresses.
 * Turns off their emails.
 */
export async function gatherPeople({ url, deps }: Server): Promise<People> {
  const { mara, ...others } = CAST;
  const founding = { accountType: 'organization', organizationName: TEAM.name, organizationSlug: TEAM.slug };
  const founder = await enter(url, mara, founding);
  const orgId = founder.user.organizations.find(({ slug }) => slug === TEAM.slug)?.id;
  if (orgId === undefined) throw new Error(`${mara.name} has an account but is not a member of ${TEAM.name}`);

  const people: Partial<Record<Who, Person>> = { mara: { ...mara, ...founder } };
  for (const who of EVERYONE) {
    if (who === 'mara') continue;
    const person = { ...others[who], ...(await enter(url, others[who])) };
    await join(deps, orgId, person);
    people[who] = person;
  }
  await deps.db.transaction({ orgId, userId: null }, async (tx) => {
    tx.write(muteMembers, { orgId });
    // Proves the addresses as if everyone had entered the mailed code.
    for (const person of Object.values(people)) tx.write(proveAccount, { userId: person.id, provedBy: 'mailbox' });
  });
  return { orgId, ...(people as Record<Who, Person>) };
}

/** Signs up the newcomer, who has a personal account. */
export async function welcomeNewcomer(url: string): Promise<void> {
  await enter(url, NEWCOMER);
}

type SignedIn = { token: string; user: User };

/**
 * Signs up a person, with a personal account unless the person founds a team. Signs the person in if the email address
 * is already registered.
 */
async function enter(
  url: string,
  { name, email }: { name: string; email: string },
  founding: object = {},
): Promise<{ id: string; user: User; call: Call }> {
  const anyone = callAs(url, null);
  const body = { name, email, password: PASSWORD, ...founding };
  const { token, user } = await anyone<SignedIn>('POST', '/api/auth/signup', { body }).catch((error: unknown) => {
    if (!(error instanceof CallRefused && error.status === 409)) throw error;
    return anyone<SignedIn>('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  });
  return { id: user.id, user, call: callAs(url, token) };
}

/** Makes a person a member and selects the team, as accepting an invitation does. */
async function join({ db }: Server['deps'], orgId: string, { id: userId, name, email, role }: Person): Promise<void> {
  await db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    if (await tx.maybeOne(findMembership, { orgId, userId })) return;
    tx.write(insertMembership, { orgId, userId, role });
    tx.write(setCurrentOrganization, { userId, orgId });
    const actor = { id: userId, name, email, kind: 'user' as const };
    appendAudit(tx, [{ actor, action: 'member.joined', subject: { type: 'user', id: userId }, data: { role } }]);
  });
}
