import { useParams } from 'react-router';
import { useRun } from '../../features/runs/api/use-run.ts';
import { runTitle } from '../../features/runs/model/run-title.ts';
import { RunLoading, RunPage } from '../../features/runs/components/run-page.tsx';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { useErrorToast } from '../../ui/toast.ts';
import { RunDetail } from './run-detail.tsx';

/** `/app/runs/:runId` (specification, section 2, run detail). */
export function RunDetailScreen() {
  const { runId = '' } = useParams();
  const run = useRun(runId);
  const people = usePeople();
  const title = run.data ? runTitle(run.data) : 'Run';
  return (
    <RunPage
      title={title}
      trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Runs', to: paths.runs }, { label: title }]}
    >
      {run.data && !people.isLoading ? (
        <RunDetail key={runId} run={run.data} updatedAt={run.dataUpdatedAt} hasFailed={run.isRefetchError} />
      ) : (
        <RunAbsent error={run.error} onRetry={() => void run.refetch()} />
      )}
    </RunPage>
  );
}

function RunAbsent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  // An invalid id is handled like an unknown one.
  const isMissing = isStatus(error, 404) || isStatus(error, 400);
  useErrorToast(!isMissing && error, 'Error', errorSentence(error, 'Failed to load run'));
  if (error === null) return <RunLoading title="Run" />;
  const back = <ButtonLink to={paths.runs}>Back to Runs</ButtonLink>;
  if (isMissing) {
    return (
      <ErrorState heading="h1" title="Run not found" action={back}>
        It may belong to another organization, or the link may be incomplete.
      </ErrorState>
    );
  }
  return (
    <ErrorState heading="h1" title="Failed to load run" onRetry={onRetry}>
      {errorSentence(error, 'The run itself is not affected.')}
    </ErrorState>
  );
}
