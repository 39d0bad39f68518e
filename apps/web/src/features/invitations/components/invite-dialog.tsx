import { isolated } from '@stet/domain/workflows';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
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

type InviteRole = (typeof ROLES)[number];
type InviteDialogProps = {
  organization: { id: string; name: string };
  /** The initially selected role. */
  role: InviteRole;
  onClose: () => void;
};

/** The dialog that invites people by email. It opens when it is mounted. */
export function InviteDialog({ organization, role: firstRole, onClose }: InviteDialogProps) {
  const invite = useInvite(organization.id);
  const form = useContractForm({
    schema: invitationSchema,
    initial: { email: '', role: firstRole },
    body: ({ email, role }) => ({ email: addressesIn(email)[0] ?? '', role }),
    places: { already_member: 'email', already_invited: 'email' },
    failed: 'Failed to send the invitation',
    send: async (_, { email, role }) => {
      const addresses = addressesIn(email);
      await refuseInvalid(addresses, role);
      for (const [n, address] of addresses.entries()) {
        try {
          await invite.mutateAsync({ email: address, role });
        } catch (error) {
          // Keep only the addresses that haven't been invited yet.
          form.change({ email: addresses.slice(n).join(', ') });
          if (addresses.length === 1 || !(error instanceof ApiError)) throw error;
          const { kind, status, code, details } = error;
          const message = `${address}: ${errorSentence(error, 'Failed to send the invitation')}`;
          throw new ApiError(kind, { status, code, details, message });
        }
      }
      toast.ok(
        addresses.length === 1 ? 'Invitation sent' : `${addresses.length} invitations sent`,
        addresses.join(', '),
      );
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
      <TextField
        {...form.field('email')}
        label="Email"
        inputMode="email"
        autoComplete="off"
        hint="Separate multiple addresses with commas."
        data-autofocus
      />
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

const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];

/** Refuses the whole list if one address is invalid, before any invitation is sent. */
async function refuseInvalid(addresses: readonly string[], role: InviteRole): Promise<void> {
  const schema = await invitationSchema();
  const bad = addresses.find((email) => !schema.safeParse({ email, role }).success);
  if (bad === undefined) return;
  const problem = `Not a valid email address: ${bad}`;
  throw new ApiError('answer', {
    status: 400,
    code: 'invalid',
    message: problem,
    details: [{ field: 'email', problem }],
  });
}
