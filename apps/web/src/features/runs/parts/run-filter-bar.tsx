import { FileDown, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Input, Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { RunFilters } from '../model/run-filters.ts';
import { DateRange } from './date-range.tsx';
import './run-filter-bar.css';

type RunFilterBarProps = {
  filters: RunFilters;
  workflows: readonly { key: string; title: string }[];
  onChange: (filters: RunFilters) => void;
  /** The export, for those who may. */
  children?: ReactNode;
};

const SLA_CHOICES = [
  { value: 'on_track', label: 'On track' },
  { value: 'at_risk', label: 'At risk' },
  { value: 'breached', label: 'Breached' },
] as const;

/** What the list is narrowed to (specification, section 2, runs screen). */
export function RunFilterBar({ filters, workflows, onChange, children }: RunFilterBarProps) {
  // A workflow that the address names but the list doesn't have (archived, say) stays visible as the choice that it is.
  const isUnlisted = filters.workflow !== '' && !workflows.some(({ key }) => key === filters.workflow);
  return (
    <div className="filters" role="search" aria-label="Filter runs">
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
      <Select aria-label="Environment" defaultValue="">
        <option value="">All envs</option>
      </Select>
      <DateRange from={filters.from} to={filters.to} onChange={(range) => onChange({ ...filters, ...range })} />
      <SearchBox text={filters.search} onSearch={(search) => onChange({ ...filters, search })} />
      {children}
    </div>
  );
}

// Long enough that a word goes out once, short enough to feel like typing.
const TYPING_PAUSE_MS = 250;

function SearchBox({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [draft, setDraft] = useState({ typed: text, from: text });
  // The address changed elsewhere (back, "clear filters"): it wins over what is typed.
  if (draft.from !== text) setDraft({ typed: draft.typed.trim() === text ? draft.typed : text, from: text });
  useEffect(() => {
    if (draft.typed.trim() === text) return;
    const timer = setTimeout(() => onSearch(draft.typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft.typed, onSearch, text]);
  return (
    <span className="with-i">
      <Icon of={Search} size="s" />
      <Input
        type="search"
        aria-label="Search runs"
        placeholder="Search"
        maxLength={100}
        value={draft.typed}
        onChange={(event) => setDraft({ ...draft, typed: event.target.value })}
      />
    </span>
  );
}

export function ExportAuditButton({ busy, onExport }: { busy: boolean; onExport: () => void }) {
  return (
    <Button className="export" icon={FileDown} busy={busy && 'Exporting…'} onClick={onExport}>
      Export audit PDF
    </Button>
  );
}
