import type { VersionRecord } from '@stet/contract';
import { markWords } from '@stet/domain/drafts';
import { isolated, visibleText } from '@stet/domain/workflows';
import { RotateCcw } from 'lucide-react';
import { Link } from 'react-router';
import { draftShortId } from '../../../lib/format/draft-short-id.ts';
import { emergencyTone, emergencyWords } from '../../../lib/format/emergency-words.ts';
import { formatFullDateTime } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge, StatusBadge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { comparedWith, rollbackProblem } from '../model/version-facts.ts';
import { CertificateMenu } from './certificate-menu.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-panel.module.css';

type VersionListProps = {
  workflowKey: string;
  versions: readonly VersionRecord[];
  isArchived: boolean;
  /** Only a team has a second person who approves. */
  isTeam: boolean;
  /** Whether the person has permission to roll back. Otherwise there is no button. */
  mayRollBack: boolean;
  onRollBack: (version: VersionRecord) => void;
};

/**
 * Every version and open draft, newest first. Each can be read and compared, and a superseded version can be made live
 * again.
 */
export function VersionList({ workflowKey, versions, isArchived, isTeam, mayRollBack, onRollBack }: VersionListProps) {
  return (
    <ul className={classNames('lines', styles.versions)}>
      {versions.map((version) => {
        const { id, label, status, createdAt } = version;
        const other = comparedWith(version, versions);
        const isDraft = version.version === null;
        const ownName = isDraft ? `draft ${draftShortId(id)}` : label;
        return (
          <li key={id}>
            <span className="row">
              <Link
                className={classNames('bold', styles.quietLink)}
                to={paths.document(workflowKey, { version: version.version ?? id })}
              >
                {label}
              </Link>
              <StatusBadge status={status} />
              {version.emergency && (
                <Badge tone={emergencyTone(version.emergency)}>{emergencyWords(version.emergency)}</Badge>
              )}
            </span>
            <span className={classNames('xs muted', styles.made)}>
              <span>
                <Moment at={createdAt}>{formatFullDateTime(createdAt)}</Moment>
                {isDraft && (
                  <>
                    , <span className="mono">{draftShortId(id)}</span>
                  </>
                )}
              </span>
              {other && (
                <Link
                  to={paths.compare({ key: workflowKey, from: other.version ?? other.id, to: version.version ?? id })}
                >
                  Compare<span className="vh"> {ownName}</span> with {other.label}
                </Link>
              )}
            </span>
            {version.summary !== null && <span className={styles.summary}>{visibleText(version.summary)}</span>}
            {isTeam && version.approvals !== null && (
              <span className={classNames('xs muted', styles.approved)}>{approvalWords(version.approvals)}</span>
            )}
            <span className={styles.acts}>
              {isDraft && (
                <ButtonLink className={styles.go} tone="quiet" size="sm" to={paths.review({ key: workflowKey, id })}>
                  Open review<span className="vh"> of {ownName}</span>
                </ButtonLink>
              )}
              {mayRollBack && (
                <Button
                  size="sm"
                  icon={RotateCcw}
                  disabledReason={rollbackProblem(version, { isArchived })}
                  onClick={() => onRollBack(version)}
                >
                  Rollback<span className="vh"> to {ownName}</span>
                </Button>
              )}
              {!isDraft && <CertificateMenu workflowKey={workflowKey} version={version} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** For example 'Approved by Ellen Park (address not proved), Jonas Weber', or that nobody approved it. */
function approvalWords(approvals: NonNullable<VersionRecord['approvals']>): string {
  if (approvals.length === 0) return 'Merged without approval';
  const names = approvals.map(({ reviewer, marks }) =>
    marks.length === 0 ? isolated(reviewer.name) : `${isolated(reviewer.name)} (${markWords(marks)})`,
  );
  return `Approved by ${names.join(', ')}`;
}
