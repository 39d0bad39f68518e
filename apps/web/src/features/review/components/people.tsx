import type { WholeDraft } from '@stet/contract';
import { markWords } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { Check, CircleDashed, Undo2 } from 'lucide-react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { TermHelp } from '../../../ui/term-help.tsx';
import { becauseWords, reviewersOf } from '../model/reviewers.ts';
import type { Reviewer } from '../model/reviewers.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './review-side.module.css';

/**
 * The maximum number of people in each of two lists: possible reviewers, and people whose approvals wouldn't count. The
 * others are only counted.
 */
const MAX_SILENT = 5;

/** The draft's reviews and, until it is merged, the people who haven't reviewed it. */
export function Approvals({ draft, now }: { draft: WholeDraft; now: number }) {
  const people = reviewersOf(draft);
  const spoken = people.filter(({ stance }) => stance !== 'none' && stance !== 'not_yet');
  const silent = people.filter(({ stance }) => stance === 'none');
  const notYet = people.filter(({ stance }) => stance === 'not_yet');
  const isOpen = draft.merged === null;
  const shown = isOpen ? [...spoken, ...silent.slice(0, MAX_SILENT), ...notYet.slice(0, MAX_SILENT)] : spoken;
  const hidden = isOpen ? silent.length - MAX_SILENT : 0;
  return (
    <section>
      <h2 className="h3">Approvals</h2>
      {shown.length === 0 && <p className="muted">{isOpen ? 'Nobody else can review here.' : 'There are none.'}</p>}
      <ul className={styles.ppl}>
        {shown.map((person) => (
          <li key={person.id}>
            <span>
              <Who className={styles.person} name={person.name} />
              {person.onBehalfOf && <> for {isolated(person.onBehalfOf)}</>}
            </span>
            <span>
              <StanceBadge stance={person.stance} />
            </span>
            {person.at !== null && (
              <p className={styles.why}>
                <Moment at={person.at}>{formatDateTime(person.at, now)}</Moment>
              </p>
            )}
            <Why person={person} now={now} />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="muted xs">and {hidden} more can review</p>}
      {isOpen && notYet.length > MAX_SILENT && (
        <p className="muted xs">and {notYet.length - MAX_SILENT} more whose approval doesn’t count</p>
      )}
    </section>
  );
}

/** An approval's marks, or why a person's approval doesn't count and when it will. */
function Why({ person: { stance, marks, notCounted }, now }: { person: Reviewer; now: number }) {
  if (stance === 'approved' && marks.length > 0) return <p className={styles.why}>Marked: {markWords(marks)}</p>;
  if (!notCounted) return null;
  return (
    <p className={styles.why}>
      {becauseWords(notCounted)}.
      {notCounted.from !== null && (
        <>
          {' '}
          Counts from <Moment at={notCounted.from}>{formatDateTime(notCounted.from, now)}</Moment>.
        </>
      )}
    </p>
  );
}

type ObjectionsProps = {
  objections: WholeDraft['objections'];
  now: number;
  /** Null if the reader has no permission to set requests aside. */
  onSetAside: ((objection: WholeDraft['objections'][number]) => void) | null;
};

/** The open requests for changes, including requests on the same content in an earlier draft. */
export function Objections({ objections, now, onSetAside }: ObjectionsProps) {
  if (objections.length === 0) return null;
  return (
    <section aria-labelledby="objections">
      <h2 className="h3" id="objections">
        Open requests for changes
      </h2>
      <ul className={styles.objections}>
        {objections.map((objection) => {
          const { reviewer, delegate, comment, at, carried, abandoned } = objection;
          return (
            <li key={`${reviewer.id} ${at}`}>
              <Who className={styles.person} name={reviewer.name} />
              {delegate && <p className={styles.why}>Requested by {isolated(delegate.name)} for them</p>}
              <p className={styles.what}>{comment}</p>
              <p className={styles.why}>
                <Moment at={at}>{formatDateTime(at, now)}</Moment>
                {carried && ', from an earlier draft with the same content'}
                {abandoned && `. ${isolated(reviewer.name)} can’t approve this draft.`}
              </p>
              {abandoned && onSetAside && (
                <Button
                  size="sm"
                  aria-label={`Set aside the request by ${reviewer.name}`}
                  onClick={() => onSetAside(objection)}
                >
                  Set aside
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function StanceBadge({ stance }: { stance: Reviewer['stance'] }) {
  switch (stance) {
    case 'approved':
      return (
        <Badge className={styles.badge} tone="live">
          <Icon of={Check} size="s" />
          Approved
        </Badge>
      );
    case 'changes_requested':
      return (
        <Badge className={styles.badge} tone="fail">
          <Icon of={Undo2} size="s" />
          Changes requested
        </Badge>
      );
    case 'dismissed':
      return (
        <Badge className={styles.badge} tone="gray">
          <Icon of={CircleDashed} size="s" />
          Dismissed
        </Badge>
      );
    case 'not_counted':
    case 'not_yet':
      return (
        <Badge className={styles.badge} tone="gray">
          Doesn’t count
        </Badge>
      );
    case 'none':
      return <span className="muted xs">No review yet</span>;
  }
}

/** The people who contributed to the draft and therefore can't approve it. */
export function Contributors({ contributors }: Pick<WholeDraft, 'contributors'>) {
  return (
    <section>
      <div className={classNames('row', styles.contributors)}>
        <h2 className="h3">
          Contributors <span className="muted xs">can’t approve this draft</span>
        </h2>
        <TermHelp term="contributor" />
      </div>
      <ul className={styles.ppl}>
        {contributors.map(({ id, name, saves, through }) => (
          <li key={`${id} ${through?.id ?? ''}`}>
            <Who className={styles.person} name={name} />
            <span className="muted xs">{saves === 1 ? '1 save' : `${saves} saves`}</span>
            {through && (
              <p className={styles.why}>
                {contributors.some(({ id: other, tokens }) => other === through.id && tokens.length > 0)
                  ? `Because they own or once owned a token of ${isolated(through.name)}, or because ${isolated(through.name)}’s address wasn’t proved when they saved the draft.`
                  : `Through ${isolated(through.name)}, whose address wasn’t proved when they saved the draft.`}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
