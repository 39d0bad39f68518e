import { isolated } from '@stet/domain/workflows';
import { ListX, Play } from 'lucide-react';
import { paths } from '../../../lib/paths.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

type RunsEmptyProps = {
  isFiltered: boolean;
  organization: { type: 'individual' | 'team'; name: string } | null;
  onClearFilters: () => void;
};

/** 'No workflow runs found', with a hint for filters, a personal account or a team (specification, section 2). */
export function RunsEmpty({ isFiltered, organization, onClearFilters }: RunsEmptyProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={ListX}
        title="No workflow runs found"
        action={<Button onClick={onClearFilters}>Clear filters</Button>}
      >
        No runs match these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Play}
      title="No workflow runs found"
      action={<ButtonLink to={paths.editor()}>Go to the editor</ButtonLink>}
    >
      {organization?.type === 'team'
        ? `Nobody in ${isolated(organization.name)} has started a run yet. All members’ runs appear here.`
        : 'Runs that you start from the editor appear here.'}
    </EmptyState>
  );
}
