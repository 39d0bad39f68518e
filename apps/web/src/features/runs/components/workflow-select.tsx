import { Select } from '../../../ui/field.tsx';
import { useWorkflowChoices } from '../api/use-runs.ts';

type WorkflowSelectProps = {
  className?: string | undefined;
  /** The key of the workflow that the list is filtered by; empty for all. */
  workflow: string;
  onChange: (key: string) => void;
};

/** Filters a list by a workflow. */
export function WorkflowSelect({ className, workflow, onChange }: WorkflowSelectProps) {
  const workflows = useWorkflowChoices().data ?? [];
  // A workflow in the address may be missing from the list, for example if it is archived.
  const isUnlisted = workflow !== '' && !workflows.some(({ key }) => key === workflow);
  return (
    <Select
      className={className}
      aria-label="Workflow"
      value={workflow}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">All workflows</option>
      {isUnlisted && <option value={workflow}>{workflow}</option>}
      {workflows.map(({ key, title }) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </Select>
  );
}
