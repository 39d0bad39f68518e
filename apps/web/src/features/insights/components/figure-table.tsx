import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Table } from '../../../ui/table.tsx';
import styles from './insights.module.css';

type FigureTableProps = { label: string; className?: string | undefined; children: ReactNode };

/**
 * A table that scrolls sideways, also by keyboard, if it is too wide. Its region needs a different name than the
 * section.
 */
export function FigureTable({ label, className, children }: FigureTableProps) {
  return (
    // A region that scrolls must be focusable.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classNames(styles.scroll, className)} tabIndex={0} role="region" aria-label={`${label}: table`}>
      <Table aria-label={label}>{children}</Table>
    </div>
  );
}
