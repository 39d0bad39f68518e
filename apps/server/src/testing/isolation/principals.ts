import { randomUUID } from 'node:crypto';
import { ORG_ROLES, type OrgRole, PERMISSION_NAMES, TOKEN_ROLES } from '@stet/domain/access';
import { SignJWT, decodeJwt } from 'jose';
import { secretKey } from '../../kernel/key-files.ts';
import { organizationToken, personalToken } from '../api-tokens.ts';
import { joinOrganization } from '../organization.ts';
import type { Client, Person, TestServer } from '../server.ts';
import type { Zephyrine } from './zephyrine.ts';

/** The relation of the caller to the organization that they have selected. */
export type Standing =
  /** No valid session or token: only public routes can be called. */
  | { kind: 'nobody' }
  /** Signed in, but without an organization. */
  | { kind: 'no_organization' }
  | { kind: 'person'; role: OrgRole }
  | { kind: 'personal' | 'organization'; role: OrgRole; scopes: readonly string[] };

export type Principal = { name: string; client: Client; standing: Standing };

const nobody = (name: string, client: Client): Principal => ({ name, client, standing: { kind: 'nobody' } });

/**
 * Callers without a session, and callers with a session or API token that has ended, was forged, or belongs to someone
 * who was removed from Zephyrine.
 */
