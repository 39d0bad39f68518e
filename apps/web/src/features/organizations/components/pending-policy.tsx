import type { OrganizationSettings } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { toast } from '../../../ui/toast.ts';
import { usePolicyChange } from '../api/use-policy-change.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './pending-policy.module.css';

type PendingPolicyProps = {
  settings: OrganizationSettings;
  pending: NonNullable<OrganizationSettings['pendingPolicy']>;
  userId: string;
  canManage: boolean;
  /** Whether there is an owner or admin besides the proposer. Null while that is unknown. */
  hasConfirmer: boolean | null;
};

/**
 * A proposal to require fewer approvals. A second owner or admin must confirm it. Shows the proposer and the available
 * actions.
 */
export function PendingPolicy({ settings, pending, userId, canManage, hasConfirmer }: PendingPolicyProps) {
  const { confirm, end } = usePolicyChange(settings.id);
  const [isDeclining, setDeclining] = useState(false);
  const isMine = pending.proposedBy.id === userId;
  const failed = confirm.error;
  const isBusy = confirm.isPending || end.isPending;
  const accept = () =>
    !isBusy &&
    confirm.mutate(
      { requiredApprovals: pending.requiredApprovals },
      { onSuccess: () => toast.ok('Required approvals changed', inApprovals(pending.requiredApprovals)) },
    );
  const decline = () =>
    !isBusy && end.mutate(undefined, { onSuccess: () => toast.ok(isMine ? 'Proposal withdrawn' : 'Proposal refused') });
  return (
    <section className={classNames('sheet', styles.pendingPolicy)} aria-labelledby="pending-policy">
      <h2 id="pending-policy">
        From {inApprovals(settings.requiredApprovals)} to {inApprovals(pending.requiredApprovals)}
      </h2>
      <p className={styles.about}>
        {hasConfirmer === false
          ? 'There is no other owner or admin to confirm this. Give someone else one of these roles, or withdraw the proposal. Nothing has changed yet.'
          : isMine
            ? 'Takes effect when another owner or admin confirms it. Nothing has changed yet.'
            : canManage
              ? 'A second owner or admin must confirm the lower number. Nothing has changed yet.'
              : 'An owner or admin must confirm it. Nothing has changed yet.'}
      </p>
      <p className="xs muted">
        Proposed by {isMine ? 'you' : pending.proposedBy.name} · <RelativeTime at={pending.proposedAt} />
      </p>
      {failed && <Note tone="bad">{errorSentence(failed, 'An error occurred')}</Note>}
      {canManage && (
        <div className={styles.actions}>
          {!isMine && (
            <Button busy={confirm.isPending && 'Confirming…'} onClick={accept}>
              Confirm
            </Button>
          )}
          <Button tone="danger" onClick={() => setDeclining(true)}>
            {isMine ? 'Withdraw' : 'Refuse'}
          </Button>
        </div>
      )}
      {isDeclining && (
        <ConfirmDialog
          open
          title={isMine ? 'Withdraw your proposal?' : `Refuse the proposal by ${isolated(pending.proposedBy.name)}?`}
          confirmLabel={isMine ? 'Withdraw' : 'Refuse'}
          busy={end.isPending && (isMine ? 'Withdrawing…' : 'Refusing…')}
          error={end.error && errorSentence(end.error, 'An error occurred')}
          onConfirm={decline}
          onCancel={() => setDeclining(false)}
        >
          Drafts still need {inApprovals(settings.requiredApprovals)}. It can be proposed again.
        </ConfirmDialog>
      )}
    </section>
  );
}

/** The number in words: 'no required approval', '1 required approval', '3 required approvals'. */
function inApprovals(count: number): string {
  if (count === 0) return 'no required approval';
  return count === 1 ? '1 required approval' : `${count} required approvals`;
}
