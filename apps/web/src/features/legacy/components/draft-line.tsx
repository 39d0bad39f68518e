import type { VersionRecord } from '@stet/contract';
import { useState } from 'react';
import { draftShortId } from '../../../lib/format/draft-short-id.ts';
import { formatFullDateTime } from '../../../lib/format/time.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Note } from '../../../ui/note.tsx';
import { LoadingLine } from '../../../ui/spinner.tsx';
import { toast } from '../../../ui/toast.ts';
import { approve, comment, merge } from '../api/legacy-calls.ts';
import { useApproveProblem, useLegacyAction, useLegacyDiff } from '../api/use-legacy.ts';
import { diffLines } from '../model/diff-lines.ts';
import styles from './legacy.module.css';

type Problems = { merge: string | undefined; approve: string | undefined; comment: string | undefined };
type DraftLineProps = { workflowKey: string; draft: VersionRecord; problems: Problems };

export function DraftLine({ workflowKey, draft, problems }: DraftLineProps) {
  const [showsDiff, setShowsDiff] = useState(false);
  const [body, setBody] = useState('Looks good to me.');
  const { act, problem } = useLegacyAction();
  const ownProblem = useApproveProblem(workflowKey, draft.id, problems.approve === undefined);
  const name = <span className="vh"> of draft {draftShortId(draft.id)}</span>;
  return (
    <li>
      <div className={styles.legacyLine}>
        <b className="med">Draft</b>
        <span className="mono muted">{draftShortId(draft.id)}</span>
        <StatusBadge status={draft.status} />
        <Moment className="muted" at={draft.createdAt}>
          {formatFullDateTime(draft.createdAt)}
        </Moment>
        <span className="muted">
          Approvals {draft.approvalsCount}, comments {draft.commentsCount}
        </span>
      </div>
      <div className={styles.legacyLine}>
        <Button size="sm" aria-expanded={showsDiff} onClick={() => setShowsDiff(!showsDiff)}>
          Diff{name}
        </Button>
        <Button
          size="sm"
          disabledReason={problems.approve ?? ownProblem}
          onClick={() =>
            act(
              () => approve(workflowKey, draft.id),
              () => toast.ok('Approved'),
            )
          }
        >
          Approve{name}
        </Button>
        <Button
          size="sm"
          disabledReason={problems.merge}
          onClick={() =>
            act(
              () => merge(workflowKey, draft.id),
              () => toast.ok('Merged'),
            )
          }
        >
          Merge{name}
        </Button>
        <Input
          className={styles.legacyComment}
          aria-label={`Comment on draft ${draftShortId(draft.id)}`}
          maxLength={10_000}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        <Button
          size="sm"
          disabledReason={problems.comment ?? (body.trim() === '' ? 'Write a comment first' : undefined)}
          onClick={() =>
            act(
              () => comment(workflowKey, draft.id, body),
              () => toast.ok('Comment added'),
            )
          }
        >
          Comment{name}
        </Button>
      </div>
      {problem && (
        <Note tone="bad" className={styles.note}>
          {problem}
        </Note>
      )}
      {showsDiff && <DraftDiff workflowKey={workflowKey} draftId={draft.id} />}
    </li>
  );
}

function DraftDiff({ workflowKey, draftId }: { workflowKey: string; draftId: string }) {
  const diff = useLegacyDiff(workflowKey, draftId);
  if (!diff.data) {
    return diff.error ? <Note tone="bad">{diff.error.message}</Note> : <LoadingLine>Loading diff...</LoadingLine>;
  }
  const { counts, lines, more } = diffLines(diff.data);
  return (
    <div className={styles.legacyDiff}>
      <p>{counts}</p>
      <ul>
        {lines.map(({ id, type, text }) => (
          <li key={id}>
            <span className="mono">{id}</span> {type}
            {text && `: ${text}`}
          </li>
        ))}
        {more > 0 && <li className="muted">and {more} more</li>}
      </ul>
    </div>
  );
}
