import { type Permission, type TokenRole, scopesFor } from '@stet/domain/access';
import type { Client, Person, TestServer } from './server.ts';

export type CreatedToken = { secret: string; token: { id: string } };
type TokenClient = Client & { id: string; secret: string };

/** Creates a personal token, by default with all scopes that the person can give it. Returns a client that uses it. */
export async function personalToken(
  { as }: TestServer,
  person: Person,
  scopes?: readonly Permission[],
): Promise<TokenClient> {
  const { orgRole } = await person.get<{ orgRole: 'owner' }>('/api/auth/me');
  const body = { name: 'CI', scopes: scopes ?? scopesFor('personal', orgRole), expiresInDays: 30 };
  const { secret, token } = await person.post<CreatedToken>('/api/tokens', body);
  return { ...as(secret), id: token.id, secret };
}

/** Creates an organization token as a manager. Returns a client that uses it. */
export async function organizationToken(
  { as }: TestServer,
  manager: Person,
  role: TokenRole,
  scopes: readonly Permission[] = scopesFor('organization', role),
): Promise<TokenClient> {
  const { currentOrgId } = await manager.get<{ currentOrgId: string }>('/api/auth/me');
  const body = { name: 'Robot', role, scopes, expiresInDays: null };
  const { secret, token } = await manager.post<CreatedToken>(`/api/organizations/${currentOrgId}/tokens`, body);
  return { ...as(secret), id: token.id, secret };
}
