import { expect, test } from 'vitest';
import { hasTabBar, isFullScreen, screenOf } from './navigation.ts';

test.each([
  ['/app/editor?key=a', '/app/editor'],
  ['/app/editor?key=a&mode=edit', '/app/editor?key=a&draftId=d'],
  ['/app/runs?status=failed', '/app/runs'],
])('%s and %s count as the same screen', (one, other) => {
  const screens = [one, other].map((address) => screenOf(new URL(address, 'https://stet.example')));
  expect(screens[0]).toBe(screens[1]);
});

test.each([
  ['/app/editor', '/app/editor?key=a&mode=edit'],
  ['/app/workflows', '/app/workflows?builder=new'],
  ['/app/runs', '/app/tasks'],
])('%s and %s count as different screens', (one, other) => {
  const screens = [one, other].map((address) => screenOf(new URL(address, 'https://stet.example')));
  expect(screens[0]).not.toBe(screens[1]);
});

test('/app isn’t a screen of its own, because it redirects', () => {
  expect(screenOf(new URL('/app', 'https://stet.example'))).toBeNull();
});

const locationOf = (address: string) => new URL(address, 'https://stet.example');
test.each([
  ['/app/workflows?builder=new', true],
  ['/app/workflows?builder=edit&key=a', true],
  ['/app/workflows?builder=edit&key=a&view=table', false],
  ['/app/editor?key=a&mode=edit&view=builder', true],
  ['/app/editor?key=a&mode=edit', false],
])('%s opens a workflow without the tab bar, and fills the window only with the builder', (address, expected) => {
  expect(isFullScreen(locationOf(address))).toBe(expected);
  expect(hasTabBar(locationOf(address))).toBe(false);
});

test.each([
  '/app/workflows?builder=create',
  '/app/workflows?builder=edit',
  '/app/editor?mode=edit&view=builder',
  '/app/runs/insights',
  '/app/runs/insights?workflow=a',
])('%s has all navigation bars', (address) => {
  expect(isFullScreen(locationOf(address))).toBe(false);
  expect(hasTabBar(locationOf(address))).toBe(true);
});

test('a run has no tab bar', () => {
  expect(hasTabBar(locationOf('/app/runs/1f0c'))).toBe(false);
});
