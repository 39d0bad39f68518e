import { isolated } from '@stet/domain/workflows';
import type { ReviewTask } from '@stet/contract';
import { GitPullRequestArrow } from 'lucide-react';
import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { paths } from '../../../lib/paths.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './task-list.module.css';

/** The drafts that wait for the user's review. Each is a link to its review. */
export function ReviewList({ drafts, isMore }: { drafts: readonly ReviewTask[]; isMore: boolean }) {
  const now = useNow(60_000);
  return (
    <section aria-label="To review">
      <h2 className={styles.taskGroup}>
        To review{' '}
        <span>
          {drafts.length}
          {isMore && '+'}
        </span>
      </h2>
      <ul className={classNames('sheet', styles.tasks)}>
        {drafts.map(({ workflowKey, draftId, title, author, submittedAt, changes, approvals, groups, onBehalfOf }) => (
          <li key={draftId}>
            <Link className={styles.task} to={paths.review({ key: workflowKey, id: draftId })}>
              <Icon of={GitPullRequestArrow} />
              <span className={styles.what}>
                <span className={styles.name}>{title}</span>
                <span className={styles.of}>
                  {onBehalfOf && (
                    <>
                      For <Who name={onBehalfOf.name} address={onBehalfOf.email} />,{' '}
                    </>
                  )}
                  {onBehalfOf ? 'by ' : ''}
                  {isolated(author.name)}, {changes === 1 ? '1 change' : `${formatNumber(changes)} changes`}, waiting
                  since <Moment at={submittedAt}>{formatDateTime(submittedAt, now)}</Moment>
                </span>
              </span>
              <span className={styles.when}>
                {groups.map((group) => (
                  <Badge key={group} tone="warn">
                    {isolated(group)} 0 of 1
                  </Badge>
                ))}
                <Badge>{`${approvals.has} of ${approvals.needed} ${approvals.needed === 1 ? 'approval' : 'approvals'}`}</Badge>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
