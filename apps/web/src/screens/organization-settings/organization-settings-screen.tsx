import type { OrganizationSettings } from '@stet/contract';
import { roleHas } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { Building2 } from 'lucide-react';
import { useConfirmations } from '../../features/confirmations/api/use-confirmations.ts';
import { ConfirmationList } from '../../features/confirmations/components/confirmation-list.tsx';
import { useOrganizationSettings } from '../../features/organizations/api/use-organization-settings.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { PendingPolicy } from '../../features/organizations/components/pending-policy.tsx';
import { RunPoliciesForm } from '../../features/organizations/components/run-policies-form.tsx';
import { SettingsForm } from '../../features/organizations/components/settings-form.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useCan, useIsWithheld, useOrganization, useUser } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ReviewRoutesPart } from './review-routes-part.tsx';
import { StoragePart } from './storage-part.tsx';
import { WorkingHoursPart } from './working-hours-part.tsx';
import { LeavePart } from './leave-part.tsx';

/** `/app/settings/organization`: name, policies, working hours, file storage and, in a team, routes and leaving. */
export function OrganizationSettingsScreen() {
  const organization = useOrganization();
  return (
    <>
      <PageTitle>Organization</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">Organization</h1>
          <p className="sub">Name, approval policy and working hours</p>
        </div>
      </div>
      {organization ? (
        <Settings organization={organization} />
      ) : (
        <EmptyState icon={Building2} title="No organization selected." />
      )}
    </>
  );
}

function Settings({ organization }: { organization: Organization }) {
  const canManage = useCan('org.manage');
  const isWithheld = useIsWithheld('org.manage');
  const settings = useOrganizationSettings(organization.id);
  const isTeam = organization.type === 'team';
  const { id } = useUser();
  const members = useMembers({ enabled: isTeam && canManage });
  const others = members.data?.filter((member) => member.id !== id && roleHas(member.role, 'draft.review'));
  const otherReviewers = others?.length ?? null;
  return (
    <>
      {!isTeam && (
        <Note>
          This is your personal account. Drafts need no approval. For reviews by other people, create an organization.
        </Note>
      )}
      {isTeam && !canManage && !isWithheld && <Note>Only owners and admins can change these settings.</Note>}
      {settings.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={3} label="Loading organization" />
        </div>
      ) : settings.data ? (
        <>
          {settings.data.pendingPolicy && (
            <WaitingPolicy settings={settings.data} pending={settings.data.pendingPolicy} canManage={canManage} />
          )}
          {settings.data.pendingStrictOff && !canManage && (
            <Note>
              {isolated(settings.data.pendingStrictOff.proposedBy.name)} proposed turning off strict review. Nothing
              changes until another owner or admin confirms it.
            </Note>
          )}
          <WaitingChanges />
          <SettingsForm settings={settings.data} canManage={canManage} otherReviewers={otherReviewers} />
          <RunPoliciesForm settings={settings.data} canManage={canManage} />
          {isTeam && <ReviewRoutesPart organizationId={organization.id} canManage={canManage} />}
          <WorkingHoursPart organizationId={organization.id} canManage={canManage} />
          <StoragePart organizationId={organization.id} />
        </>
      ) : (
        <ErrorState title="Error loading the organization" onRetry={() => void settings.refetch()}>
          {errorSentence(settings.error, 'Failed to load the organization')}
        </ErrorState>
      )}
      {isTeam && !settings.isPending && <LeavePart organization={organization} />}
    </>
  );
}

/** Other changes on this screen that a second owner or admin must confirm. */
function WaitingChanges() {
  const { data } = useConfirmations();
  // A change to the required approvals is already shown above as the proposed policy.
  const waiting = (data ?? []).filter(
    ({ kind, payload }) => kind === 'working_hours' || (kind === 'policy' && !('requiredApprovals' in payload)),
  );
  if (waiting.length === 0) return null;
  return (
    <section className="settings-part" aria-labelledby="waiting-changes">
      <h2 className="title-sm" id="waiting-changes">
        Waiting for a second person
      </h2>
      <ConfirmationList confirmations={waiting} />
    </section>
  );
}

type WaitingPolicyProps = {
  settings: OrganizationSettings;
  pending: NonNullable<OrganizationSettings['pendingPolicy']>;
  canManage: boolean;
};

/** The proposed policy, and whether anyone can confirm it. */
function WaitingPolicy({ settings, pending, canManage }: WaitingPolicyProps) {
  const { id: userId } = useUser();
  const members = useMembers();
  const hasConfirmer =
    members.data?.some(({ id, role }) => id !== pending.proposedBy.id && roleHas(role, 'org.manage')) ?? null;
  return (
    <PendingPolicy
      settings={settings}
      pending={pending}
      userId={userId}
      canManage={canManage}
      hasConfirmer={hasConfirmer}
    />
  );
}
