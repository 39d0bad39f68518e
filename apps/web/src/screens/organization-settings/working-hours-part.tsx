import { useWorkingHours } from '../../features/organizations/api/use-working-hours.ts';
import { WorkingHoursForm } from '../../features/organizations/components/working-hours-form.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { ErrorState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** The organization's working hours for SLA clocks. */
export function WorkingHoursPart({ organizationId, canManage }: { organizationId: string; canManage: boolean }) {
  const hours = useWorkingHours(organizationId);
  if (hours.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={3} label="Loading working hours" />
      </div>
    );
  }
  if (hours.data === undefined) {
    return (
      <ErrorState title="Error loading the working hours" onRetry={() => void hours.refetch()}>
        {errorSentence(hours.error, 'Failed to load the working hours')}
      </ErrorState>
    );
  }
  const { workingHours, pending } = hours.data;
  return (
    <WorkingHoursForm organizationId={organizationId} saved={workingHours} pending={pending} canManage={canManage} />
  );
}
