import { FileDown, Sheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { isEnv } from '../model/run-filters.ts';
import type { RunFilters } from '../model/run-filters.ts';
import styles from './run-filter-bar.module.css';

type RunFilterBarProps = {
  filters: RunFilters;
  workflows: readonly { key: string; title: string }[];
  onChange: (filters: RunFilters) => void;
  /** The export buttons, if the person has permission. */
  children?: ReactNode;
};

const SLA_CHOICES = [
  { value: 'on_track', label: 'On track' },
  { value: 'at_risk', label: 'At risk' },
  { value: 'breached', label: 'Breached' },
] as const;

/** The filters of the list (specification, section 2, runs screen). */
export function RunFilterBar({ filters, workflows, onChange, children }: RunFilterBarProps) {
  // A workflow in the address may be missing from the list, for example if it is archived. It stays visible as the
  // current choice.
  const isUnlisted = filters.workflow !== '' && !workflows.some(({ key }) => key === filters.workflow);
  return (
    <div className={styles.filters} role="search" aria-label="Filter runs">
      <div className={styles.which}>
        <Select
          aria-label="Workflow"
          value={filters.workflow}
          onChange={(event) => onChange({ ...filters, workflow: event.target.value })}
        >
          <option value="">All workflows</option>
          {isUnlisted && <option value={filters.workflow}>{filters.workflow}</option>}
          {workflows.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </Select>
        <Select
          aria-label="SLA"
          value={filters.sla}
          onChange={(event) =>
            onChange({ ...filters, sla: SLA_CHOICES.find(({ value }) => value === event.target.value)?.value ?? '' })
          }
        >
          <option value="">All SLA</option>
          {SLA_CHOICES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Environment"
          title="Based on the end of the run’s name: “- Production” or “- Testing”"
          value={filters.env}
          onChange={(event) => onChange({ ...filters, env: isEnv(event.target.value) ? event.target.value : '' })}
        >
          <option value="">All envs</option>
          <option value="production">Production</option>
          <option value="testing">Testing</option>
        </Select>
        <DateRange from={filters.from} to={filters.to} onChange={(range) => onChange({ ...filters, ...range })} />
        <SearchBox label="Search runs" text={filters.search} onSearch={(search) => onChange({ ...filters, search })} />
      </div>
      {children}
    </div>
  );
}

export function ExportListButton({ busy, onExport }: { busy: boolean; onExport: () => void }) {
  return (
    <Button icon={Sheet} busy={busy && 'Exporting…'} onClick={onExport}>
      Export CSV
    </Button>
  );
}

export function ExportAuditButton({ busy, onExport }: { busy: boolean; onExport: () => void }) {
  return (
    <Button icon={FileDown} busy={busy && 'Exporting…'} onClick={onExport}>
      Export audit PDF
    </Button>
  );
}
