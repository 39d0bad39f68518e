import type { WholeDraft } from '@stet/contract';
import { isBehind } from '../../features/review/model/compare-options.ts';
import { RequirementChips } from '../../features/review/components/requirement-chips.tsx';
import { displayTitle, visibleText } from '@stet/domain/workflows';
import type { ReactNode } from 'react';
import { emergencyTone, emergencyWords } from '../../lib/format/emergency-words.ts';
import { formatDateTime } from '../../lib/format/time.ts';
import { usePresence } from '../../lib/events/live-updates.tsx';
import { Who } from '../../ui/avatar.tsx';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { PeopleHere } from '../../ui/people-here.tsx';
import { Moment } from '../../ui/moment.tsx';
import { TermHelp } from '../../ui/term-help.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './review-screen.module.css';

/** The draft's title and state, who submitted, merged or last changed it, and its summary. */
export function ReviewHeader({ draft, now }: { draft: WholeDraft; now: number }) {
  const { who, does } = storyOf(draft, now);
  const people = usePresence(draft.id);
  return (
    <div className={styles.reviewHead}>
      <p className={styles.ids}>
        Workflow: <span className="mono">{draft.key}</span> • Draft: <span className="mono">{draft.id}</span>
      </p>
      <h1 className="title-lg">{visibleText(displayTitle(draft.key, draft.metadata.title))}</h1>
      <div className={styles.by}>
        <StatusBadge status={draft.status} />
        {draft.emergency && <Badge tone={emergencyTone(draft.emergency)}>{emergencyWords(draft.emergency)}</Badge>}
        {!draft.merged && <TermHelp term="draft" />}
        <Who name={who} />
        <span>{does}</span>
        <PeopleHere people={people} />
        <RequirementChips requirements={draft.requirements} />
      </div>
      <Summary draft={draft} />
    </div>
  );
}

/** The reason why the draft was submitted. If a submitted change has none, a note says so. */
function Summary({ draft: { summary, submitted, merged, baseVersion } }: { draft: WholeDraft }) {
  if (summary !== null) return <p className={styles.summary}>{visibleText(summary)}</p>;
  if (baseVersion === null || (submitted ?? merged) === null) return null;
  return <p className={classNames(styles.summary, 'muted')}>No summary</p>;
}

function storyOf(draft: WholeDraft, now: number): { who: string; does: ReactNode } {
  const { submitted, merged, contributors, createdBy, updatedAt, baseVersion, liveVersion, version } = draft;
  const replacedVersion = liveVersion ?? baseVersion;
  if (merged) {
    return {
      who: merged.by.name,
      does: (
        <>
          merged it as <b className="bold">v{version}</b>,{' '}
          <Moment at={merged.at}>{formatDateTime(merged.at, now)}</Moment>
        </>
      ),
    };
  }
  const aim =
    baseVersion === null ? (
      'the first version'
    ) : (
      <>
        a change to <b className="bold">v{baseVersion}</b>
      </>
    );
  if (submitted) {
    const replaced =
      replacedVersion === null ? (
        'asks to publish the first version'
      ) : (
        <>
          asks to replace <b className="bold">v{replacedVersion}</b>
          {isBehind(draft) && ` with a change to v${baseVersion}`}
        </>
      );
    const wasSavedSince = updatedAt > submitted.at && contributors.length > 0;
    return {
      who: submitted.by.name,
      does: (
        <>
          {replaced}, submitted <Moment at={submitted.at}>{formatDateTime(submitted.at, now)}</Moment>
          {wasSavedSince && (
            <>
              , changed <Moment at={updatedAt}>{formatDateTime(updatedAt, now)}</Moment>
            </>
          )}
        </>
      ),
    };
  }
  // The contributor who saved last comes first.
  const author = contributors[0]?.name ?? createdBy.name;
  return {
    who: author,
    does: (
      <>
        is working on {aim}, last changed <Moment at={updatedAt}>{formatDateTime(updatedAt, now)}</Moment>
      </>
    ),
  };
}
