import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { formatNumber } from '../../../lib/format/number.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { TableHead } from '../../../ui/table.tsx';
import { FigureTable } from './figure-table.tsx';
import { type StepInsights, percent, secondsInWords } from '../model/insight-words.ts';
import type { Shown } from '../model/shown.ts';

const COLUMNS = [
  'Step',
  'Done by',
  'Runs',
  'Median',
  '90 %',
  'Waiting',
  'In time',
  'Skipped',
  'Returned to',
  'Sent back',
  'Handed over',
  'Failed',
].map((name) => ({ name }));

type StepTableProps = {
  steps: readonly StepInsights[];
  shown: Shown;
  /** Null if the person can't edit. */
  onImprove: ((step: StepInsights) => void) | null;
  isBusy: boolean;
};

/** The figures of each step. Figures about deviations lead to their runs. */
export function StepTable({ steps, shown, onImprove, isBusy }: StepTableProps) {
  const { workflow, version, weeks } = shown;
  const { personOf } = usePeople();
  const deviations = (step: string, kind?: string): string =>
    paths.insights({ workflow, version, weeks, view: 'deviations', step, ...(kind && { kind }) });
  return (
    <FigureTable label="Steps">
      <TableHead columns={onImprove ? [...COLUMNS, { name: 'Action' }] : COLUMNS} />
      <tbody>
        {steps.map((step) => {
          const { stepId, title, type, times, sla, skipped } = step;
          const skipKind = type === 'approval' ? 'control_skipped' : 'step_skipped';
          return (
            <tr key={stepId}>
              <th scope="row">
                <Link to={deviations(stepId)}>{title}</Link>
              </th>
              <td>{step.doneBy ? personOf(step.doneBy).name : '—'}</td>
              <td>{formatNumber(step.runs)}</td>
              <td>{secondsInWords(times.calendar.p50)}</td>
              <td>{secondsInWords(times.calendar.p90)}</td>
              <td>{secondsInWords(times.waiting.p50)}</td>
              <td>
                {percent(sla.kept, sla.timed)}
                {sla.timed > 0 && <span className="muted"> of {formatNumber(sla.timed)}</span>}
              </td>
              <td>{skipped > 0 ? <Link to={deviations(stepId, skipKind)}>{formatNumber(skipped)}</Link> : 0}</td>
              <td>{formatNumber(step.returned)}</td>
              <td>{formatNumber(step.sentBack)}</td>
              <td>{formatNumber(step.handedOver)}</td>
              <td>{formatNumber(step.failed)}</td>
              {onImprove && (
                <td>
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
