import type { PeriodInForce, VersionApproval, VersionInForce, VersionRecord } from '@stet/contract';
import { visibleText } from '@stet/domain/workflows';
import { GitCompare, RotateCcw } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { draftShortId } from '../../../lib/format/draft-short-id.ts';
import { emergencyTone, emergencyWords } from '../../../lib/format/emergency-words.ts';
import { formatDate, formatExactPeriod, formatFullDateTime, formatPeriod } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge, StatusBadge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { caveatOf, comparedWith, rollbackProblem } from '../model/version-facts.ts';
import { CertificateMenu } from './certificate-menu.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-panel.module.css';

type VersionListProps = {
  workflowKey: string;
  versions: readonly VersionInForce[];
  isArchived: boolean;
  /** Only a team has a second person who approves. */
  isTeam: boolean;
  /** Whether the person has permission to roll back. Otherwise there is no button. */
  canRollBack: boolean;
  onRollBack: (version: VersionRecord) => void;
};

/** The versions and open drafts of a workflow, with the periods in which each was in force and who approved it. */
export function VersionList({ workflowKey, versions, isArchived, isTeam, canRollBack, onRollBack }: VersionListProps) {
  return (
    <ul className={classNames('lines', styles.versions)} aria-label="Versions">
      {versions.map((version) => {
        const { id, label, status, createdAt, inForce } = version;
        const other = comparedWith(version, versions);
        const isDraft = version.version === null;
        const ownName = isDraft ? `draft ${draftShortId(id)}` : label;
        return (
          <li key={id} data-in-force={inForce.at(-1)?.until === null || undefined}>
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
            {inForce.toReversed().map((period) => (
              <InForce key={period.from} {...period} />
            ))}
            {isTeam && !isDraft && <ApprovedBy approvals={version.approvals} />}
            {version.summary !== null && <span className={styles.summary}>{visibleText(version.summary)}</span>}
            <span className="xs muted">
              Created <Moment at={createdAt}>{formatFullDateTime(createdAt)}</Moment>
            </span>
            <span className={styles.actions}>
              {isDraft && (
                <ButtonLink className={styles.go} tone="quiet" size="sm" to={paths.review({ key: workflowKey, id })}>
                  Open review<span className="vh"> of {ownName}</span>
                </ButtonLink>
              )}
              {other && (
                <ButtonLink
                  size="sm"
                  icon={GitCompare}
                  to={paths.compare({ key: workflowKey, from: other.version ?? other.id, to: version.version ?? id })}
                >
                  <span>
                    Compare<span className="vh"> {ownName}</span> with {other.label}
                  </span>
                </ButtonLink>
              )}
              {canRollBack && !isDraft && (
                <Button
                  tone="quiet"
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

/** For example 'In force 19 Aug – 12 Oct 2026, made live again by Mara Lindqvist: “The form was wrong”'. */
function InForce({ from, until, act, by, reason, isEmergency }: PeriodInForce) {
  return (
    <span className={styles.period}>
      {until === null ? (
        <b className="med">
          In force since <Moment at={from}>{formatDate(from)}</Moment>
        </b>
      ) : (
        <b className="med" title={formatExactPeriod(from, until)}>
          In force {formatPeriod(from, until)}
        </b>
      )}
      {by && (
        <span className="muted">
          , {act === 'merge' ? 'merged' : 'made live again'} {isEmergency && 'in an emergency '}by <bdi>{by.name}</bdi>
        </span>
      )}
      {reason !== null && (
        <span className="muted">
          : “<bdi>{visibleText(reason)}</bdi>”
        </span>
      )}
    </span>
  );
}

/** For example 'Approved by Ellen Park on 18 Aug 2026 (address not proved)' or 'Merged without approval'. */
function ApprovedBy({ approvals }: { approvals: readonly VersionApproval[] }) {
  if (approvals.length === 0) return <span className={styles.period}>Merged without approval</span>;
  return (
    <span className={styles.period}>
      Approved by{' '}
      {approvals.map((approval, n) => (
        <Fragment key={approval.reviewer.id}>
          {n > 0 && '; '}
          <bdi>{approval.reviewer.name}</bdi>
          {approval.onBehalfOf && (
            <>
              {' '}
              for <bdi>{approval.onBehalfOf.name}</bdi>
            </>
          )}{' '}
          on <Moment at={approval.at}>{formatDate(approval.at)}</Moment>
          {caveatOf(approval) !== '' && <span className="muted"> ({caveatOf(approval)})</span>}
        </Fragment>
      ))}
    </span>
  );
}
