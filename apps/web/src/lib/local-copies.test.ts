import { beforeEach, expect, test } from 'vitest';
import { localCopies } from './local-copies.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const copies = localCopies<string>(
  () => localStorage,
  (value) => (typeof value === 'string' ? value : null),
);
const place = (subject: string, session = 's1', owner = 'me in one') => ({ owner, subject, session });
beforeEach(() => localStorage.clear());

test('what another session left is found, the newest first, and only by its owner', () => {
  copies.keep(place('draft/1'), 'older', NOW - 2);
  copies.keep(place('draft/1', 's2'), 'newer', NOW - 1);
  expect(copies.newest(place('draft/1', 's3'), NOW)?.value).toBe('newer');
  expect(copies.newest(place('draft/1', 's2'), NOW)?.value).toBe('older');
  expect(copies.newest(place('draft/1', 's3', 'me in two'), NOW)).toBeNull();
  expect(copies.newest(place('draft/2', 's3'), NOW)).toBeNull();
  copies.drop(place('draft/1', 's2'));
  expect(copies.newest(place('draft/1', 's3'), NOW)?.value).toBe('older');
});

test('copies are bounded in number, length and age', () => {
  for (let index = 0; index < 20; index++) copies.keep(place(`draft/${index}`), 'x', NOW - 100 + index);
  expect(localStorage.length).toBe(12);
  expect(copies.newest(place('draft/0', 's2'), NOW)).toBeNull();
  expect(copies.newest(place('draft/19', 's2'), NOW + 31 * DAY)).toBeNull();
  copies.keep(place('draft/new'), 'x', NOW + 31 * DAY);
  expect(localStorage.length).toBe(1);
  expect(copies.keep(place('draft/long'), 'x'.repeat(2_000_001), NOW)).toBe(false);
});

test('what is broken or of another form is not found, and storage that is closed is no trouble', () => {
  localStorage.setItem('stet_unsaved/me%20in%20one/draft%2F1/s1', '{"at":');
  localStorage.setItem('stet_unsaved/me%20in%20one/draft%2F1/s9', `{"at":${NOW},"value":5}`);
  expect(copies.newest(place('draft/1', 's2'), NOW)).toBeNull();
  const closed = localCopies<string>(
    () => {
      throw new DOMException('closed', 'SecurityError');
    },
    () => null,
  );
  expect(closed.keep(place('a'), 'x', NOW)).toBe(false);
  expect(closed.newest(place('a'), NOW)).toBeNull();
});

test('what belongs to a session that is alive is left to it', () => {
  const place = { owner: 'me/org', subject: 'live/key', session: 'tab-1' };
  copies.keep(place, 'text', NOW);
  const other = { ...place, session: 'tab-2' };
  expect(copies.newest(other, NOW, new Set(['tab-1']))).toBeNull();
  expect(copies.newest(other, NOW, new Set(['tab-3']))?.value).toBe('text');
});

test('room is not made at the cost of a session that is alive', () => {
  const at = (session: string) => place('live/full', session);
  const living = new Set(['oldest']);
  copies.keep(at('oldest'), 'alive', NOW);
  for (let index = 1; index <= 20; index++) copies.keep(at(`tab-${index}`), 'left', NOW + index, living);
  for (let index = 1; index <= 20; index++) copies.drop(at(`tab-${index}`));
  expect(copies.newest(at('new'), NOW + 30)?.value).toBe('alive');
});
