import type { WorkflowInsights } from '@stet/contract';
import { MEASURES, type Change } from '@stet/domain/insights';
import { FigureTable } from './figure-table.tsx';
import { MEASURE_WORDS, VERDICT_WORDS, secondsInWords } from '../model/insight-words.ts';
import { RunCount } from './run-count.tsx';
import type { RunsLink } from '../model/runs-link.ts';
import styles from './insights.module.css';

type ChangeTableProps = { change: NonNullable<WorkflowInsights['change']>; toRuns: RunsLink };

/** The medians of the live version and of the latest earlier one with runs, each with the number of runs behind it. */
export function ChangeTable({ change, toRuns }: ChangeTableProps) {
  const rows: { name: string; key: string; change: Change; stepId?: string }[] = [
    ...MEASURES.map((measure) => ({ key: measure, name: MEASURE_WORDS[measure], change: change.measures[measure] })),
    ...change.steps.map((step) => ({
      key: `step ${step.stepId}`,
      name: step.title,
      change: step,
      stepId: step.stepId,
    })),
  ];
  return (
    <FigureTable
      label={`Before and after v${change.after}`}
      across={null}
      className={styles.changes}
      columns={[
        { name: 'Median of' },
        { name: `v${change.before}` },
        { name: `v${change.after}` },
        { name: 'Difference' },
      ]}
    >
      <tbody>
        {rows.map(({ key, name, change: { before, after, verdict }, stepId }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {[before, after].map(({ p50, runs }, side) => (
              <td key={side === 0 ? 'before' : 'after'}>
                <span className={styles.whole}>{secondsInWords(p50)}</span>{' '}
                <span className="muted">
                  (
                  <RunCount
                    runs={runs}
                    to={toRuns({
                      version: side === 0 ? change.before : change.after,
                      ...(stepId === undefined ? { status: 'completed' } : { figure: `completed:${stepId}` }),
                    })}
                  />
                  )
                </span>
              </td>
            ))}
            <td>{VERDICT_WORDS[verdict]}</td>
          </tr>
        ))}
      </tbody>
    </FigureTable>
  );
}
