import { isolated } from '@stet/domain/workflows';
import type { Member } from '@stet/contract';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { toast } from '../../../ui/toast.ts';
import type { useChangeRole } from '../api/use-members.ts';
import { useRemoveMember } from '../api/use-members.ts';

type Place = { id: string; name: string };

/** Asked before someone is removed. Mount it to open it. */
export function RemoveMemberDialog({
  organization,
  member,
  onClose,
}: {
  organization: Place;
  member: Member;
  onClose: () => void;
}) {
  const remove = useRemoveMember(organization.id);
  const confirm = () =>
    !remove.isPending &&
    remove.mutate(member.id, {
      onSuccess: () => {
        toast.ok('Member removed', member.name);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${isolated(member.name)} from ${isolated(organization.name)}?`}
      confirmLabel="Remove"
      busy={remove.isPending && 'Removing…'}
      error={remove.isError ? errorSentence(remove.error, 'Failed to remove the member') : null}
      onConfirm={confirm}
      onCancel={onClose}
    >
      They lose access at once. What they did stays in the history.
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
      onConfirm={() => !remove.isPending && remove.mutate(userId, { onSuccess: onClose })}
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
