import { isolated } from '@stet/domain/workflows';
import type { PendingInvitation, SentInvitation } from '@stet/contract';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { toast } from '../../../ui/toast.ts';
import { useResendInvitation, useRevokeInvitation } from '../api/use-invitations.ts';
import { LinkDialog } from './link-dialog.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './pending-invitations.module.css';

type PendingInvitationsProps = { organizationId: string; invitations: readonly PendingInvitation[] };

/** The fields of an invitation that are needed to resend or revoke it. */
type Revocable = Pick<PendingInvitation, 'id' | 'email'>;

export function PendingInvitations({ organizationId, invitations }: PendingInvitationsProps) {
  const resend = useResendInvitation(organizationId);
  const [revoking, setRevoking] = useState<Revocable | null>(null);
  const [shownLink, setShownLink] = useState<SentInvitation | null>(null);
  const copy = async (invitation: SentInvitation) => {
    if (await copyText(invitation.link)) toast.ok('Link copied', invitation.email);
    else setShownLink(invitation);
  };
  const sendAgain = ({ id, email }: Revocable) =>
    resend.mutate(id, { onSuccess: () => toast.ok('Invitation sent again', `A new link was sent to ${email}.`) });
  return (
    <>
      {resend.isError && <Note tone="bad">{errorSentence(resend.error, 'Failed to send the invitation')}</Note>}
      <ul className={classNames('sheet', styles.pending)}>
        {invitations.map(({ link, ...invitation }) => (
          <li key={invitation.id}>
            <div className="grow">
              <span className="row">
                <span className="med trunc" title={invitation.email}>
                  {invitation.email}
                </span>
                {invitation.expired && <Badge tone="warn">Expired</Badge>}
              </span>
              <span className={styles.meta}>
                {roleWord(invitation.role)}, invited by {isolated(invitation.invitedBy.name)}{' '}
                <RelativeTime at={invitation.createdAt} />, {invitation.expired ? 'expired' : 'expires'}{' '}
                <Moment at={invitation.expiresAt}>{formatDate(invitation.expiresAt)}</Moment>
              </span>
            </div>
            <div className={styles.actions}>
              {link !== null && !invitation.expired && (
                <Button
                  size="sm"
                  aria-label={`Copy link for ${invitation.email}`}
                  onClick={() => void copy({ ...invitation, link })}
                >
                  Copy link
                </Button>
              )}
              <Button
                size="sm"
                aria-label={`Resend to ${invitation.email}`}
                busy={resend.isPending && resend.variables === invitation.id && 'Sending…'}
                onClick={() => sendAgain(invitation)}
              >
                Resend
              </Button>
              <Button
                tone="quiet-danger"
                size="sm"
                aria-label={`Revoke the invitation for ${invitation.email}`}
                onClick={() => setRevoking(invitation)}
              >
                Revoke
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {invitations.some(({ link }) => link === null) && (
        <p className={styles.meta}>
          Only the person who sent an invitation can see its link. To get a link yourself, resend the invitation.
        </p>
      )}
      {revoking && (
        <RevokeDialog organizationId={organizationId} invitation={revoking} onClose={() => setRevoking(null)} />
      )}
      {shownLink && <LinkDialog {...shownLink} onClose={() => setShownLink(null)} />}
    </>
  );
}

type RevokeDialogProps = { organizationId: string; invitation: Revocable; onClose: () => void };

function RevokeDialog({ organizationId, invitation, onClose }: RevokeDialogProps) {
  const revoke = useRevokeInvitation(organizationId);
  const confirm = () =>
    !revoke.isPending &&
    revoke.mutate(invitation.id, {
      onSuccess: () => {
        toast.ok('Invitation revoked', invitation.email);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      danger
      title="Revoke this invitation?"
      confirmLabel="Revoke"
      busy={revoke.isPending && 'Revoking…'}
      error={revoke.isError ? errorSentence(revoke.error, 'Failed to revoke the invitation') : null}
      onConfirm={confirm}
      onCancel={onClose}
    >
      The link that {invitation.email} received will stop working.
    </ConfirmDialog>
  );
}
