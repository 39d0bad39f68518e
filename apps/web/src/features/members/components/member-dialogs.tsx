import { isolated } from '@stet/domain/workflows';
import type { Member } from '@stet/contract';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { toast } from '../../../ui/toast.ts';
import type { useChangeRole } from '../api/use-change-members.ts';
import { revokedSentence, useRemoveMember } from '../api/use-change-members.ts';
import { type HeldSteps, HeldStepsField, type StepsTo } from './held-steps.tsx';
import styles from './member-dialogs.module.css';

type Place = { id: string; name: string };

type RemoveMemberDialogProps = {
  organization: Place;
  member: Member;
  /** The names of the organization tokens that the person is responsible for. Null until they are loaded. */
  tokens: readonly string[] | null;
  /** The reason why the tokens couldn't be loaded. Null unless that failed. */
  tokensError: string | null;
  /** The steps that the person has. Null until they are loaded. */
  held: HeldSteps | null;
  /** The reason why the steps couldn't be loaded. Null unless that failed. */
  heldError: string | null;
  onClose: () => void;
};

const TOKENS_TO = [
  { value: 'end', label: 'Revoke them' },
  { value: 'take_over', label: 'Take them over' },
] as const;

/**
 * Asks for confirmation before a member is removed, and what happens to their steps and to the organization tokens that
 * they are responsible for. The dialog opens when it is mounted.
 */
export function RemoveMemberDialog({
  organization,
  member,
  tokens,
  tokensError,
  held,
  heldError,
  onClose,
}: RemoveMemberDialogProps) {
  const remove = useRemoveMember(organization.id);
  const [tokensTo, setTokensTo] = useState<'end' | 'take_over'>('end');
  const hasTokens = tokens !== null && tokens.length > 0;
  const [stepsTo, setStepsTo] = useState<StepsTo>({ is: 'release', to: '', reason: `${member.name} left` });
  const [missing, setMissing] = useState<string>();
  const isLoading = (tokens === null && tokensError === null) || (held === null && heldError === null);
  const confirm = () => {
    if (remove.isPending) return;
    const handsOver = stepsTo.is === 'hand_over';
    if (handsOver && stepsTo.to === '') return setMissing('Choose who gets the steps');
    const reason = stepsTo.reason.trim();
    remove.mutate(
      {
        userId: member.id,
        ...(hasTokens && { takeOverTokens: tokensTo === 'take_over' }),
        ...(handsOver && { handOver: { to: stepsTo.to, ...(reason !== '' && { reason }) } }),
      },
      {
        onSuccess: (removed) => {
          const revoked = revokedSentence(removed);
          if (revoked === null) toast.ok('Member removed', member.name);
          else toast.warn('Member removed', revoked);
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${isolated(member.name)} from ${isolated(organization.name)}?`}
      confirmLabel="Remove"
      busy={isLoading ? 'Loading…' : remove.isPending && 'Removing…'}
      error={remove.isError ? errorSentence(remove.error, 'Failed to remove the member') : null}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <div className="stack">
        <p>They lose access immediately. Their past actions stay in the history.</p>
        {heldError !== null && <Note tone="warn">{heldError} The steps that they have will be released.</Note>}
        {held !== null && held.length > 0 && (
          <HeldStepsField
            held={held}
            member={member}
            value={stepsTo}
            error={missing}
            onChange={(value) => {
              setStepsTo(value);
              setMissing(undefined);
            }}
          />
        )}
        {tokensError !== null && (
          <Note tone="warn">{tokensError} The organization tokens that they are responsible for will be revoked.</Note>
        )}
        {hasTokens && (
          <>
            <p>
              {tokens.length === 1
                ? 'They are responsible for one organization token:'
                : `They are responsible for ${tokens.length} organization tokens:`}
            </p>
            <ul className={styles.removedTokens}>
              {tokens.map((name, at) => (
                <li key={at}>{name}</li>
              ))}
            </ul>
            <div>
              <SegmentedControl label="Their tokens" value={tokensTo} options={TOKENS_TO} onChange={setTokensTo} />
            </div>
            <p className="xs muted">
              {tokensTo === 'end'
                ? 'Programs that use them lose access immediately.'
                : 'They keep working, and their actions also count as yours.'}
            </p>
          </>
        )}
      </div>
    </ConfirmDialog>
  );
}

/**
 * Asks for confirmation before the user leaves. Afterwards, the server selects another of their organizations, if there
 * is one. The dialog opens when it is mounted.
 */
export function LeaveDialog({
  organization,
  userId,
  onClose,
}: {
  organization: Place;
  userId: string;
  onClose: () => void;
}) {
  const remove = useRemoveMember(organization.id);
  return (
    <ConfirmDialog
      open
      danger
      title={`Leave ${isolated(organization.name)}?`}
      confirmLabel="Leave"
      busy={remove.isPending && 'Leaving…'}
      error={remove.isError ? errorSentence(remove.error, 'Failed to leave the organization') : null}
      onConfirm={() => !remove.isPending && remove.mutate({ userId }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      You lose access immediately and need a new invitation to return. Your past actions stay in the history.
    </ConfirmDialog>
  );
}

/**
 * Asks for confirmation before the user's own role changes or someone else loses permissions. The dialog opens when it
 * is mounted.
 */
export function RoleDialog({
  member,
  isMe,
  role,
  change,
  onConfirm,
  onClose,
}: {
  member: Member;
  isMe: boolean;
  role: Member['role'];
  change: ReturnType<typeof useChangeRole>;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      open
      title={`Change ${isMe ? 'your own' : `${isolated(member.name)}’s`} role to ${roleWord(role)}?`}
      confirmLabel="Change role"
      busy={change.isPending && 'Changing…'}
      error={change.isError ? errorSentence(change.error, 'Failed to change the role') : null}
      onConfirm={onConfirm}
      onCancel={onClose}
    >
      {isMe
        ? 'You might not be able to change it back yourself.'
        : `They lose the permissions of ${roleWord(member.role)} immediately. To give them back, a second owner or admin may have to confirm.`}
    </ConfirmDialog>
  );
}
