import { useId } from 'react';
import { formatDate } from '../../../lib/format/time.ts';
import { classNames } from '../../../ui/class-names.ts';
import { FigureTable } from './figure-table.tsx';
import { RunCount } from './run-count.tsx';
import styles from './insights.module.css';

type Series = { name: string; look: 'plain' | 'striped' };
type WeekChartProps = {
  title: string;
  /** The table's heading for `count`. */
  counted: string;
  /** The table's heading for `behind`, if it differs from `count`. */
  behind?: string;
  series: readonly Series[];
  /**
   * One value for each series; null if nothing is counted. `count` is the number of runs or reviews that the values are
   * based on, and `behind` is the number of those that the page at `to` lists.
   */
  weeks: readonly { week: string; values: readonly (number | null)[]; count: number; behind: number; to: string }[];
  /** The top of the chart; by default, the largest value, but at least 1. */
  most?: number;
  words: (value: number | null) => string;
};

/**
 * A chart with one column per week. The series are drawn behind each other and differ in pattern, not only in color. A
 * table has the same figures. Screen readers skip the columns and find this table, and printed pages show it opened.
 */
export function WeekChart({ title, counted, behind, series, weeks, most, words }: WeekChartProps) {
  const id = useId();
  const top = most ?? Math.max(1, ...weeks.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const first = weeks[0]?.week;
  const last = weeks.at(-1)?.week;
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption className={styles.chartHead}>
        <h3 id={id} className="h3">
          {title}
        </h3>
        <span className={styles.legend}>
          {series.map(({ name, look }) => (
            <span key={name}>
              <i className={classNames(styles.key, styles[look])} />
              {name}
            </span>
          ))}
          <span className="muted">up to {words(top)}</span>
        </span>
      </figcaption>
      <div className={styles.columns} aria-hidden="true">
        {weeks.map(({ week, values, count }) => (
          <div
            key={week}
            className={styles.column}
            title={`Week of ${formatDate(`${week}T12:00:00`)}: ${series.map(({ name }, at) => `${name} ${words(values[at] ?? null)}`).join(', ')} (${count})`}
          >
            {series.map(
              ({ name, look }, at) =>
                typeof values[at] === 'number' && (
                  <span
                    key={name}
                    className={classNames(styles.bar, styles[look])}
                    style={{ height: `${(100 * values[at]) / top}%` }}
                  />
                ),
            )}
          </div>
        ))}
      </div>
      {first && last && (
        <div className={styles.axis} aria-hidden="true">
          <span>{formatDate(`${first}T12:00:00`)}</span>
          <span>{formatDate(`${last}T12:00:00`)}</span>
        </div>
      )}
      <details className={styles.behind}>
        <summary>Show as a table</summary>
        <FigureTable
          label={title}
          across={null}
          className={styles.weeks}
          columns={[
            { name: 'Week of' },
            ...series.map(({ name }) => ({ name })),
            { name: counted },
            ...(behind ? [{ name: behind }] : []),
          ]}
        >
          <tbody>
            {weeks.map(({ week, values, count, behind: runs, to }) => (
              <tr key={week}>
                <th scope="row">{formatDate(`${week}T12:00:00`)}</th>
                {series.map(({ name }, at) => (
                  <td key={name}>{words(values[at] ?? null)}</td>
                ))}
                {behind && <td>{count}</td>}
                <td>
                  <RunCount runs={runs} to={to} />
                </td>
              </tr>
            ))}
          </tbody>
        </FigureTable>
      </details>
    </figure>
  );
}
