import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { LoadingLine } from '../../../ui/spinner.tsx';
import { toast } from '../../../ui/toast.ts';
import { createSampleDraft } from '../api/legacy-calls.ts';
import { useLegacyAction, useLegacyRuns, useLegacyWorkflows } from '../api/use-legacy.ts';
import { sampleProblem } from '../model/legacy-role.ts';
import { AuthBox } from './auth-box.tsx';
import { RunsBox } from './runs-box.tsx';
import { WorkflowItem } from './workflow-item.tsx';
import { YamlBox } from './yaml-box.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './legacy.module.css';

/** The home page of the older client, with all its functions on one page. */
export function LegacyHome() {
  const user = useUser();
  const workflows = useLegacyWorkflows();
  const runs = useLegacyRuns();
  const { act, problem } = useLegacyAction();
  const list = workflows.data ?? [];
  const open = list.filter(({ status }) => status !== 'archived');
  // A box appears once the height of the boxes above it is known, so that nothing moves under the pointer.
  const [hasRuns, hasWorkflows] = [!runs.isPending, !workflows.isPending];
  return (
    <div className={styles.legacyGrid}>
      <AuthBox user={user} />
      <RunsBox user={user} workflows={open} />
      {hasRuns && (
        <section className={classNames('sheet', styles.legacyBox)} aria-labelledby="legacy-workflows">
          <div className="row between">
            <h2 className="title-sm" id="legacy-workflows">
              Workflows
            </h2>
            <Button
              size="sm"
              disabledReason={sampleProblem(user)}
              onClick={() =>
                act(
                  () => createSampleDraft(Date.now()),
                  () => toast.ok('Draft created'),
                )
              }
            >
              Create sample draft
            </Button>
          </div>
          {problem && <Note tone="bad">{problem}</Note>}
          {workflows.isPending && <LoadingLine>Loading workflows...</LoadingLine>}
          {workflows.error && !workflows.data && <Note tone="bad">{workflows.error.message}</Note>}
          {workflows.data?.length === 0 && <p className="muted">No workflows</p>}
          <ul className="lines">
            {list.map((workflow) => (
              <WorkflowItem key={workflow.key} workflow={workflow} />
            ))}
          </ul>
        </section>
      )}
      {hasRuns && hasWorkflows && <YamlBox workflows={open} canImport={user.orgPermissions.includes('draft.edit')} />}
    </div>
  );
}
