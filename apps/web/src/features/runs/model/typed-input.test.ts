import { expect, test } from 'vitest';
import { TEXT } from '../../../step-types/run/typed.ts';
import { aRunStep } from '../../../testing/records.ts';
import { findUnsentText } from './unsent-text.ts';
import { createTypedInput } from './typed-input.ts';

test('keeps typed input after a reload and removes it once it is sent', () => {
  sessionStorage.clear();
  const first = createTypedInput('me/run', () => sessionStorage);
  first.change('assess', TEXT, 'Tier 2');
  const reloaded = createTypedInput('me/run', () => sessionStorage);
  expect(reloaded.read()).toEqual({ assess: { [TEXT]: 'Tier 2' } });
  expect(createTypedInput('someone-else/run', () => sessionStorage).read()).toEqual({});
  reloaded.clear('assess');
  expect(createTypedInput('me/run', () => sessionStorage).read()).toEqual({});
  expect(sessionStorage).toHaveLength(0);
});

test('keeps typed input on the page if storage is unavailable', () => {
  const input = createTypedInput('me/run', () => {
    throw new Error('closed');
  });
  input.change('assess', TEXT, 'Tier 2');
  expect(input.read()).toEqual({ assess: { [TEXT]: 'Tier 2' } });
});

test('typed text becomes obsolete once its step no longer waits for it, except during a pause', () => {
  const mine = aRunStep({ id: 'a', state: 'active', abilities: { ...aRunStep().abilities, complete: true } });
  const by = { id: 'u', name: 'Sam Okafor', email: null, kind: 'user' as const };
  const done = aRunStep({ id: 'b', title: 'Second', state: 'completed', completedBy: by });
  const text = { a: { [TEXT]: 'mine' }, b: { [TEXT]: 'too late' } };
  expect(findUnsentText({ status: 'running', steps: [mine, done] }, text)).toEqual([
    {
      stepId: 'b',
      title: 'Second',
      what: 'was completed by Sam Okafor while you were writing.',
      lines: ['too late'],
    },
  ]);
  const paused = { ...mine, abilities: aRunStep().abilities };
  expect(findUnsentText({ status: 'paused', steps: [paused] }, text)).toEqual([]);
  expect(findUnsentText({ status: 'running', steps: [paused] }, text)).toHaveLength(1);
});
