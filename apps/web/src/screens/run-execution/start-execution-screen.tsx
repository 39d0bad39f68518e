import { displayTitle } from '@stet/domain/workflows';
import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router';
import { RunPage } from '../../features/runs/components/run-page.tsx';
import { useStartTodaysRun } from '../../features/start-run/api/use-start-todays-run.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';
import { ExecutionFailure } from './execution-failure.tsx';
import { executionTrail } from './execution-trail.ts';

/**
 * `/app/workflows/run/:workflowKey`: starts a run and replaces this address with the run's (specification, section 4).
 */
export function StartExecutionScreen() {
  const { workflowKey = '' } = useParams();
  return <Starting key={workflowKey} workflowKey={workflowKey} />;
}

function Starting({ workflowKey }: { workflowKey: string }) {
  const navigate = useNavigate();
  const { workflow, run, retry } = useStartTodaysRun(workflowKey);
  const started = run.data;
  useEffect(() => {
    if (!started) return;
    toast.ok('Run Started', started.name, { forNextScreen: true });
    void navigate(paths.runExecution(workflowKey, started.id), { replace: true });
  }, [started, workflowKey, navigate]);

  const title = displayTitle(workflowKey, workflow.data?.metadata.title ?? '');
  const reason = workflow.error
    ? errorSentence(workflow.error, 'Failed to load workflow')
    : run.error && errorSentence(run.error, 'Failed to create run');
  return (
    <RunPage title={title} trail={executionTrail(title)}>
      {reason === null ? (
        <>
          <h1 className="vh">{title}</h1>
          <LoadingLine>Starting a run…</LoadingLine>
        </>
      ) : (
        <ExecutionFailure reason={reason} onRetry={retry} />
      )}
    </RunPage>
  );
}