export async function endedPrincipals(server: TestServer, { theirs, owner }: Zephyrine): Promise<Principal[]> {
  const { as, sql, anyone } = server;
  const gone = await server.signUp();
  const loggedOut = await server.signUp();
  await joinOrganization(server, loggedOut, theirs.orgId, 'admin');
  await loggedOut.post('/api/auth/logout');
  const expired = await server.signUp();
  await joinOrganization(server, expired, theirs.orgId, 'admin');
  await sql(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [expired.user.id]);
  await sql('delete from memberships where user_id = any ($1)', [[loggedOut.user.id, expired.user.id]]);

  // These tokens are created and ended here, before the organization's state is saved for the comparison.
  const revoked = await personalToken(server, owner);
  await owner.call('DELETE', `/api/tokens/${revoked.id}`);
  const over = await organizationToken(server, owner, 'admin');
  await sql(`update api_tokens set expires_at = now() - interval '1 second' where id = $1`, [over.id]);
  await joinOrganization(server, gone, theirs.orgId, 'editor');
  const ofGone = await personalToken(server, gone);
  await owner.call('DELETE', `/api/organizations/${theirs.orgId}/users/${gone.user.id}`);

  const { exp: _exp, ...claims } = decodeJwt(owner.token);
  const key = new TextEncoder().encode(secretKey(server.server.deps.config.secretKey, server.dataDir));
  const forged = (signedWith: Uint8Array, expires: string): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(signedWith);
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${owner.token.split('.')[1]}.`;
  return [
    nobody('nobody', anyone),
    nobody('someone who has logged out', loggedOut),
    nobody('someone whose session has expired', expired),
    nobody('the owner’s expired token', as(await forged(key, '-1s'))),
    nobody('the owner’s token with another signature', as(await forged(new Uint8Array(32).fill(7), '1h'))),
    nobody('the owner’s token without a signature', as(unsigned)),
    nobody('a revoked personal token', revoked),
    nobody('an expired organization token', over),
    nobody('the personal token of a removed member', ofGone),
    nobody('a token that nobody created', as(`stet_pat_${'A'.repeat(43)}`)),
  ];
}

/**
 * People with each role in other organizations, someone without an organization, and former members of Zephyrine, each
 * with the session that ended and with a new one.
 */
export async function strangers(server: TestServer, { theirs, owner, stranger }: Zephyrine): Promise<Principal[]> {
  const people: Principal[] = [
    { name: 'the owner of another organization', client: stranger, standing: { kind: 'person', role: 'owner' } },
  ];
  for (const role of ORG_ROLES.filter((each) => each !== 'owner')) {
    const client = await server.signUp();
    const path = `/api/organizations/${theirs.myOrgId}/invitations`;
    const { link } = await stranger.post<{ link: string }>(path, { email: client.user.email, role });
    await client.post(`/api/invitations/${link.split('/').at(-1)}/join`);
    people.push({ name: `the ${role} of another organization`, client, standing: { kind: 'person', role } });
  }
  // Joining created confirmations and notifications in the stranger's organization, but the probes expect none.
  await server.sql('delete from confirmations where org_id = $1', [theirs.myOrgId]);
  await server.sql('delete from notifications where org_id = $1', [theirs.myOrgId]);
  const alone = await server.signUp();
  people.push({
    name: 'someone with only a personal organization',
    client: alone,
    standing: { kind: 'person', role: 'owner' },
  });
  const withoutOrganization = await server.signUp();
  await server.sql('delete from memberships where user_id = $1', [withoutOrganization.user.id]);
  await server.sql('update users set current_org_id = null where id = $1', [withoutOrganization.user.id]);
  people.push({
    name: 'someone without an organization',
    client: withoutOrganization,
    standing: { kind: 'no_organization' },
  });
  for (const role of ['admin', 'editor'] as const) {
    const removed = await server.signUp();
    await joinOrganization(server, removed, theirs.orgId, role);
    await removed.get('/api/workflows');
    const { email } = removed.user;
    const { status } = await owner.call('DELETE', `/api/organizations/${theirs.orgId}/users/${removed.user.id}`);
    if (status >= 400) throw new Error(`the ${role} could not be removed: ${status}`);
    people.push(nobody(`a removed ${role}`, removed));
    const again = { email, password: 'a long enough one' };
    const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', again);
    people.push({
      name: `a removed ${role} who has signed in again`,
      client: server.as(token),
      standing: { kind: 'person', role: 'owner' },
    });
  }
  return people;
}

/**
 * API tokens of the organization that `maker` has selected: with each single scope, with all scopes, with made-up
 * scopes, and with each role. They include scopes that their kind can't have.
 */
export async function tokensOf(server: TestServer, whose: string, maker: Person): Promise<Principal[]> {
  const widened = async (token: Client & { id: string }, scopes: readonly string[]): Promise<void> => {
    await server.sql('update api_tokens set scopes = $2 where id = $1', [token.id, scopes]);
  };
  const found: Principal[] = [];
  for (const scopes of [...PERMISSION_NAMES.map((name) => [name]), PERMISSION_NAMES, ['everything', '*']]) {
    const called = scopes.length === 1 ? scopes[0] : scopes.length === 2 ? 'made-up scopes' : 'all scopes';
    const own = await personalToken(server, maker);
    await widened(own, scopes);
    found.push({
      name: `${whose} personal token: ${called}`,
      client: own,
      standing: { kind: 'personal', role: 'owner', scopes },
    });
    const common = await organizationToken(server, maker, 'admin');
    await widened(common, scopes);
    found.push({
      name: `${whose} organization token: ${called}`,
      client: common,
      standing: { kind: 'organization', role: 'admin', scopes },
    });
  }
  for (const role of TOKEN_ROLES.filter((each) => each !== 'admin')) {
    const token = await organizationToken(server, maker, role);
    await widened(token, PERMISSION_NAMES);
    found.push({
      name: `${whose} organization token with the role ${role}`,
      client: token,
      standing: { kind: 'organization', role, scopes: PERMISSION_NAMES },
    });
  }
  return found;
}

/** Members of Zephyrine with each role except owner. */
export async function members(server: TestServer, { theirs, reviewer }: Zephyrine): Promise<Principal[]> {
  const people: Principal[] = [
    { name: 'its reviewer', client: reviewer, standing: { kind: 'person', role: 'reviewer' } },
  ];
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    const client = await server.signUp({ name: `Insider ${randomUUID().slice(0, 8)}` });
    await joinOrganization(server, client, theirs.orgId, role);
    people.push({ name: `its ${role}`, client, standing: { kind: 'person', role } });
  }
  return people;
}
