import { expect, test } from 'vitest';
import { ApiError, offlineError } from './api-error.ts';
import { createIntent } from './intent.ts';

function numbered() {
  let count = 0;
  return createIntent(() => `key-${++count}`);
}

test('after a lost response, the same content keeps its key and different content gets a new one', () => {
  const intent = numbered();
  expect(intent.keyFor({ text: 'a' })).toBe('key-1');
  intent.finish(offlineError());
  expect(intent.keyFor({ text: 'a' })).toBe('key-1');
  expect(intent.keyFor({ text: 'b' })).toBe('key-2');
});

test('any response ends the intent', () => {
  const intent = numbered();
  intent.keyFor('x');
  intent.finish();
  expect(intent.keyFor('x')).toBe('key-2');
  intent.finish(new ApiError('answer', { status: 409, code: 'conflict', message: '' }));
  expect(intent.keyFor('x')).toBe('key-3');
});
