import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { ORG_ROLE_WORDS } from '../../../lib/format/org-role.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { RoleField } from '../../../ui/role-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { useInvite } from '../api/use-invitations.ts';
import type { InvitationForm } from '../api/use-invitations.ts';

// Ownership is handed over among members, not given with an invitation.
const ROLES = ['admin', 'editor', 'reviewer', 'viewer'] as const satisfies InvitationForm['role'][];

type InviteDialogProps = { organization: { id: string; name: string }; onClose: () => void };

/** Invites someone by mail. Mount it to open it. */
export function InviteDialog({ organization, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof ROLES)[number]>('editor');
  const [tried, setTried] = useState(false);
  const invite = useInvite(organization.id);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (email.trim() === '') return focusFirstBad(event.currentTarget);
    if (invite.isPending) return;
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess: (invitation) => {
          toast.ok('Invitation sent', invitation.email);
          onClose();
        },
      },
    );
  };
  return (
    <Modal
      open
      title={`Invite to ${isolated(organization.name)}`}
      onClose={onClose}
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={invite.isPending && 'Sending…'}>
            Send invitation
          </Button>
        </>
      }
    >
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        error={tried && email.trim() === '' ? 'Email is required' : null}
        onChange={setEmail}
      />
      <RoleField roles={ROLES} value={role} hint={ORG_ROLE_WORDS[role].about} onChange={setRole} />
      {invite.isError && <Note tone="bad">{errorSentence(invite.error, 'Failed to send the invitation')}</Note>}
    </Modal>
  );
}
