import { describe, expect, test } from 'vitest';
import { CONTENT_COLUMNS, moveInGrid, moveOfKey, tabInGrid } from './grid-position.ts';
import type { GridMove, GridPosition } from './grid-position.ts';

const at = (row: number, column: GridPosition['column']): GridPosition => ({ row, column });

test.each<[GridMove, GridPosition, GridPosition]>([
  ['left', at(1, 'step'), at(1, 'handle')],
  ['left', at(1, 'handle'), at(1, 'handle')],
  ['right', at(1, 'task'), at(1, 'actions')],
  ['right', at(1, 'actions'), at(1, 'actions')],
  ['up', at(0, 'sla'), at(0, 'sla')],
  ['down', at(1, 'sla'), at(2, 'sla')],
  ['down', at(29, 'sla'), at(29, 'sla')],
  ['page-down', at(1, 'sla'), at(11, 'sla')],
  ['page-up', at(4, 'sla'), at(0, 'sla')],
  ['row-start', at(3, 'task'), at(3, 'handle')],
  ['row-end', at(3, 'task'), at(3, 'actions')],
  ['first', at(3, 'task'), at(0, 'handle')],
  ['last', at(3, 'task'), at(29, 'actions')],
])('moves %s from %j to %j', (move, from, to) => {
  expect(moveInGrid(from, move, 30)).toEqual(to);
});

test('a read-only table has no handles or menus to focus', () => {
  expect(moveInGrid(at(0, 'step'), 'left', 3, CONTENT_COLUMNS)).toEqual(at(0, 'step'));
  expect(moveInGrid(at(0, 'step'), 'row-end', 3, CONTENT_COLUMNS)).toEqual(at(0, 'task'));
});

describe('Tab', () => {
  test.each<[GridPosition, 1 | -1, GridPosition | null]>([
    [at(0, 'step'), 1, at(0, 'assignee')],
    [at(0, 'task'), 1, at(1, 'step')],
    [at(1, 'step'), -1, at(0, 'task')],
    [at(0, 'handle'), 1, at(0, 'step')],
    [at(1, 'handle'), -1, at(0, 'task')],
    [at(0, 'actions'), 1, at(1, 'step')],
    [at(0, 'actions'), -1, at(0, 'task')],
    [at(0, 'step'), -1, null],
    [at(2, 'task'), 1, null],
  ])('moves from %j by %i to %j', (from, direction, to) => {
    expect(tabInGrid(from, direction, 3)).toEqual(to);
  });
});

test('maps keys to moves and ignores other keys', () => {
  expect(moveOfKey('ArrowDown', false)).toBe('down');
  expect(moveOfKey('Home', false)).toBe('row-start');
  expect(moveOfKey('Home', true)).toBe('first');
  expect(moveOfKey('a', false)).toBeNull();
});
