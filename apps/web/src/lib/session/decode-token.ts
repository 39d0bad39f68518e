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
 * Reads the user from the token: id, email, name and role, but no organization or permissions. It is used while the
 * server can't be reached or fails (specification, section 7). The token isn't verified here, because the server checks
 * each call. Returns null if the text isn't a token.
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
    // The token doesn't say how the address was proved, so we assume that it was.
    provedBy: 'earlier',
    withheldPermissions: [],
    organizations: [],
    customRoleId: null,
  };
}
