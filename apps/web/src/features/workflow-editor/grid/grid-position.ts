/** The columns that can be focused, in order. The number column only shows the row's position. */
export const GRID_COLUMNS = ['handle', 'step', 'assignee', 'sla', 'task', 'actions'] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];
/** A cell, identified by its row (starting at 0) and its column. */
export type GridPosition = { row: number; column: GridColumn };

export type GridMove =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'row-start'
  | 'row-end'
  | 'first'
  | 'last'
  | 'page-up'
  | 'page-down';

const PAGE = 10;
/** The columns with content. In a read-only table, only these can be focused. */
export const CONTENT_COLUMNS = ['step', 'assignee', 'sla', 'task'] as const satisfies readonly GridColumn[];
const EDITABLE: readonly GridColumn[] = CONTENT_COLUMNS;

/** The cell that a move reaches, within `rows` rows and these columns. */
export function moveInGrid(
  from: GridPosition,
  move: GridMove,
  rows: number,
  columns: readonly GridColumn[] = GRID_COLUMNS,
): GridPosition {
  const column = columns.indexOf(from.column);
  const columnAt = (index: number): GridColumn => columns[Math.max(0, Math.min(index, columns.length - 1))] ?? 'step';
  const row = (index: number): GridPosition => ({ row: Math.max(0, Math.min(index, rows - 1)), column: from.column });
  switch (move) {
    case 'left':
      return { row: from.row, column: columnAt(column - 1) };
    case 'right':
      return { row: from.row, column: columnAt(column + 1) };
    case 'up':
      return row(from.row - 1);
    case 'down':
      return row(from.row + 1);
    case 'page-up':
      return row(from.row - PAGE);
    case 'page-down':
      return row(from.row + PAGE);
    case 'row-start':
      return { row: from.row, column: columnAt(0) };
    case 'row-end':
      return { row: from.row, column: columnAt(columns.length - 1) };
    case 'first':
      return { row: 0, column: columnAt(0) };
    case 'last':
      return { row: Math.max(0, rows - 1), column: columnAt(columns.length - 1) };
  }
}

/** The next (1) or previous (-1) editable cell in reading order. Null if there is none; Tab then leaves the table. */
export function tabInGrid(from: GridPosition, direction: 1 | -1, rows: number): GridPosition | null {
  const last = EDITABLE.length - 1;
  const column = EDITABLE.indexOf(from.column);
  if (column === -1) {
    // From the handle, Tab moves to the row's first cell. From the actions, Shift+Tab moves to its last cell.
    if (from.column === 'handle' && direction === 1) return { row: from.row, column: 'step' };
    if (from.column === 'actions' && direction === -1) return { row: from.row, column: 'task' };
  }
  const next = column === -1 ? -1 : column + direction;
  const inRow = EDITABLE[next];
  if (inRow) return { row: from.row, column: inRow };
  const row = from.row + direction;
  const entering = EDITABLE[direction === 1 ? 0 : last];
  return row < 0 || row >= rows || !entering ? null : { row, column: entering };
}

const MOVE_BY_KEY: Readonly<Record<string, GridMove>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
  Home: 'row-start',
  End: 'row-end',
};

/** The move for a key, or null if the key isn't used. */
export function moveOfKey(key: string, withModifier: boolean): GridMove | null {
  if (withModifier && key === 'Home') return 'first';
  if (withModifier && key === 'End') return 'last';
  return MOVE_BY_KEY[key] ?? null;
}
