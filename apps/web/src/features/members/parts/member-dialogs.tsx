import { isolated } from '@stet/domain/workflows';
import type { Member } from '@stet/contract';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { toast } from '../../../ui/toast.ts';
import type { useChangeRole } from '../api/use-members.ts';
import { useRemoveMember } from '../api/use-members.ts';
import './member-dialogs.css';

type Place = { id: string; name: string };

type RemoveMemberDialogProps = {
  organization: Place;
  member: Member;
  /** The names of the organization tokens that they made; null while they are loading. */
  tokens: readonly string[] | null;
  /** Why the tokens couldn't be loaded. */
  tokensError: string | null;
  onClose: () => void;
};

const TOKENS_TO = [
  { value: 'end', label: 'End them' },
  { value: 'take_over', label: 'Take them over' },
] as const;

/** Asked before someone is removed, with what becomes of the tokens they made. Mount it to open it. */
export function RemoveMemberDialog({ organization, member, tokens, tokensError, onClose }: RemoveMemberDialogProps) {
  const remove = useRemoveMember(organization.id);
  const [tokensTo, setTokensTo] = useState<'end' | 'take_over'>('end');
  const hasTokens = tokens !== null && tokens.length > 0;
  const isLoading = tokens === null && tokensError === null;
  const confirm = () =>
    !remove.isPending &&
    remove.mutate(
      { userId: member.id, ...(hasTokens && { takeOverTokens: tokensTo === 'take_over' }) },
      {
        onSuccess: () => {
          toast.ok('Member removed', member.name);
          onClose();
        },
      },
    );
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
        <p>They lose access at once. What they did stays in the history.</p>
        {tokensError !== null && (
          <Note tone="warn">{tokensError} The organization tokens that they made end with the removal.</Note>
        )}
        {hasTokens && (
          <>
            <p>
              {tokens.length === 1
                ? 'One organization token was made by them:'
                : `${tokens.length} organization tokens were made by them:`}
            </p>
            <ul className="removed-tokens">
              {tokens.map((name, at) => (
                <li key={at}>{name}</li>
              ))}
            </ul>
            <div>
              <SegmentedControl label="Their tokens" value={tokensTo} options={TOKENS_TO} onChange={setTokensTo} />
            </div>
            <p className="xs muted">
              {tokensTo === 'end'
                ? 'Programs that use them are refused from their next call on.'
                : 'They go on, and what they write also counts as yours.'}
            </p>
          </>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** Asked before one leaves. The app follows to another organization by itself. Mount it to open it. */
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
      You lose access at once, and come back only by a new invitation. What you did stays in the history.
    </ConfirmDialog>
  );
}

/** Asked before one takes rights from oneself. Mount it to open it. */
export function OwnRoleDialog({
  role,
  change,
  onConfirm,
  onClose,
}: {
  role: Member['role'];
  change: ReturnType<typeof useChangeRole>;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      open
      title={`Change your own role to ${roleWord(role)}?`}
      confirmLabel="Change role"
      busy={change.isPending && 'Changing…'}
      error={change.isError ? errorSentence(change.error, 'Failed to change the role') : null}
      onConfirm={onConfirm}
      onCancel={onClose}
    >
      You may not be able to change it back yourself.
    </ConfirmDialog>
  );
}
