import { FileDown, Sheet, X } from 'lucide-react';
import { RUN_STATUSES } from '@stet/domain/runs';
import type { ReactNode } from 'react';
import { statusWord } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { Select } from '../../../ui/field.tsx';
import { priorityWord } from '../../../ui/priority.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { TagSelect } from '../../../ui/tag-select.tsx';
import { PRIORITY_CHOICES, isEnv, oneOf, sortOf } from '../model/run-filters.ts';
import type { RunFilters } from '../model/run-filters.ts';
import styles from './run-filter-bar.module.css';

export type Option = { value: string; label: string };

type RunFilterBarProps = {
  filters: RunFilters;
  workflows: readonly { key: string; title: string }[];
  /** The versions of the chosen workflow. */
  versions: readonly number[];
  /** The people, groups and roles that runs can wait for. */
  people: readonly Option[];
  /** The tags of the organization's workflows. */
  tags: readonly string[];
  onChange: (filters: RunFilters) => void;
  /** The person's saved views. */
  views: ReactNode;
  /** The insights figure whose runs are listed, in words; null if the list isn't about a figure. */
  figure: string | null;
  /** The export buttons. */
  children?: ReactNode;
};

const SLA_CHOICES = [
  { value: 'on_track', label: 'On track' },
  { value: 'at_risk', label: 'At risk' },
  { value: 'breached', label: 'Breached' },
] as const;

const SORT_CHOICES = [
  { value: 'attention', label: 'Needs attention first' },
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'due', label: 'Due first' },
  { value: 'priority', label: 'Highest priority first' },
  { value: 'name', label: 'By name' },
] as const satisfies readonly Option[];

type ChoiceProps = {
  label: string;
  all: string;
  value: string;
  choices: readonly Option[];
  onPick: (value: string) => void;
  className?: string | undefined;
};

/** A filter. It also shows a value from the address that isn't among the choices. */
function Choice({ label, all, value, choices, onPick, className }: ChoiceProps) {
  const isUnlisted = value !== '' && !choices.some((choice) => choice.value === value);
  return (
    <Select className={className} aria-label={label} value={value} onChange={(event) => onPick(event.target.value)}>
      <option value="">{all}</option>
      {isUnlisted && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </Select>
  );
}

/** The list's filters (specification, section 2, runs screen). */
export function RunFilterBar({
  filters,
  workflows,
  versions,
  people,
  tags,
  figure,
  onChange,
  views,
  children,
}: RunFilterBarProps) {
  // The workflow in the address may be missing from the list, for example if it is archived. Show it as the current
  // choice.
  const isUnlisted = filters.workflow !== '' && !workflows.some(({ key }) => key === filters.workflow);
  return (
    <div className={styles.filters} role="search" aria-label="Filter runs">
      <div className={styles.which}>
        <Select
          className={styles.workflow}
          aria-label="Workflow"
          value={filters.workflow}
          onChange={(event) => onChange({ ...filters, workflow: event.target.value, version: '', figure: '' })}
        >
          <option value="">All workflows</option>
          {isUnlisted && <option value={filters.workflow}>{filters.workflow}</option>}
          {workflows.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </Select>
        {filters.workflow && (
          <Choice
            label="Version"
            all="All versions"
            value={filters.version}
            choices={versions.map((version) => ({ value: String(version), label: `v${version}` }))}
            onPick={(version) => onChange({ ...filters, version })}
          />
        )}
        <TagSelect
          tag={filters.tag}
          tags={tags.map((tag) => ({ tag }))}
          onChange={(tag) => onChange({ ...filters, tag })}
        />
        <Choice
          label="Status"
          all="All statuses"
          value={filters.status}
          choices={RUN_STATUSES.map((status) => ({ value: status, label: statusWord(status) }))}
          onPick={(status) => onChange({ ...filters, status: oneOf(RUN_STATUSES, status) })}
        />
        {figure === null && (
          <Choice
            className={styles.person}
            label="With"
            all="With anyone"
            value={filters.person}
            choices={people}
            onPick={(person) => onChange({ ...filters, person })}
          />
        )}
        <Choice
          label="Priority"
          all="All priorities"
          value={filters.priority}
          choices={PRIORITY_CHOICES.map((level) => ({ value: level, label: priorityWord(level) }))}
          onPick={(priority) => onChange({ ...filters, priority: oneOf(PRIORITY_CHOICES, priority) })}
        />
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
        <Select
          aria-label="Sort"
          value={sortOf(filters)}
          onChange={(event) =>
            onChange({
              ...filters,
              sort: oneOf(
                SORT_CHOICES.map(({ value }) => value),
                event.target.value,
              ),
            })
          }
        >
          {SORT_CHOICES.filter(({ value }) => figure === null || value === 'newest' || value === 'oldest').map(
            ({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ),
          )}
        </Select>
        <DateRange
          from={filters.from}
          to={filters.to}
          onChange={(range) => onChange({ ...filters, ...range, days: '' })}
        />
        {figure === null ? (
          <SearchBox
            className={styles.search}
            label="Search runs"
            text={filters.search}
            onSearch={(search) => onChange({ ...filters, search })}
          />
        ) : (
          <Button
            icon={X}
            aria-label={`Show all runs, not only those behind this figure: ${figure}`}
            onClick={() => onChange({ ...filters, figure: '' })}
          >
            {figure}
          </Button>
        )}
        {views}
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
