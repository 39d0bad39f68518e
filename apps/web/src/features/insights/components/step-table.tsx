import type { StepOutcome } from '@stet/domain/insights';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { FigureTable } from './figure-table.tsx';
import { type StepInsights, secondsInWords } from '../model/insight-words.ts';
import type { RunsLink } from '../model/runs-link.ts';
import type { Shown } from '../model/shown.ts';
import { RunCount } from './run-count.tsx';
import styles from './insights.module.css';

const COLUMNS = [
  'Step',
  'Done by',
  'Completed',
  'Median',
  '90 %',
  'Waiting',
  'Late',
  'Skipped',
  'Returned to',
  'Sent back',
  'Handed over',
  'Failed',
].map((name) => ({ name }));

const OUTCOMES = ['skipped', 'returned', 'sentBack', 'handedOver', 'failed'] as const satisfies StepOutcome[];

type StepTableProps = {
  steps: readonly StepInsights[];
  shown: Shown;
  toRuns: RunsLink;
  /** Null if the person can't edit. */
  onImprove: ((step: StepInsights) => void) | null;
  isBusy: boolean;
};

/**
 * The figures of each step: times, and numbers of runs with links to them. A step's title is a link to its deviations.
 */
export function StepTable({ steps, shown, toRuns, onImprove, isBusy }: StepTableProps) {
  const { workflow, version, weeks } = shown;
  const { personOf } = usePeople();
  return (
    <FigureTable
      label="Steps"
      className={styles.steps}
      columns={onImprove ? [...COLUMNS, { name: 'Action', className: styles.action }] : COLUMNS}
    >
      <tbody>
        {steps.map((step) => {
          const { stepId, title, times, sla } = step;
          const runs = (outcome: StepOutcome) => (
            <RunCount runs={step.inRuns[outcome]} to={toRuns({ figure: `${outcome}:${stepId}` })} />
          );
          return (
            <tr key={stepId}>
              <th scope="row">
                <Link to={paths.insights({ workflow, version, weeks, view: 'deviations', step: stepId })}>{title}</Link>
              </th>
              <td>{step.doneBy ? personOf(step.doneBy).name : '—'}</td>
              <td>{runs('completed')}</td>
              <td>{secondsInWords(times.calendar.p50)}</td>
              <td>{secondsInWords(times.calendar.p90)}</td>
              <td>{secondsInWords(times.waiting.p50)}</td>
              <td>{sla.timed > 0 ? runs('late') : '—'}</td>
              {OUTCOMES.map((outcome) => (
                <td key={outcome} className={step.inRuns[outcome] === 0 ? styles.none : undefined}>
                  {runs(outcome)}
                </td>
              ))}
              {onImprove && (
                <td className={styles.action}>
                  <Button
                    size="sm"
                    aria-label={`Improve this step: ${title}`}
                    aria-disabled={isBusy}
                    onClick={() => !isBusy && onImprove(step)}
                  >
                    Improve this step
                  </Button>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </FigureTable>
  );
}
