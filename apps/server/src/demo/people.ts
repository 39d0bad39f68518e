import type { Confirmation, User } from '@stet/contract';
import { HOUR_MS, MINUTE_MS } from '@stet/domain/sla';
import { sendAddressCode } from '../modules/accounts/prove-address.ts';
import { sendInvitation } from '../modules/invitations/send-invitation.job.ts';
import { type Call, callAs } from './api.ts';
import { CAST, type CastMember, EVERYONE, NEWCOMER, PASSWORD, TEAM, type Who } from './cast.ts';
import { workingTimeBefore } from './schedule.ts';
import { type Moment, type Person, type Stage, lettersOf } from './stage.ts';

export type People = Record<Who, Person> & { orgId: string };

type SignedIn = { token: string; user: User };

/** Time after which a person signs in again. Sessions end after 12 hours. */
const SESSION_MS = 10 * HOUR_MS;

const OTHERS = EVERYONE.filter((who) => who !== 'mara' && who !== 'tomas');

/**
 * The moments in which the team is founded and everyone joins it, all before `first`. The owner founds it, proves her
 * address and invites an admin. The admin invites the others, who accept the mailed invitations during the next days.
 * The owner confirms the people who can approve, so that no approval has a mark.
 */
export function peopleMoments(stage: Stage, first: number): { people: People; moments: Moment[] } {
  const people = { orgId: '', ...castOf(stage) } as People;
  const anyone = callAs(stage.server.url, null);
  // Counted back from the first draft, in hours of working time. A working day has nine hours.
  const before = (hours: number): number => workingTimeBefore(first, hours * HOUR_MS);
  const found = async (): Promise<void> => {
    const { name, email } = CAST.mara;
    const founding = { accountType: 'organization', organizationName: TEAM.name, organizationSlug: TEAM.slug };
    const body = { name, email, password: PASSWORD, ...founding };
    const { user } = await anyone<SignedIn>('POST', '/api/auth/signup', { body });
    people.orgId = user.currentOrgId ?? '';
    await mute(stage, email);
  };
  const prove = async (): Promise<void> => {
    await people.mara.call('POST', '/api/auth/prove-address/code');
    const [letter] = await lettersOf(stage, 'send_address_code', sendAddressCode);
    await stage.clock.moveTo(stage.clock.now() + 2 * MINUTE_MS);
    await people.mara.call('POST', '/api/auth/prove-address', { body: { code: letter?.facts?.[0]?.[1] } });
  };
  const moments: Moment[] = [
    { at: before(60), play: found },
    { at: before(59.7), by: people.mara, play: prove },
    ...joinMoments(stage, people, { who: 'tomas', inviter: 'mara', sent: before(59), accepted: before(55) }),
    ...OTHERS.flatMap((who, n) =>
      joinMoments(stage, people, {
        who,
        inviter: 'tomas',
        sent: before(50 - n / 20),
        accepted: before(46 - n * 7),
      }),
    ),
    { at: before(9), by: people.mara, play: () => confirmAll(people.mara) },
  ];
  return { people, moments };
}

type Joining = { who: Who; inviter: Who; sent: number; accepted: number };

function joinMoments(stage: Stage, people: People, { who, inviter, sent, accepted }: Joining): Moment[] {
  const { name, email, role } = CAST[who];
  let token = '';
  const invite = async (): Promise<void> => {
    const path = `/api/organizations/${people.orgId}/invitations`;
    await people[inviter].call('POST', path, { body: { email, role } });
    const [letter] = await lettersOf(stage, 'send_invitation', sendInvitation);
    token = letter?.action.url.split('/').at(-1) ?? '';
  };
  const accept = async (): Promise<void> => {
    const body = { name, password: PASSWORD };
    await callAs(stage.server.url, null)('POST', `/api/invitations/${token}/accept`, { body });
    await mute(stage, email);
  };
  return [
    { at: sent, by: people[inviter], play: invite },
    { at: accepted, play: accept },
  ];
}

async function confirmAll({ call }: Person): Promise<void> {
  for (const { id, abilities } of await call<Confirmation[]>('GET', '/api/confirmations'))
    if (abilities.confirm) await call('POST', `/api/confirmations/${id}/confirm`);
}

/** Signs up the newcomer, who has a personal account. */
export const newcomerMoment = ({ server }: Stage, at: number): Moment => ({
  at,
  play: () => callAs(server.url, null)('POST', '/api/auth/signup', { body: { ...NEWCOMER, password: PASSWORD } }),
});

const castOf = (stage: Stage): Record<Who, Person> =>
  Object.fromEntries(EVERYONE.map((who) => [who, personOf(stage, CAST[who])])) as Record<Who, Person>;

function personOf({ server, clock }: Stage, { email }: CastMember): Person {
  const anyone = callAs(server.url, null);
  let session: { call: Call; until: number } | null = null;
  const hasSession = (): boolean => session !== null && session.until > clock.now();
  const signIn = async (): Promise<void> => {
    const until = clock.now() + SESSION_MS;
    const { token } = await anyone<SignedIn>('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    session = { call: callAs(server.url, token), until };
  };
  const call: Call = async (method, path, send) => {
    if (!hasSession()) await signIn();
    if (!session) throw new Error(`${email} has no session`);
    return session.call(method, path, send);
  };
  return { call, hasSession, signIn };
}

/** Turns off email to a member while the demo is being filled. */
async function mute({ owner }: Stage, email: string): Promise<void> {
  await owner.query(
    `insert into notification_preferences (org_id, user_id, news, channel, pace)
     select m.org_id, m.user_id, kind, 'email', 'off'
     from memberships m join users u on u.id = m.user_id
     cross join unnest(array['assignments', 'sla', 'review_requests', 'decisions', 'mentions']) kind
     where u.email = $1`,
    [email],
  );
}
