import type { Conformance } from '@stet/contract';
import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import { counted, formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FigureTable } from './figure-table.tsx';
import { DEVIATION_WORDS } from '../model/insight-words.ts';
import type { Shown } from '../model/shown.ts';
import { Section } from './section.tsx';
import styles from './insights.module.css';

const RUNS = ['Run', 'Step', 'Deviation', 'On', 'Version'].map((name) => ({ name }));

type DeviationsProps = {
  shown: Shown;
  first: Conformance;
  findings: Conformance['findings'];
  onChange: (shown: Shown) => void;
  /**
   * Adds the deviations as a comment on the step to the person's own open draft or a new one, and opens the draft. Null
   * if the person can't edit.
   */
  onImprove: ((stepId: string) => void) | null;
  isBusy: boolean;
  /** The steps of the live version, which can be improved. */
  stepIds: ReadonlySet<string>;
  /** Null if there are no more. */
  onMore: (() => void) | null;
  isLoadingMore: boolean;
};

const endedRuns = (runs: number, how: string): string =>
  runs === 0 ? 'No run ended in this period.' : `${counted(runs, 'run')} ended in this period, ${how}.`;

/**
 * The deviations of runs from their workflow: counts by kind and step, and a list in which each has a link to its run.
 */
export function Deviations({
  shown,
  first,
  findings,
  onChange,
  onImprove,
  isBusy,
  stepIds,
  onMore,
  isLoadingMore,
}: DeviationsProps) {
  const isFiltered = shown.kind !== '' || shown.step !== '';
  if (first.counts.length === 0 && !isFiltered)
    return (
      <EmptyState icon={ShieldCheck} title="No deviations">
        {endedRuns(first.runs, first.runs === 1 ? 'and followed the document' : 'and all followed the document')}
      </EmptyState>
    );
  if (first.counts.length === 0)
    return (
      <EmptyState
        icon={ShieldCheck}
        title="No such deviations"
        action={<Button onClick={() => onChange({ ...shown, kind: '', step: '' })}>Show all deviations</Button>}
      >
        {endedRuns(first.runs, 'without a deviation that matches the filter')}
      </EmptyState>
    );
  return (
    <>
      <Section title="How often">
        <FigureTable
          label="How often"
          across={2}
          columns={[
            { name: 'Deviation' },
            { name: 'Step' },
            { name: 'Times' },
            ...(onImprove ? [{ name: 'Action', className: styles.action }] : []),
          ]}
        >
          <tbody>
            {first.counts.map(({ kind, stepId, title, findings: times }) => (
              <tr key={`${kind} ${stepId}`}>
                <th scope="row">
                  <Link
                    to={paths.insights({
                      workflow: shown.workflow,
                      version: shown.version,
                      weeks: shown.weeks,
                      view: 'deviations',
                      kind,
                      step: stepId,
                    })}
                  >
                    {DEVIATION_WORDS[kind].name}
                  </Link>
                  <div className="xs muted">{DEVIATION_WORDS[kind].meaning}</div>
                </th>
                <td>{title}</td>
                <td>{formatNumber(times)}</td>
                {onImprove && (
                  <td className={styles.action}>
                    {stepIds.has(stepId) && (
                      <Button
                        size="sm"
                        aria-label={`Improve this step: ${title} (${DEVIATION_WORDS[kind].name})`}
                        aria-disabled={isBusy}
                        onClick={() => !isBusy && onImprove(stepId)}
                      >
                        Improve this step
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </FigureTable>
        <p className="xs muted">{`Of ${counted(first.runs, 'run')} that ended.`}</p>
      </Section>
      <Section title="Runs">
        {isFiltered && (
          <Button size="sm" onClick={() => onChange({ ...shown, kind: '', step: '' })}>
            Show all deviations
          </Button>
        )}
        <FigureTable label="Runs that differ" across={2} columns={RUNS}>
          <tbody>
            {findings.map(({ kind, run, step, at, version }) => (
              <tr key={`${run.id} ${kind} ${step.id} ${at}`}>
                <th scope="row">
                  <Link to={paths.run(run.id)}>{run.name}</Link>
                </th>
                <td>{step.title}</td>
                <td>{DEVIATION_WORDS[kind].name}</td>
                <td>{formatDate(at)}</td>
                <td>v{version}</td>
              </tr>
            ))}
          </tbody>
        </FigureTable>
        {onMore && (
          <Button busy={isLoadingMore && 'Loading…'} onClick={onMore}>
            Load more
          </Button>
        )}
      </Section>
    </>
  );
}
