import { afterEach, expect, test, vi } from 'vitest';
import { aToken } from '../../testing/records.ts';
import { decodeToken } from './decode-token.ts';
import { session } from './session.ts';

afterEach(() => {
  session.end('logout');
  localStorage.clear();
});

test('migrates a session of the older client once', () => {
  localStorage.setItem('ap_token', 'legacy');
  expect(session.token()).toBe('legacy');
  expect(localStorage.getItem('stet_token')).toBe('legacy');
  expect(localStorage.getItem('ap_token')).toBeNull();
  session.end('logout');
  expect(session.token()).toBeNull();
});

test('doesn’t replace the current session with one of the older client', () => {
  session.begin('current');
  localStorage.setItem('ap_token', 'legacy');
  expect(session.token()).toBe('current');
  expect(localStorage.getItem('ap_token')).toBeNull();
});

test('logging out in another tab ends the session in this one', () => {
  session.begin('current');
  const listener = vi.fn<() => void>();
  const stop = session.subscribe(listener);
  localStorage.removeItem('stet_token');
  window.dispatchEvent(new StorageEvent('storage', { key: 'stet_token', newValue: null }));
  stop();
  expect(listener).toHaveBeenCalledOnce();
  expect(session.token()).toBeNull();
  expect(session.lastEnd()).toBe('logout');
});

test('reads id, email, role and a non-ASCII name from a token, but no permissions', () => {
  const user = decodeToken(aToken({ sub: 'u1', email: 'zoe@example.com', name: 'Zoë Ångström', role: 'reviewer' }));
  expect(user).toMatchObject({
    id: 'u1',
    email: 'zoe@example.com',
    name: 'Zoë Ångström',
    role: 'reviewer',
    orgPermissions: [],
    organizations: [],
  });
});

test('reads an unknown role as the lowest one', () => {
  expect(decodeToken(aToken({ sub: 'u1', role: 'root' }))?.role).toBe('viewer');
});

test.each(['', 'x', 'a.b.c', 'a.e30.c', `a.${btoa('"text"')}.c`])('rejects %j as a token', (text) => {
  expect(decodeToken(text)).toBeNull();
});
