import type { WorkflowSummary } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatFullDateTime } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Note } from '../../../ui/note.tsx';
import { LoadingLine } from '../../../ui/spinner.tsx';
import { toast } from '../../../ui/toast.ts';
import { mergeFirstDraft } from '../api/legacy-calls.ts';
import { useLegacyAction, useLegacyWorkflow } from '../api/use-legacy.ts';
import { approveProblem, commentProblem, mergeProblem } from '../model/legacy-role.ts';
import { DraftLine } from './draft-line.tsx';
import styles from './legacy.module.css';

/** A workflow with its open drafts. Its steps and all versions are loaded once it is expanded. */
export function WorkflowItem({ workflow }: { workflow: WorkflowSummary }) {
  const { key, metadata, status, version, stepsCount, versions } = workflow;
  const [isOpen, setIsOpen] = useState(false);
  const { act, problem } = useLegacyAction();
  const title = displayTitle(key, metadata.title);
  const user = useUser();
  const merge = status === 'archived' ? 'This workflow is archived' : mergeProblem(user);
  const problems = { merge, approve: approveProblem(user, status), comment: commentProblem(user, status) };
  const drafts = versions.filter((each) => each.version === null);
  return (
    <li>
      <div className={styles.legacyLine}>
        <h3>
          <Link to={paths.document(key)}>{title}</Link>
        </h3>
        <span className="mono muted">{key}</span>
        <StatusBadge status={status} />
        <span className="muted">
          {version ? `v${version.number}${status === 'archived' ? '' : ' live'}` : 'nothing live'},{' '}
          {stepsCount === 1 ? '1 step' : `${stepsCount} steps`}
        </span>
        <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Versions<span className="vh"> of {title}</span>
        </Button>
        <Button
          size="sm"
          disabledReason={merge}
          onClick={() =>
            act(
              () => mergeFirstDraft(key),
              () => toast.ok('Merged'),
            )
          }
        >
          Merge first draft<span className="vh"> of {title}</span>
        </Button>
      </div>
      {problem && (
        <Note tone="bad" className={styles.note}>
          {problem}
        </Note>
      )}
      {isOpen && <Opened workflowKey={key} />}
      {drafts.length > 0 && (
        <ul className={styles.legacyDrafts}>
          {drafts.map((draft) => (
            <DraftLine key={draft.id} workflowKey={key} draft={draft} problems={problems} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Opened({ workflowKey }: { workflowKey: string }) {
  const { data, error } = useLegacyWorkflow(workflowKey);
  if (!data) return error ? <Note tone="bad">{error.message}</Note> : <LoadingLine>Loading versions...</LoadingLine>;
  return (
    <div className={styles.legacyOpened}>
      <ul>
        {data.versions.map(({ id, label, status, createdAt }) => (
          <li key={id} className={styles.legacyLine}>
            <b className="med">{label}</b>
            <StatusBadge status={status} />
            <Moment className="muted" at={createdAt}>
              {formatFullDateTime(createdAt)}
            </Moment>
          </li>
        ))}
      </ul>
      <ol className={styles.legacySteps}>
        {data.steps.map(({ id, title }, at) => (
          <li key={id}>{title || `Step ${at + 1}`}</li>
        ))}
      </ol>
    </div>
  );
}
