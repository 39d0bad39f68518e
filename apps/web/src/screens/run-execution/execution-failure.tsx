import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { useErrorToast } from '../../ui/toast.ts';

/** Shown if a run couldn't be loaded or started (specification, section 8). */
export function ExecutionFailure({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  useErrorToast(reason, 'Error', reason);
  return (
    <ErrorState
      heading="h1"
      title="Failed to load workflow execution"
      retryLabel="Retry"
      onRetry={onRetry}
      action={
        <span className="row">
          <ButtonLink to={paths.runs} tone="quiet">
            Back to Runs
          </ButtonLink>
          <ButtonLink to={paths.workflows()} tone="quiet">
            Back to Workflows
          </ButtonLink>
        </span>
      }
    >
      {reason}
    </ErrorState>
  );
}
