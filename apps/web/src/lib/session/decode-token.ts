import type { User } from '@stet/contract';

const ROLES: readonly string[] = ['editor', 'reviewer', 'viewer'] satisfies User['role'][];
const isRole = (value: unknown): value is User['role'] => typeof value === 'string' && ROLES.includes(value);

function payloadOf(token: string): Record<string, unknown> | null {
  const middle = token.split('.')[1];
  if (!middle) return null;
  try {
    const binary = atob(middle.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
    const payload: unknown = JSON.parse(text);
    return typeof payload === 'object' && payload !== null ? { ...payload } : null;
  } catch {
    return null;
  }
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The user as far as the token tells: id, email, name, role; no organization, no rights. For when the server can't be
 * asked (specification, section 7). Nothing is trusted to it: the server checks each call. Null for what isn't a token.
 */
export function decodeToken(token: string): User | null {
  const payload = payloadOf(token);
  const id = words(payload?.['sub'] ?? payload?.['id']);
  if (!payload || id === '') return null;
  const role = payload['role'];
  return {
    id,
    email: words(payload['email']),
    name: words(payload['name']) || words(payload['email']),
    role: isRole(role) ? role : 'viewer',
    currentOrgId: null,
    orgRole: null,
    orgPermissions: [],
    // What the token doesn't say is no reason to ask for a proof.
    provedBy: 'earlier',
    withheldPermissions: [],
    organizations: [],
    customRoleId: null,
  };
}
