import { expect, test } from 'vitest';
import { keyOfOption, optionOfKey } from './option-keys.ts';

test('digits select the first ten options, and 0 selects the tenth', () => {
  expect([0, 1, 8, 9, 10, 16].map(keyOfOption)).toEqual(['1', '2', '9', '0', null, null]);
});

test('finds an option by its key, and nothing for other keys', () => {
  const options = ['Daily', 'Weekly', 'Monthly', 'Occasionally'];
  expect(optionOfKey(options, '2')).toBe('Weekly');
  for (const key of ['5', '0', 'a', 'Enter', ' ', '12']) expect(optionOfKey(options, key)).toBeUndefined();
});
