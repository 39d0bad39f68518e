import type { WorkflowInsights } from '@stet/contract';
import { weeksBetween } from '@stet/domain/insights';
import { DAY_MS } from '@stet/domain/sla';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { counted, formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { FigureTable } from './figure-table.tsx';
import { type StepInsights, percent, secondsInWords, slowestStep, storyOf } from '../model/insight-words.ts';
import type { Shown } from '../model/shown.ts';
import { ChangeTable } from './change-table.tsx';
import { KeyFigures } from './key-figures.tsx';
import { LoadTable } from './load-table.tsx';
import { PathList } from './path-list.tsx';
import { PeopleTable } from './people-table.tsx';
import { RunCount } from './run-count.tsx';
import type { RunsLink } from '../model/runs-link.ts';
import { Section } from './section.tsx';
import { StepTable } from './step-table.tsx';
import { WeekChart } from './week-chart.tsx';
import styles from './insights.module.css';

const NOTHING = { p50: null, p90: null };
const NO_RUNS = {
  times: { count: 0, calendar: NOTHING, working: NOTHING, waiting: NOTHING, handling: NOTHING },
  sla: { timed: 0, kept: 0 },
};
const VERSIONS = ['Version', 'Started', 'Completed', 'Median', '90 %', 'SLA kept'].map((name) => ({ name }));

/** The first and the last day of a week in UTC. Weeks begin on Monday. */
const ofWeek = (week: string) => ({
  from: week,
  to: new Date(Date.parse(week) + 6 * DAY_MS).toISOString().slice(0, 10),
});

type WorkflowFiguresProps = {
  insights: WorkflowInsights;
  shown: Shown;
  onImprove: ((step: StepInsights) => void) | null;
  isBusy: boolean;
  /** The flow picture with the steps' figures. */
  flow: ReactNode;
  /** The figures with steps by person; null until they are requested and loaded. */
  people: WorkflowInsights | null;
  /** Requests the figures by person. Null if the reader may not see them, or has requested them and nothing failed. */
  onShowPeople: (() => void) | null;
};

export function WorkflowFigures({
  insights,
  shown,
  onImprove,
  isBusy,
  flow,
  people,
  onShowPeople,
}: WorkflowFiguresProps) {
  const { runs, versions, steps, change, load, from, to } = insights;
  const byWeek = new Map(insights.weeks.map((each) => [each.week, each]));
  // A week without runs is a gap in the charts.
  const weeks = weeksBetween(from, to).map((week) => byWeek.get(week) ?? { ...NO_RUNS, week });
  const story = storyOf(insights);
  const slowest = slowestStep(insights);
  const ofRuns: RunsLink = (more = {}) =>
    paths.runsWhere({ workflow: shown.workflow, version: shown.version, from, to, days: 'utc', ...more });
  const behind = [{ text: counted(runs.completed, 'completed run'), to: ofRuns({ status: 'completed' }) }];
  const ended = (status: 'failed' | 'cancelled') => ({
    text: `${formatNumber(runs[status])} ${status}`,
    ...(runs[status] > 0 && { to: ofRuns({ status }) }),
  });
  return (
    <>
      {story.length > 0 && (
        <Section title="In short">
          <ul className={styles.story}>
            {story.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {slowest && onImprove && (
            <Button icon={Pencil} tone="primary" aria-disabled={isBusy} onClick={() => !isBusy && onImprove(slowest)}>
              Improve {slowest.title}
            </Button>
          )}
        </Section>
      )}
      <Section title="Runs">
        <KeyFigures
          figures={[
            {
              name: 'Started',
              value: formatNumber(runs.started),
              behind: [
                { text: counted(runs.started, 'run'), to: ofRuns() },
                { text: `${formatNumber(runs.started - runs.ended)} still open` },
              ],
            },
            { name: 'Median time', value: secondsInWords(runs.times.calendar.p50), behind },
            { name: '90 % are done within', value: secondsInWords(runs.times.calendar.p90), behind },
            { name: 'Within working hours', value: secondsInWords(runs.times.working.p50), behind },
            { name: 'Waiting', value: secondsInWords(runs.times.waiting.p50), behind },
            { name: 'Being worked on', value: secondsInWords(runs.times.handling.p50), behind },
            {
              name: 'SLA kept',
              value: percent(runs.sla.kept, runs.sla.timed),
              behind: [
                {
                  text: counted(runs.sla.timed - runs.sla.kept, 'late run'),
                  to: ofRuns({ status: 'completed', sla: 'breached' }),
                },
                { text: `of ${formatNumber(runs.sla.timed)}` },
              ],
            },
            {
              name: 'Failed or cancelled',
              value: formatNumber(runs.failed + runs.cancelled),
              behind: [ended('failed'), ended('cancelled')],
            },
          ]}
        />
      </Section>
      <Section title="By week">
        <div className={styles.charts}>
          <WeekChart
            title="Time of completed runs"
            counted="Completed runs"
            series={[
              { name: '90 %', look: 'striped' },
              { name: 'Median', look: 'plain' },
            ]}
            weeks={weeks.map(({ week, times }) => ({
              week,
              values: [times.calendar.p90, times.calendar.p50],
              count: times.count,
              behind: times.count,
              to: ofRuns({ status: 'completed', ...ofWeek(week) }),
            }))}
            words={secondsInWords}
          />
          <WeekChart
            title="SLA kept"
            counted="Runs with an SLA"
            behind="Late runs"
            series={[{ name: 'Kept', look: 'plain' }]}
            most={100}
            weeks={weeks.map(({ week, sla }) => ({
              week,
              values: [sla.timed === 0 ? null : Math.round((100 * sla.kept) / sla.timed)],
              count: sla.timed,
              behind: sla.timed - sla.kept,
              to: ofRuns({ status: 'completed', sla: 'breached', ...ofWeek(week) }),
            }))}
            words={(share) => (share === null ? '—' : `${share} %`)}
          />
        </div>
      </Section>
      {change && (
        <Section title={`What v${change.after} changed`}>
          <ChangeTable change={change} toRuns={ofRuns} />
          <p className="xs muted">Numbers in parentheses are the runs behind a median.</p>
        </Section>
      )}
      <Section title="Steps">
        {flow}
        <StepTable steps={steps} shown={shown} toRuns={ofRuns} onImprove={onImprove} isBusy={isBusy} />
        {onShowPeople && (
          <p className={styles.request}>
            <Button size="sm" onClick={onShowPeople}>
              Show by person
            </Button>{' '}
            <span className="xs muted">The audit trail records that you looked.</span>
          </p>
        )}
      </Section>
      {people && (
        <Section title="Steps by person">
          <PeopleTable steps={people.steps} />
          <p className="xs muted">
            Of all versions, from {formatDate(`${people.from}T12:00:00`)} to {formatDate(`${people.to}T12:00:00`)}.
          </p>
        </Section>
      )}
      <Section title="Versions">
        <FigureTable label="Versions" columns={VERSIONS}>
          <tbody>
            {versions.map(({ version, started, completed: done, times, sla }) => (
              <tr key={version}>
                <th scope="row">
                  <Link to={paths.insights({ workflow: shown.workflow, weeks: shown.weeks, version })}>v{version}</Link>
                </th>
                <td>
                  <RunCount runs={started} to={ofRuns({ version })} />
                </td>
                <td>
                  <RunCount runs={done} to={ofRuns({ version, status: 'completed' })} />
                </td>
                <td>{secondsInWords(times.calendar.p50)}</td>
                <td>{secondsInWords(times.calendar.p90)}</td>
                <td>
                  {percent(sla.kept, sla.timed)}
                  {sla.timed > 0 && <span className="muted"> of {formatNumber(sla.timed)}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </FigureTable>
      </Section>
      {insights.paths.runs > 0 && (
        <Section title="Paths of completed runs">
          <PathList
            paths={insights.paths}
            titles={new Map(steps.map(({ stepId, title }) => [stepId, title]))}
            toRuns={ofRuns}
          />
        </Section>
      )}
      {load.length > 0 && (
        <Section title="Load by group">
          <LoadTable load={load} />
        </Section>
      )}
    </>
  );
}
