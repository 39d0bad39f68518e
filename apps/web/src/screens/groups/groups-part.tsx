import type { Group } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useAddGroup, useChangeGroup, useRemoveGroup } from '../../features/groups/api/use-change-groups.ts';
import { GroupInUse } from '../../features/groups/components/group-in-use.tsx';
import { GroupList } from '../../features/groups/components/group-list.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useCan } from '../../lib/session/signed-in.ts';
import { useGroups } from '../../lib/session/use-groups.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';

const GroupDialog = lazyDialog(
  async () => (await import('../../features/groups/components/group-dialog.tsx')).GroupDialog,
);

type Dialog = { open: 'none' } | { open: 'form'; group: Group | null } | { open: 'remove'; group: Group };
const NO_DIALOG: Dialog = { open: 'none' };

/** The groups with their actions. */
export function GroupsPart() {
  const canManage = useCan('org.manage');
  const groups = useGroups();
  const members = useMembers();
  const add = useAddGroup();
  const change = useChangeGroup();
  const remove = useRemoveGroup();
  const [dialog, setDialog] = useState<Dialog>(NO_DIALOG);
  const close = () => setDialog(NO_DIALOG);
  const openForm = (group: Group | null) => setDialog({ open: 'form', group });
  const newGroup = (
    <Button tone="primary" icon={Plus} onClick={() => openForm(null)}>
      New group
    </Button>
  );
  const failed = groups.data === undefined ? groups : members;
  return (
    <>
      <div className="head">
        <div>
          <h1 className="title">Groups</h1>
          <p className="sub">Teams of people, independent of their roles</p>
        </div>
        {canManage && <div className="actions">{newGroup}</div>}
      </div>
      {groups.isPending || members.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={3} label="Loading groups" />
        </div>
      ) : !groups.data || !members.data ? (
        <ErrorState title="Error loading groups" onRetry={() => void failed.refetch()}>
          {errorSentence(failed.error, 'Failed to load the groups')}
        </ErrorState>
      ) : groups.data.length === 0 ? (
        <EmptyState icon={UsersRound} title="No groups yet">
          {canManage
            ? 'Create a group, for example Finance, for people who do the same work.'
            : 'Owners and admins can create groups of people who do the same work.'}
        </EmptyState>
      ) : (
        <GroupList
          groups={groups.data}
          members={members.data}
          canManage={canManage}
          onChange={openForm}
          onRemove={(group) => {
            remove.reset();
            setDialog({ open: 'remove', group });
          }}
        />
      )}
      {dialog.open === 'form' && (
        <GroupDialog
          group={dialog.group}
          members={members.data ?? []}
          onSave={async (form) => {
            const { group } = dialog;
            if (group === null) {
              await add.mutateAsync(form);
              toast.ok('Group created', form.name);
            } else {
              const saved = await change.mutateAsync({ group, form });
              if (saved.members.some((id) => group.members.includes(id) && !form.members?.includes(id)))
                toast.ok('Proposed', 'Another owner or admin must confirm that members are removed.');
              else toast.ok('Group changed', form.name);
            }
            close();
          }}
          onClose={close}
        />
      )}
      {dialog.open === 'remove' && (
        <ConfirmDialog
          open
          danger
          title={`Delete the group ${isolated(dialog.group.name)}?`}
          confirmLabel="Delete"
          busy={remove.isPending && 'Deleting…'}
          onConfirm={() =>
            !remove.isPending &&
            remove.mutate(dialog.group.id, {
              onSuccess: () => {
                toast.ok('Group deleted', dialog.group.name);
                close();
              },
            })
          }
          onCancel={close}
        >
          <div className="stack">
            <p>Its members stay in the organization. What they did stays in the history.</p>
            {remove.isError && <GroupInUse error={remove.error} />}
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}
