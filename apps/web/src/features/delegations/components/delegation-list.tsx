import type { Delegation } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './delegations.module.css';

type DelegationListProps = {
  delegations: readonly Delegation[];
  /** The user's id. The user is the delegator or the delegate of every listed delegation. */
  userId: string;
  /** The titles of workflows by key. */
  titles: ReadonlyMap<string, string>;
  /** In ms since 1970. */
  now: number;
  onEnd: (delegation: Delegation) => void;
};

const LIST = new Intl.ListFormat('en-GB');

/** Delegations with their work and times. Delegators can end their own. */
export function DelegationList({ delegations, userId, titles, now, onEnd }: DelegationListProps) {
  return (
    <ul className={classNames('sheet', styles.list)}>
      {delegations.map((delegation) => {
        const { id, delegator, delegate, from, until, kinds, workflowKeys, reason, isActive } = delegation;
        const isOwn = delegator.id === userId;
        const workflows = workflowKeys?.map((key) => isolated(titles.get(key) ?? key));
        return (
          <li key={id}>
            <div className={styles.what}>
              <span className="med">
                {isOwn ? `${isolated(delegate.name)} does your work` : `You do the work of ${isolated(delegator.name)}`}
              </span>{' '}
              <Badge tone={isActive ? 'live' : 'gray'}>{isActive ? 'Now' : 'Planned'}</Badge>
              <span className={styles.line}>
                {LIST.format(kinds)} {workflows ? `of ${LIST.format(workflows)}` : 'of all workflows'}
              </span>
              <span className={styles.line}>
                {formatDateTime(from, now)} to {formatDateTime(until, now)}: {isolated(reason)}
              </span>
            </div>
            {isOwn && (
              <Button
                size="sm"
                aria-label={
                  isActive
                    ? `I’m back, end the delegation to ${delegate.name}`
                    : `Cancel the delegation to ${delegate.name}`
                }
                onClick={() => onEnd(delegation)}
              >
                {isActive ? 'I’m back' : 'Cancel'}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
