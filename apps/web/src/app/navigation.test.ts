import { expect, test } from 'vitest';
import { screenOf } from './navigation.ts';

test.each([
  ['/app/editor?key=a', '/app/editor'],
  ['/app/editor?key=a&mode=edit', '/app/editor?draftId=d'],
  ['/app/runs?status=failed', '/app/runs'],
])('%s and %s count as the same screen', (one, other) => {
  const screens = [one, other].map((address) => screenOf(new URL(address, 'https://stet.example')));
  expect(screens[0]).toBe(screens[1]);
});

test.each([
  ['/app/editor', '/app/editor?mode=edit'],
  ['/app/workflows', '/app/workflows?builder=edit'],
  ['/app/runs', '/app/tasks'],
])('%s and %s count as different screens', (one, other) => {
  const screens = [one, other].map((address) => screenOf(new URL(address, 'https://stet.example')));
  expect(screens[0]).not.toBe(screens[1]);
});

test('/app isn’t a screen of its own, because it redirects', () => {
  expect(screenOf(new URL('/app', 'https://stet.example'))).toBeNull();
});
