import type { WorkflowSort } from '@stet/contract';
import { Select } from './field.tsx';

const CHOICES = [
  { value: 'updated', label: 'Latest change first' },
  { value: 'title', label: 'By title' },
] as const satisfies readonly { value: WorkflowSort; label: string }[];

/** Reads the order of a list of workflows from the address; by default the latest change first. */
export const readWorkflowSort = (text: string | null): WorkflowSort =>
  CHOICES.find(({ value }) => value === text)?.value ?? 'updated';

export function WorkflowSortSelect({ sort, onChange }: { sort: WorkflowSort; onChange: (sort: WorkflowSort) => void }) {
  return (
    <Select aria-label="Sort" value={sort} onChange={({ target }) => onChange(readWorkflowSort(target.value))}>
      {CHOICES.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}
