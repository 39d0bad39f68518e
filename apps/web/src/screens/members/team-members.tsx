import { PERMISSION_NAMES, roleHas } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import type { Confirmation, Member } from '@stet/contract';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useOrganizationTokens } from '../../features/api-tokens/api/use-api-tokens.ts';
import { useConfirmations } from '../../features/confirmations/api/use-confirmations.ts';
import { revokedSentence, useChangeRole, useHeldSteps } from '../../features/members/api/use-change-members.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { LeaveDialog, RemoveMemberDialog, RoleDialog } from '../../features/members/components/member-dialogs.tsx';
import { MembersTable, MembersTableSkeleton } from '../../features/members/components/members-table.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { roleWord } from '../../lib/format/org-role.ts';
import { useCan, useIsWithheld, useUser } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { toast } from '../../ui/toast.ts';
import { InvitationsPart } from './invitations-part.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const DecideDialog = lazyDialog(
  async () => (await import('../../features/confirmations/components/decide-dialog.tsx')).DecideDialog,
);
const InviteDialog = lazyDialog(
  async () => (await import('../../features/invitations/components/invite-dialog.tsx')).InviteDialog,
);

type Dialog =
  | { open: 'none' }
  | { open: 'invite'; role: 'editor' | 'reviewer' }
  | { open: 'leave' }
  | { open: 'remove'; member: Member }
  | { open: 'confirm'; confirmation: Confirmation }
  | { open: 'role'; member: Member; role: Member['role'] };

const NO_DIALOG: Dialog = { open: 'none' };

export function TeamMembers({ organization }: { organization: Organization }) {
  const user = useUser();
  const canManage = useCan('org.manage');
  const isWithheld = useIsWithheld('org.manage');
  const members = useMembers();
  const waiting = useWaitingMembers();
  const change = useChangeRole(organization.id);
  const [query] = useSearchParams();
  const invitesReviewers = canManage && query.get('invite') === 'reviewer';
  const [dialog, setDialog] = useState<Dialog>(invitesReviewers ? { open: 'invite', role: 'reviewer' } : NO_DIALOG);
  const [text, setText] = useState('');
  const close = () => setDialog(NO_DIALOG);

  const changeRole = (member: Member, role: Member['role']) =>
    change.mutate(
      { member, role },
      {
        onSuccess: (changed) => {
          const sentence = `${isolated(member.name)}’s role is now ${roleWord(role)}.`;
          const revoked = revokedSentence(changed);
          if (revoked === null) toast.ok('Role changed', sentence);
          else toast.warn('Role changed', `${sentence} ${revoked}`);
          close();
        },
      },
    );
  const pickRole = (member: Member, role: Member['role']) => {
    if (member.id !== user.id && !losesPermissions(member.role, role)) return changeRole(member, role);
    change.reset();
    setDialog({ open: 'role', member, role });
  };
  const end = (member: Member) => setDialog(member.id === user.id ? { open: 'leave' } : { open: 'remove', member });
  const me = { id: user.id, role: organization.role };
  const owners = (members.data ?? []).filter(({ role }) => role === 'owner').map(({ name }) => name);

  return (
    <>
      <div className="head">
        <div>
          <h1 className="title">Members</h1>
          <p className="sub">People in {isolated(organization.name)} and their roles</p>
        </div>
        <div className="actions">
          {canManage ? (
            <Button tone="primary" icon={Plus} onClick={() => setDialog({ open: 'invite', role: 'editor' })}>
              Invite
            </Button>
          ) : (
            <Button tone="quiet-danger" onClick={() => setDialog({ open: 'leave' })}>
              Leave this organization
            </Button>
          )}
        </div>
      </div>
      {!canManage && !isWithheld && (
        <Note>
          Only owners and admins can invite people and change members.
          {owners.length > 0 && ` Ask ${owners.slice(0, 3).join(' or ')}.`}
        </Note>
      )}
      {change.isError && dialog.open !== 'role' && (
        <Note tone="bad">{errorSentence(change.error, 'Failed to change the role')}</Note>
      )}
      {members.isPending ? (
        <MembersTableSkeleton canManage={canManage} />
      ) : members.data ? (
        <MembersTable
          members={members.data}
          me={me}
          text={text}
          onSearch={setText}
          canManage={canManage}
          waiting={waiting}
          onConfirm={(confirmation) => setDialog({ open: 'confirm', confirmation })}
          onChangeRole={pickRole}
          onRemove={end}
        />
      ) : (
        <ErrorState title="Error loading members" onRetry={() => void members.refetch()}>
          {errorSentence(members.error, 'Failed to load members')}
        </ErrorState>
      )}
      {/* Hidden until the list above has loaded, so that this section doesn't jump. */}
      {canManage && !members.isPending && <InvitationsPart organizationId={organization.id} />}
      {dialog.open === 'invite' && <InviteDialog organization={organization} role={dialog.role} onClose={close} />}
      {dialog.open === 'leave' && <LeaveDialog organization={organization} userId={user.id} onClose={close} />}
      {dialog.open === 'remove' && (
        <RemovingMember organization={organization} member={dialog.member} onClose={close} />
      )}
      {dialog.open === 'confirm' && <DecideDialog confirmation={dialog.confirmation} to="confirm" onClose={close} />}
      {dialog.open === 'role' && (
        <RoleDialog
          member={dialog.member}
          isMe={dialog.member.id === user.id}
          role={dialog.role}
          change={change}
          onConfirm={() => !change.isPending && changeRole(dialog.member, dialog.role)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Whether someone with the role `from` could do something that they can no longer do with the role `to`. */
const losesPermissions = (from: Member['role'], to: Member['role']): boolean =>
  PERMISSION_NAMES.some((permission) => roleHas(from, permission) && !roleHas(to, permission));

/** The confirmations about members that wait for a second owner or admin, by member id. */
function useWaitingMembers(): ReadonlyMap<string, Confirmation> {
  const { data } = useConfirmations();
  return useMemo(
    () => new Map((data ?? []).flatMap((each) => (each.kind === 'member' ? [[each.subjectId, each] as const] : []))),
    [data],
  );
}

type RemovingMemberProps = { organization: Organization; member: Member; onClose: () => void };

function RemovingMember({ organization, member, onClose }: RemovingMemberProps) {
  const tokens = useOrganizationTokens(organization.id);
  const held = useHeldSteps(organization.id, member.id);
  const made = tokens.data?.filter(({ role, owner }) => role !== null && owner.id === member.id);
  return (
    <RemoveMemberDialog
      organization={organization}
      member={member}
      tokens={made?.map(({ name }) => name) ?? null}
      held={held.data ?? null}
      heldError={held.isError && !held.data ? 'Their steps could not be loaded.' : null}
      tokensError={tokens.isError && !made ? 'Their tokens could not be loaded.' : null}
      onClose={onClose}
    />
  );
}
