import type { WorkflowReviews } from '@stet/contract';
import { weeksBetween } from '@stet/domain/insights';
import { FileCheck } from 'lucide-react';
import { Link } from 'react-router';
import { counted, formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { REVIEW_DECISION_WORDS, REVIEW_TIME, secondsInWords } from '../model/insight-words.ts';
import { NOT_LIVE, type Shown } from '../model/shown.ts';
import { FigureTable } from './figure-table.tsx';
import { KeyFigures } from './key-figures.tsx';
import { RunCount } from './run-count.tsx';
import { Section } from './section.tsx';
import { WeekChart } from './week-chart.tsx';
import styles from './insights.module.css';

const NONE = { finished: 0, changesRequested: 0, p50: null, p90: null };
const VERSIONS = ['Version', 'Finished', 'Changes requested', 'Median', '90 %'].map((name) => ({ name }));
const LIST = ['Draft', 'Version', 'Submitted', 'Decided', 'Decision', 'Time'].map((name) => ({ name }));

type ReviewsProps = {
  shown: Shown;
  first: WorkflowReviews;
  reviews: WorkflowReviews['reviews'];
  onChange: (shown: Shown) => void;
  /** Null if there are no more. */
  onMore: (() => void) | null;
  isLoadingMore: boolean;
};

/**
 * The time of a workflow's finished reviews: by week of the decision, by version, and a list in which each has a link
 * to its draft, unless the draft was discarded. If a week is chosen, only the list.
 */
export function Reviews({ shown, first, reviews, onChange, onMore, isLoadingMore }: ReviewsProps) {
  const { all, versions, from, to } = first;
  const { workflow, version, weeks: length, week: only } = shown;
  const showAll = only !== '' && <Button onClick={() => onChange({ ...shown, week: '' })}>Show all weeks</Button>;
  if (all.finished === 0)
    return (
      <EmptyState icon={FileCheck} title="No finished reviews" action={showAll}>
        {only === ''
          ? 'Reviews of drafts that were decided in this period appear here. Choose a longer period to see older ones.'
          : 'No review was decided in this week.'}
      </EmptyState>
    );
  const byWeek = new Map(first.weeks.map((each) => [each.week, each]));
  const toReviews = (more: { version?: number | string; week?: string } = {}): string =>
    paths.insights({ workflow, version, weeks: length, view: 'reviews', ...more });
  const behind = [{ text: counted(all.finished, 'finished review') }];
  return (
    <>
      {only === '' && (
        <>
          <Section title="Reviews">
            <KeyFigures
              figures={[
                { name: 'Finished', value: formatNumber(all.finished), behind },
                { name: 'Median time', value: secondsInWords(all.p50), behind },
                { name: '90 % are decided within', value: secondsInWords(all.p90), behind },
                { name: 'Changes requested', value: formatNumber(all.changesRequested), behind },
              ]}
            />
            <p className={styles.note}>
              <span className="xs muted">{REVIEW_TIME}</span>
            </p>
          </Section>
          <Section title="By week">
            <WeekChart
              title="Time of finished reviews"
              counted="Finished reviews"
              series={[
                { name: '90 %', look: 'striped' },
                { name: 'Median', look: 'plain' },
              ]}
              weeks={weeksBetween(from, to).map((week) => {
                const { finished, p50, p90 } = byWeek.get(week) ?? NONE;
                return { week, values: [p90, p50], count: finished, behind: finished, to: toReviews({ week }) };
              })}
              words={secondsInWords}
            />
          </Section>
          <Section title="Versions">
            <FigureTable label="Versions" across={4} columns={VERSIONS}>
              <tbody>
                {versions.map(({ version: each, finished, changesRequested, p50, p90 }) => (
                  <tr key={each}>
                    <th scope="row">{each === null ? 'Not live' : `v${each}`}</th>
                    <td>
                      <RunCount runs={finished} to={toReviews({ version: each ?? NOT_LIVE })} />
                    </td>
                    <td>{formatNumber(changesRequested)}</td>
                    <td>{secondsInWords(p50)}</td>
                    <td>{secondsInWords(p90)}</td>
                  </tr>
                ))}
              </tbody>
            </FigureTable>
          </Section>
        </>
      )}
      <Section title={only === '' ? 'Finished reviews' : `Decided in the week of ${formatDate(`${only}T12:00:00`)}`}>
        {showAll}
        <FigureTable label="Finished reviews" columns={LIST}>
          <tbody>
            {reviews.map(({ draftId, title, version: each, submittedAt, decidedAt, decision, seconds }) => (
              <tr key={`${draftId} ${submittedAt}`}>
                <th scope="row">
                  {title === null ? (
                    <span className="muted">Discarded draft</span>
                  ) : (
                    <Link to={paths.review({ key: workflow, id: draftId })}>{title}</Link>
                  )}
                </th>
                <td>{each === null ? 'Not live' : `v${each}`}</td>
                <td>{formatDate(submittedAt)}</td>
                <td>{formatDate(decidedAt)}</td>
                <td>{REVIEW_DECISION_WORDS[decision]}</td>
                <td>{secondsInWords(Math.round(seconds))}</td>
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
