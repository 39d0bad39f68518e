import type { InsightsOverview } from '@stet/contract';
import { Link } from 'react-router';
import { counted, formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { FigureTable } from './figure-table.tsx';
import { REVIEW_TIME, percent, secondsInWords } from '../model/insight-words.ts';
import type { Shown } from '../model/shown.ts';
import { KeyFigures } from './key-figures.tsx';
import { LoadTable } from './load-table.tsx';
import { RunCount } from './run-count.tsx';
import { Section } from './section.tsx';

const LATE = [{ name: 'Step' }, { name: 'Workflow' }, { name: 'Done by' }, { name: 'Late runs' }, { name: 'Since' }];
const REVIEWS = [{ name: 'Draft' }, { name: 'Since' }];
const FINISHED = ['Workflow', 'Finished reviews', 'Changes requested', 'Median', '90 %'].map((name) => ({ name }));
const WORKFLOWS = ['Workflow', 'Started', 'Completed', 'SLA kept', 'Deviations'].map((name) => ({ name }));

/** The figures of the organization. */
export function Overview({ overview, shown }: { overview: InsightsOverview; shown: Shown }) {
  const { runs, late, workflows, load, reviews, finishedReviews, from, to } = overview;
  const { personOf } = usePeople();
  const toRuns = (more: { workflow?: string; status?: string; sla?: string } = {}): string =>
    paths.runsWhere({ ...more, from, to, days: 'utc' });
  return (
    <>
      <Section title="All workflows">
        <KeyFigures
          figures={[
            {
              name: 'Started',
              value: formatNumber(runs.started),
              behind: [{ text: counted(runs.started, 'run'), to: toRuns() }],
            },
            {
              name: 'Completed',
              value: formatNumber(runs.completed),
              behind: [{ text: counted(runs.completed, 'run'), to: toRuns({ status: 'completed' }) }],
            },
            {
              name: 'SLA kept',
              value: percent(runs.sla.kept, runs.sla.timed),
              behind: [
                {
                  text: counted(runs.sla.timed - runs.sla.kept, 'late run'),
                  to: toRuns({ status: 'completed', sla: 'breached' }),
                },
                { text: `of ${formatNumber(runs.sla.timed)}` },
              ],
            },
          ]}
        />
      </Section>
      <Section title="Late now">
        {late.length === 0 ? (
          <p>No step is late.</p>
        ) : (
          <FigureTable label="Late now" across={2} columns={LATE}>
            <tbody>
              {late.map(({ key, title, stepId, stepTitle, doneBy, runs: count, since }) => (
                <tr key={`${key} ${stepId}`}>
                  <th scope="row">{stepTitle}</th>
                  <td>{title}</td>
                  <td>{doneBy ? personOf(doneBy).name : 'Anyone'}</td>
                  <td>
                    <RunCount runs={count} to={paths.runsWhere({ workflow: key, figure: `lateNow:${stepId}` })} />
                  </td>
                  <td>{formatDate(since)}</td>
                </tr>
              ))}
            </tbody>
          </FigureTable>
        )}
      </Section>
      <Section title="Workflows">
        <FigureTable label="Workflows" across={4} columns={WORKFLOWS}>
          <tbody>
            {workflows.map(({ key, title, started, completed, sla, findings }) => (
              <tr key={key}>
                <th scope="row">
                  <Link to={paths.insights({ workflow: key, weeks: shown.weeks })}>{title}</Link>
                </th>
                <td>
                  <RunCount runs={started} to={toRuns({ workflow: key })} />
                </td>
                <td>
                  <RunCount runs={completed} to={toRuns({ workflow: key, status: 'completed' })} />
                </td>
                <td>
                  {percent(sla.kept, sla.timed)}
                  {sla.timed > 0 && <span className="muted"> of {formatNumber(sla.timed)}</span>}
                </td>
                <td>
                  <Link to={paths.insights({ workflow: key, weeks: shown.weeks, view: 'deviations' })}>
                    {formatNumber(findings)}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </FigureTable>
      </Section>
      {load.length > 0 && (
        <Section title="Load by group">
          <LoadTable load={load} />
        </Section>
      )}
      {reviews.length > 0 && (
        <Section title="Reviews that have waited longest">
          <FigureTable label="Reviews that have waited longest" across={null} columns={REVIEWS}>
            <tbody>
              {reviews.map(({ key, draftId, title, since }) => (
                <tr key={draftId}>
                  <th scope="row">
                    <Link to={paths.review({ key, id: draftId })}>{title}</Link>
                  </th>
                  <td>{formatDate(since)}</td>
                </tr>
              ))}
            </tbody>
          </FigureTable>
        </Section>
      )}
      {finishedReviews.length > 0 && (
        <Section title="Time of finished reviews">
          <FigureTable label="Time of finished reviews" across={4} columns={FINISHED}>
            <tbody>
              {finishedReviews.map(({ key, title, finished, changesRequested, p50, p90 }) => {
                const toReviews = paths.insights({ workflow: key, weeks: shown.weeks, view: 'reviews' });
                return (
                  <tr key={key}>
                    <th scope="row">
                      <Link to={toReviews}>{title}</Link>
                    </th>
                    <td>
                      <RunCount runs={finished} to={toReviews} />
                    </td>
                    <td>{formatNumber(changesRequested)}</td>
                    <td>{secondsInWords(p50)}</td>
                    <td>{secondsInWords(p90)}</td>
                  </tr>
                );
              })}
            </tbody>
          </FigureTable>
          <p className="xs muted">{REVIEW_TIME}</p>
        </Section>
      )}
    </>
  );
}
