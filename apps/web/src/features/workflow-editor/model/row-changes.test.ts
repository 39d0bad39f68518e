import type { Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';
import { expect, test } from 'vitest';
import { ariaRowIndexes, changeOf, changesOf } from './row-changes.ts';

const saved: Step = { ...newStep('a'), sla: '1 day' };
const edited: Step = { ...saved, sla: '2 days', title: 'Assess' };

test('a row with the same content is unchanged, even if it is a different object with different links', () => {
  expect(changeOf({ ...saved, next: ['z'] }, saved, undefined)).toEqual({ kind: 'unchanged' });
});

test('a row whose step isn’t in the base is new', () => {
  expect(changeOf(saved, undefined, undefined)).toEqual({ kind: 'added' });
});

test('a changed row has its changed cells and the values of the base', () => {
  expect(changeOf(edited, saved, undefined)).toMatchObject({
    kind: 'modified',
    fields: ['step', 'sla'],
    before: { sla: '1 day', step: 'New Step' },
    shown: true,
  });
});

test('a closed comparison stays hidden until the row changes again, and then has the values of the base', () => {
  expect(changeOf(edited, saved, edited)).toMatchObject({ kind: 'modified', shown: false });
  expect(changeOf({ ...edited, sla: '3 days' }, saved, edited)).toMatchObject({
    shown: true,
    before: { sla: '1 day' },
  });
});

test('row numbers count the header and the comparison rows', () => {
  const other = newStep('b');
  const changes = changesOf([edited, other, newStep('c')], [saved, other], new Map());
  expect(ariaRowIndexes(changes)).toEqual({ indexes: [2, 4, 5], count: 5 });
});
