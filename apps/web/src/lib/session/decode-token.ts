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
 * The user from the token: id, email, name, role; without organization and permissions. Used if the server can't be
 * reached (specification, section 7). It isn't trusted: the server checks each call. Null for anything but a token.
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
    // A token without this field doesn't mean that a proof is missing.
    provedBy: 'earlier',
    withheldPermissions: [],
    organizations: [],
    customRoleId: null,
  };
}
