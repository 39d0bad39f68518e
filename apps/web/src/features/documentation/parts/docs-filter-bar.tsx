import { Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { STATUS_CHOICES, readStatus } from '../model/docs-filters.ts';
import type { DocsFilters } from '../model/docs-filters.ts';
import './docs-filter-bar.css';

type DocsFilterBarProps = { filters: DocsFilters; onChange: (filters: DocsFilters) => void };

/** What the list is narrowed to (specification, section 2). The search looks into the steps, too. */
export function DocsFilterBar({ filters, onChange }: DocsFilterBarProps) {
  return (
    <div className="docs-filters" role="search" aria-label="Filter workflows">
      <Select
        aria-label="Status"
        value={filters.status}
        onChange={(event) => onChange({ ...filters, status: readStatus(event.target.value) })}
      >
        {STATUS_CHOICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <SearchBox
        label="Search name, key and the text of steps"
        placeholder="Search name or key"
        text={filters.search}
        onSearch={(search) => onChange({ ...filters, search })}
      />
    </div>
  );
}
