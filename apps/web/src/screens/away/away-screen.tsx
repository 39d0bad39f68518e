import type { Delegation } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { Building2, Palmtree, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddDelegation, useDelegations, useEndDelegation } from '../../features/delegations/api/use-delegations.ts';
import { DelegationList } from '../../features/delegations/components/delegation-list.tsx';
import { useWorkflowChoices } from '../../features/runs/api/use-runs.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useOrganization, useUser } from '../../lib/session/signed-in.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';

const DelegationDialog = lazyDialog(
  async () => (await import('../../features/delegations/components/delegation-dialog.tsx')).DelegationDialog,
);

/** `/app/settings/away`: who does someone's work while they are away. */
export function AwayScreen() {
  const organization = useOrganization();
  return (
    <>
      <PageTitle>Away</PageTitle>
      {organization?.type === 'team' ? (
        <AwayPart />
      ) : (
        <>
          <div className="head">
            <h1 className="title">Away</h1>
          </div>
          <EmptyState icon={Building2} title="Nobody can do your work in a personal account">
            To work with others, create an organization from the “Personal account” menu in the top bar.
          </EmptyState>
        </>
      )}
    </>
  );
}

function AwayPart() {
  const { id: userId } = useUser();
  const delegations = useDelegations();
  const members = useMembers();
  const workflows = useWorkflowChoices();
  const add = useAddDelegation();
  const [ending, setEnding] = useState<Delegation | null>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="head">
        <div>
          <h1 className="title">Away</h1>
          <p className="sub">Who does your work while you are away, and whose work you do</p>
        </div>
        <div className="actions">
          <Button tone="primary" icon={Plus} onClick={() => setOpen(true)}>
            Delegate my work
          </Button>
        </div>
      </div>
      {delegations.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={2} label="Loading delegations" />
        </div>
      ) : !delegations.data ? (
        <ErrorState title="Error loading delegations" onRetry={() => void delegations.refetch()}>
          {errorSentence(delegations.error, 'Failed to load the delegations')}
        </ErrorState>
      ) : delegations.data.length === 0 ? (
        <EmptyState icon={Palmtree} title="Nothing is delegated">
          When you are away, another member can do your tasks, vote and review drafts for you.
        </EmptyState>
      ) : (
        <DelegationList
          delegations={delegations.data}
          userId={userId}
          titles={new Map(workflows.data?.map(({ key, title }) => [key, title]))}
          now={delegations.dataUpdatedAt}
          onEnd={setEnding}
        />
      )}
      {ending && <EndDialog delegation={ending} onClose={() => setEnding(null)} />}
      {isOpen && (
        <DelegationDialog
          people={(members.data ?? []).filter(({ id }) => id !== userId)}
          workflows={workflows.data ?? []}
          onSave={async (form) => {
            const { delegate } = await add.mutateAsync(form);
            toast.ok('Work delegated', delegate.name);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Asks before ending a delegation, or cancelling one that hasn't begun. */
function EndDialog({ delegation, onClose }: { delegation: Delegation; onClose: () => void }) {
  const { id, delegate, isActive } = delegation;
  const end = useEndDelegation();
  const name = isolated(delegate.name);
  return (
    <ConfirmDialog
      open
      title={isActive ? `End the delegation to ${name}?` : `Cancel the delegation to ${name}?`}
      confirmLabel={isActive ? 'End it' : 'Cancel the delegation'}
      cancelLabel="Keep it"
      busy={end.isPending && 'Ending…'}
      error={end.isError ? errorSentence(end.error, 'Failed to end the delegation') : null}
      onConfirm={() =>
        !end.isPending &&
        end.mutate(id, {
          onSuccess: () => {
            toast.ok(isActive ? 'Welcome back' : 'Delegation cancelled');
            onClose();
          },
        })
      }
      onCancel={onClose}
    >
      {isActive
        ? `${name} can no longer act for you. What they did on your behalf stays.`
        : `${name} won’t do your work at that time.`}{' '}
      To delegate your work again, create a new delegation.
    </ConfirmDialog>
  );
}
