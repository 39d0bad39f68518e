import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useCan } from '../../../lib/session/signed-in.ts';
import { openDraft } from '../../../lib/workflow-state.ts';
import { useWorkflow } from '../api/use-workflow.ts';
import styles from './workflow-tabs.module.css';

type WorkflowTab = 'read' | 'edit' | 'versions' | 'runs' | 'settings';

/** Links to the pages of a workflow. Edit opens its open draft, if there is one. */
export function WorkflowTabs({ workflowKey: key, current }: { workflowKey: string; current: WorkflowTab }) {
  // In the editor, the link to the editor itself doesn't need the draft.
  const workflow = useWorkflow(key, { enabled: current !== 'edit' });
  const draft = openDraft(workflow.data?.versions ?? []);
  const canEdit = useCan('draft.edit');
  const tabs: readonly { tab: WorkflowTab; label: string; to: string }[] = [
    { tab: 'read', label: 'Read', to: paths.document(key) },
    { tab: 'edit', label: 'Edit', to: paths.editor({ key, mode: 'edit', ...(draft && { draftId: draft.id }) }) },
    { tab: 'versions', label: 'Versions', to: paths.versions(key) },
    { tab: 'runs', label: 'Runs', to: paths.runsOf(key) },
    { tab: 'settings', label: 'Settings', to: paths.workflowSettings(key) },
  ];
  return (
    <nav className={styles.tabs} aria-label="Workflow">
      {tabs
        .filter(({ tab }) => tab !== 'edit' || canEdit)
        .map(({ tab, label, to }) => (
          <Link key={tab} to={to} aria-current={tab === current ? 'page' : undefined}>
            {label}
          </Link>
        ))}
    </nav>
  );
}
