import { useMutation } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { duplicateProblem } from '../../features/workflow-editor/api/duplicate-problem.ts';
import { WorkflowPicker } from '../../features/workflow-editor/components/workflow-picker.tsx';
import { FirstSteps } from '../../features/first-steps/components/first-steps.tsx';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { paths } from '../../lib/paths.ts';
import { useCan, useOrganization } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureNote } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { useWorkflowProgress } from './use-workflow-progress.ts';
import styles from './select-mode.module.css';

/** Select mode of the editor (specification, section 2). */
export function SelectMode({ initialKey }: { initialKey: string | null }) {
  const organization = useOrganization();
  return (
    <div className="page">
      <div className={styles.editorSelect}>
        <PageTitle>Workflow Editor</PageTitle>
        <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Editor' }]} />
        <div className="head">
          <div>
            <h1 className="title">Workflow Editor</h1>
            <p className="sub">Select a workflow to edit or create a new one</p>
          </div>
        </div>
        {organization ? (
          <Picker key={organization.id} organization={organization} initialKey={initialKey} />
        ) : (
          <EmptyState icon={Building2} title="Please select an organization to continue" />
        )}
      </div>
    </div>
  );
}

function Picker({ organization, initialKey }: { organization: Organization; initialKey: string | null }) {
  const navigate = useNavigate();
  const [choosing, setChoosing] = useState(false);
  const [running, setRunning] = useState<{ key: string; title: string } | null>(null);
  const may = { edit: useCan('draft.edit'), run: useCan('run.start') };
  // Check the source first, so that this page can show why it can't be duplicated.
  const duplicate = useMutation({
    mutationFn: async (key: string) => {
      const problem = await duplicateProblem(key);
      if (problem) throw problem;
      return key;
    },
    onSuccess: (key) => navigate(paths.editor({ key: 'new', mode: 'edit', duplicate: key })),
  });
  return (
    <>
      {may.edit && <Beginning organization={organization} onWrite={() => setChoosing(true)} />}
      {duplicate.error && (
        <FailureNote
          above
          cause={duplicate.error}
          title={duplicate.error.name}
          message={duplicate.error.message}
          onDismiss={duplicate.reset}
        />
      )}
      <WorkflowPicker
        organizationId={organization.id}
        may={may}
        choosing={choosing}
        onChoosing={setChoosing}
        initialKey={initialKey}
        duplicatingKey={duplicate.isPending ? duplicate.variables : null}
        onEdit={({ key, draft }) =>
          void navigate(paths.editor({ key, mode: 'edit', ...(draft && { draftId: draft.id }) }))
        }
        onRun={setRunning}
        onDuplicate={({ key }) => duplicate.mutate(key)}
      />
      {running && <StartRunDialog workflow={running} toExecution onClose={() => setRunning(null)} />}
    </>
  );
}

function Beginning({ organization, onWrite }: { organization: Organization; onWrite: () => void }) {
  const stand = useWorkflowProgress(organization.id);
  if (!stand) return null;
  return (
    <FirstSteps
      key={organization.id}
      organizationId={organization.id}
      isTeam={organization.type === 'team'}
      {...stand}
      onWrite={onWrite}
    />
  );
}
