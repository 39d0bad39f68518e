import { isolated } from '@stet/domain/workflows';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { ORG_ROLE_WORDS } from '../../../lib/format/org-role.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { RoleField } from '../../../ui/role-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { invitationSchema, useInvite } from '../api/use-invitations.ts';
import type { InvitationForm } from '../api/use-invitations.ts';

// People can't be invited as owners. Only members can become owners.
const ROLES = ['admin', 'editor', 'reviewer', 'viewer'] as const satisfies InvitationForm['role'][];

const EMPTY: { email: string; role: (typeof ROLES)[number] } = { email: '', role: 'editor' };

type InviteDialogProps = { organization: { id: string; name: string }; onClose: () => void };

/** The dialog that invites a person by mail. It opens when it is mounted. */
export function InviteDialog({ organization, onClose }: InviteDialogProps) {
  const invite = useInvite(organization.id);
  const form = useContractForm({
    schema: invitationSchema,
    initial: EMPTY,
    body: ({ email, role }) => ({ email: email.trim(), role }),
    places: { already_member: 'email', already_invited: 'email' },
    failed: 'Failed to send the invitation',
    send: async (body) => {
      const invitation = await invite.mutateAsync(body);
      toast.ok('Invitation sent', invitation.email);
      onClose();
    },
  });
  const { role } = form.values;
  return (
    <Modal
      open
      title={`Invite to ${isolated(organization.name)}`}
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Sending…'}>
            Send invitation
          </Button>
        </>
      }
    >
      <TextField {...form.field('email')} label="Email" type="email" autoComplete="off" data-autofocus />
      <RoleField
        roles={ROLES}
        value={role}
        hint={ORG_ROLE_WORDS[role].about}
        onChange={(picked) => form.change({ role: picked })}
      />
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
