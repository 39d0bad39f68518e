import { expect, test } from 'vitest';
import { requestUrl } from './api/request-url.ts';
import { paths, safeReturnPath } from './paths.ts';

test('encodes parameters in addresses', () => {
  expect(paths.editor()).toBe('/app/editor');
  expect(paths.editor({ key: 'a&b', mode: 'edit' })).toBe('/app/editor?key=a%26b&mode=edit');
  expect(paths.run('x/y')).toBe('/app/runs/x%2Fy');
});

test('throws if a parameter of the path is missing', () => {
  expect(() => requestUrl('/api/runs/{id}', {})).toThrow(/"id" is missing/);
});

test.each([
  ['/app/runs?q=x', '/app/runs?q=x'],
  ['/app', '/app'],
  ['/app?message=1', '/app?message=1'],
  ['/invite/abc', '/invite/abc'],
  ['/invite.evil.example', '/app'],
  ['//evil.example/app', '/app'],
  ['https://evil.example', '/app'],
  ['/application', '/app'],
  ['/login', '/app'],
  [null, '/app'],
])('the return path %j leads to %s after sign-in', (candidate, place) => expect(safeReturnPath(candidate)).toBe(place));
