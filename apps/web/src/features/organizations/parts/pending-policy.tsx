import type { OrganizationSettings } from '@stet/contract';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { toast } from '../../../ui/toast.ts';
import { usePolicyChange } from '../api/use-policy-change.ts';
import './pending-policy.css';

type PendingPolicyProps = {
  settings: OrganizationSettings;
  pending: NonNullable<OrganizationSettings['pendingPolicy']>;
  userId: string;
  canManage: boolean;
  /** Whether somebody is owner or admin besides the proposer; null while nobody knows. */
  hasConfirmer: boolean | null;
};

/** Fewer required approvals that wait for a second owner or admin: who proposed them, and what one may do about it. */
export function PendingPolicy({ settings, pending, userId, canManage, hasConfirmer }: PendingPolicyProps) {
  const { confirm, end } = usePolicyChange(settings.id);
  const isMine = pending.proposedBy.id === userId;
  const failed = confirm.error ?? end.error;
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
    <section className="sheet pending-policy" aria-labelledby="pending-policy">
      <h2 id="pending-policy">
        From {inApprovals(settings.requiredApprovals)} to {inApprovals(pending.requiredApprovals)}
      </h2>
      <p className="about">
        {hasConfirmer === false
          ? 'Nobody is owner or admin besides who proposed it, so nobody can confirm it. Give a second person that role, or withdraw the proposal. Until then nothing has changed.'
          : isMine
            ? 'It holds once another owner or admin confirms it. Until then nothing has changed.'
            : canManage
              ? 'Fewer approvals need the word of a second owner or admin. Until then nothing has changed.'
              : 'An owner or admin has to confirm it. Until then nothing has changed.'}
      </p>
      <p className="xs muted">
        Proposed by {isMine ? 'you' : pending.proposedBy.name} · <RelativeTime at={pending.proposedAt} />
      </p>
      {failed && <Note tone="bad">{errorSentence(failed, 'Nothing was changed')}</Note>}
      {canManage && (
        <div className="acts">
          {!isMine && (
            <Button busy={confirm.isPending && 'Confirming…'} onClick={accept}>
              Confirm
            </Button>
          )}
          <Button tone="danger" busy={end.isPending && (isMine ? 'Withdrawing…' : 'Refusing…')} onClick={decline}>
            {isMine ? 'Withdraw' : 'Refuse'}
          </Button>
        </div>
      )}
    </section>
  );
}

/** 'no required approval', '1 required approval', '3 required approvals'. */
function inApprovals(count: number): string {
  if (count === 0) return 'no required approval';
  return count === 1 ? '1 required approval' : `${count} required approvals`;
}
