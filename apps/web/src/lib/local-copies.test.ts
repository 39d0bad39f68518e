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

test('finds the newest copy from another session, but only of the same owner and subject', () => {
  copies.save(place('draft/1'), 'older', NOW - 2);
  copies.save(place('draft/1', 's2'), 'newer', NOW - 1);
  expect(copies.newest(place('draft/1', 's3'), NOW)?.value).toBe('newer');
  expect(copies.newest(place('draft/1', 's2'), NOW)?.value).toBe('older');
  expect(copies.newest(place('draft/1', 's3', 'me in two'), NOW)).toBeNull();
  expect(copies.newest(place('draft/2', 's3'), NOW)).toBeNull();
  copies.drop(place('draft/1', 's2'));
  expect(copies.newest(place('draft/1', 's3'), NOW)?.value).toBe('older');
});

test('limits the number, length and age of copies', () => {
  for (let index = 0; index < 20; index++) copies.save(place(`draft/${index}`), 'x', NOW - 100 + index);
  expect(localStorage.length).toBe(12);
  expect(copies.newest(place('draft/0', 's2'), NOW)).toBeNull();
  expect(copies.newest(place('draft/19', 's2'), NOW + 31 * DAY)).toBeNull();
  copies.save(place('draft/new'), 'x', NOW + 31 * DAY);
  expect(localStorage.length).toBe(1);
  expect(copies.save(place('draft/long'), 'x'.repeat(2_000_001), NOW)).toBe(false);
});

test('ignores invalid copies and tolerates unavailable storage', () => {
  localStorage.setItem('stet_unsaved/me%20in%20one/draft%2F1/s1', '{"at":');
  localStorage.setItem('stet_unsaved/me%20in%20one/draft%2F1/s9', `{"at":${NOW},"value":5}`);
  expect(copies.newest(place('draft/1', 's2'), NOW)).toBeNull();
  const closed = localCopies<string>(
    () => {
      throw new DOMException('closed', 'SecurityError');
    },
    () => null,
  );
  expect(closed.save(place('a'), 'x', NOW)).toBe(false);
  expect(closed.newest(place('a'), NOW)).toBeNull();
});

test('doesn’t offer copies from a session that is still open', () => {
  const place = { owner: 'me/org', subject: 'live/key', session: 'tab-1' };
  copies.save(place, 'text', NOW);
  const other = { ...place, session: 'tab-2' };
  expect(copies.newest(other, NOW, new Set(['tab-1']))).toBeNull();
  expect(copies.newest(other, NOW, new Set(['tab-3']))?.value).toBe('text');
});

test('doesn’t evict copies from a session that is still open', () => {
  const at = (session: string) => place('live/full', session);
  const living = new Set(['oldest']);
  copies.save(at('oldest'), 'alive', NOW);
  for (let index = 1; index <= 20; index++) copies.save(at(`tab-${index}`), 'left', NOW + index, living);
  for (let index = 1; index <= 20; index++) copies.drop(at(`tab-${index}`));
  expect(copies.newest(at('new'), NOW + 30)?.value).toBe('alive');
});
