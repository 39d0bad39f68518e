import type { RunStep } from '@stet/contract';
import { beforeEach, expect, test } from 'vitest';
import { COMMENTS, TEXT } from '../../../step-types/run/typed.ts';
import { aRunStep } from '../../../testing/records.ts';
import { findUnsentText } from './unsent-text.ts';
import { createTypedInput, removeTypedInput, textsOf } from './typed-input.ts';

const ASSESS = { id: 'assess', activatedAt: '2026-11-18T09:00:00.000Z' };
const AGAIN = { id: 'assess', activatedAt: '2026-11-19T09:00:00.000Z' };
const local = () => localStorage;

beforeEach(() => localStorage.clear());

test('keeps a person’s typed input after a reload, and removes it when it is cleared', () => {
  const first = createTypedInput('me/run', local);
  first.change(ASSESS, TEXT, 'Tier 2');
  const reloaded = createTypedInput('me/run', local);
  expect(textsOf(reloaded.read(), ASSESS)).toEqual({ [TEXT]: 'Tier 2' });
  expect(createTypedInput('someone-else/run', local).read()).toEqual({});
  reloaded.clear('assess');
  expect(createTypedInput('me/run', local).read()).toEqual({});
  expect(localStorage).toHaveLength(0);
});

test('typed input belongs to one activation: a step that became active again starts with an empty form', () => {
  const input = createTypedInput('me/run', local);
  input.change(ASSESS, TEXT, 'Tier 2');
  expect(textsOf(input.read(), AGAIN)).toEqual({});
  input.change(AGAIN, COMMENTS, 'Second time');
  expect(textsOf(input.read(), AGAIN)).toEqual({ [COMMENTS]: 'Second time' });
  expect(textsOf(input.read(), ASSESS)).toEqual({});
});

test('shows what another tab stored or cleared once it is reloaded', () => {
  const [one, other] = [createTypedInput('me/run', local), createTypedInput('me/run', local)];
  const seen: unknown[] = [];
  other.subscribe(() => seen.push(textsOf(other.read(), ASSESS)));
  one.change(ASSESS, TEXT, 'Tier 2');
  other.reload();
  one.clear('assess');
  other.reload();
  expect(seen).toEqual([{ [TEXT]: 'Tier 2' }, {}]);
});

test('removes the typed input of all runs from the browser, and nothing else', () => {
  localStorage.setItem('stet_scheme', 'dark');
  createTypedInput('me/run', local).change(ASSESS, TEXT, 'Tier 2');
  createTypedInput('me/another-run', local).change(ASSESS, TEXT, 'Tier 3');
  removeTypedInput(local);
  expect(Object.keys(localStorage)).toEqual(['stet_scheme']);
});

test.each(['[]', '{"assess":{"text":"from an older release"}}', '{', '{"assess":{"activation":"x","texts":{"a":1}}}'])(
  'typed input is empty if the browser has stored something else: %s',
  (stored) => {
    localStorage.setItem('stet_typed/me/run', stored);
    expect(createTypedInput('me/run', local).read()).toEqual({});
  },
);

test('keeps typed input on the page if storage is unavailable', () => {
  const input = createTypedInput('me/run', () => {
    throw new Error('closed');
  });
  input.change(ASSESS, TEXT, 'Tier 2');
  input.reload();
  expect(textsOf(input.read(), ASSESS)).toEqual({ [TEXT]: 'Tier 2' });
});

test('typed text becomes obsolete once its step no longer waits for it, except during a pause', () => {
  const mine = aRunStep({ id: 'a', state: 'active', abilities: { ...aRunStep().abilities, complete: true } });
  const by = { id: 'u', name: 'Sam Okafor', email: null, kind: 'user' as const };
  const done = aRunStep({ id: 'b', title: 'Second', state: 'completed', completedBy: by });
  const draft = (step: RunStep, text: string) => ({ activation: step.activatedAt ?? '', texts: { [TEXT]: text } });
  const text = { a: draft(mine, 'mine'), b: draft(done, 'too late') };
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
  const again = { ...mine, activatedAt: AGAIN.activatedAt };
  expect(findUnsentText({ status: 'running', steps: [again] }, text)).toHaveLength(1);
});
