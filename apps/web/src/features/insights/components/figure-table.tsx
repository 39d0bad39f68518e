import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { type Column, Table, TableHead } from '../../../ui/table.tsx';
import styles from './insights.module.css';

type FigureTableProps = {
  label: string;
  columns: readonly Column[];
  /** The number of cells side by side in a stacked row, 4 for short values. Null if rows aren't stacked. */
  across?: 2 | 3 | 4 | null;
  className?: string | undefined;
  /** The body of the table. */
  children: ReactNode;
};

/**
 * A table that scrolls sideways, also by keyboard, if it is too wide. With `across`, a narrow table's rows are stacked:
 * each has its name above its cells, and each cell has the name of its column.
 */
export function FigureTable({ label, columns, across = 3, className, children }: FigureTableProps) {
  // A name as a JSON string is also a CSS string. The stylesheet shows it in the cells of stacked rows.
  const names = columns.map(({ name }, at) => [`--name-${at + 1}`, JSON.stringify(name)]);
  return (
    <div
      className={classNames(styles.scroll, across !== null && styles.stacked, across === 4 && styles.short, className)}
      // A region that scrolls must be focusable.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={`${label}: table`}
      style={{ '--across': across, ...Object.fromEntries(names) } as CSSProperties}
    >
      <Table aria-label={label}>
        <TableHead columns={columns} />
        {children}
      </Table>
    </div>
  );
}

/** Names a cell in its stacked row. Needed for columns after the last one that the stylesheet names. */
export const ownName = (name: string): CSSProperties => ({ '--name': JSON.stringify(name) }) as CSSProperties;
