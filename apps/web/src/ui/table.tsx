import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { SkeletonLine } from './skeleton.tsx';
import styles from './table.module.css';

export type Column = {
  name: string;
  className?: string | undefined;
  /** Replaces the name in the header, for example with a button that sorts. */
  head?: ReactNode;
  sorted?: 'ascending' | 'descending' | undefined;
};

export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table {...rest} className={classNames(styles.table, className)} />;
}

/** A table header with named columns. */
export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, className, head, sorted }) => (
          <th key={name} scope="col" className={className} aria-sort={sorted}>
            {head ?? name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Placeholder rows for the table's columns. */
export function TableSkeleton({ columns, rows }: { columns: readonly Column[]; rows: number }): ReactNode {
  return (
    <tbody aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row}>
          {columns.map(({ name, className }, at) => (
            <td key={name} className={className}>
              <SkeletonLine width={at === 0 ? `${60 + ((row * 17) % 35)}%` : `${45 + ((row * 13 + at * 11) % 40)}%`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
