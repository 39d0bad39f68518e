import { Navigate, useParams } from 'react-router';
import { useRun } from '../../features/runs/api/use-run.ts';
import { runTitle } from '../../features/runs/model/run-title.ts';
import { RunLoading, RunPage } from '../../features/runs/components/run-page.tsx';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { ExecutionFailure } from './execution-failure.tsx';
import { executionTrail } from './execution-trail.ts';
import { RunExecution } from './run-execution.tsx';

/** `/app/workflows/run/:workflowKey/:runId` (specification, section 2, run execution). */
export function RunExecutionScreen() {
  const { workflowKey = '', runId = '' } = useParams();
  const run = useRun(runId);
  const people = usePeople();
  // Correct an address with the wrong workflow.
  if (run.data && run.data.workflowKey !== workflowKey)
    return <Navigate to={paths.runExecution(run.data.workflowKey, runId)} replace />;
  const workflow = run.data?.workflow.title || workflowKey;
  const title = run.data ? runTitle(run.data) : workflow;
  return (
    <RunPage title={title} trail={executionTrail(workflow)}>
      {run.data && !people.isLoading ? (
        <RunExecution key={runId} run={run.data} updatedAt={run.dataUpdatedAt} hasFailed={run.isRefetchError} />
      ) : run.error === null ? (
        <RunLoading title={title} />
      ) : (
        <ExecutionFailure
          // An invalid id is handled like an unknown one.
          reason={isStatus(run.error, 400) ? 'Run not found' : errorSentence(run.error, 'Failed to load run')}
          onRetry={() => void run.refetch()}
        />
      )}
    </RunPage>
  );
}
