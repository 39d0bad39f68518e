import type { useWorkflowPeople } from '../../features/workflow-people/api/use-workflow-people.ts';
import { PeopleForm } from '../../features/workflow-people/components/people-form.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useUser } from '../../lib/session/signed-in.ts';
import type { useMembers } from '../../lib/session/use-members.ts';
import { ErrorState } from '../../ui/empty-state.tsx';

type PeoplePartProps = {
  workflowKey: string;
  people: ReturnType<typeof useWorkflowPeople>;
  members: ReturnType<typeof useMembers>;
};

/** The owners and reviewers of a workflow. */
export function PeoplePart({ workflowKey, people, members }: PeoplePartProps) {
  const { currentOrgId, organizations } = useUser();
  if (people.data === undefined || members.data === undefined) {
    const retry = () => void Promise.all([people.refetch(), members.refetch()]);
    return (
      <ErrorState title="Error loading the people" onRetry={retry}>
        {errorSentence(people.error ?? members.error, 'Failed to load the people')}
      </ErrorState>
    );
  }
  const isTeam = organizations.find(({ id }) => id === currentOrgId)?.type === 'team';
  return <PeopleForm workflowKey={workflowKey} saved={people.data} members={members.data} isTeam={isTeam} />;
}
