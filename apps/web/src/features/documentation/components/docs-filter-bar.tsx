import type { WorkflowCounts } from '@stet/contract';
import { Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { TagSelect } from '../../../ui/tag-select.tsx';
import { WorkflowSortSelect } from '../../../ui/workflow-sort-select.tsx';
import { STATUS_CHOICES, readStatus } from '../model/docs-filters.ts';
import type { DocsFilters } from '../model/docs-filters.ts';
import styles from './docs-filter-bar.module.css';

type DocsFilterBarProps = {
  filters: DocsFilters;
  tags: WorkflowCounts['tags'];
  onChange: (filters: DocsFilters) => void;
};

/** The list's filters (specification, section 2). The search also covers the steps. */
export function DocsFilterBar({ filters, tags, onChange }: DocsFilterBarProps) {
  return (
    <div className={styles.docsFilters} role="search" aria-label="Filter workflows">
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
        className={styles.search}
        label="Search names, keys and step text"
        placeholder="Search name or key"
        text={filters.search}
        onSearch={(search) => onChange({ ...filters, search })}
      />
      <TagSelect tag={filters.tag} tags={tags} onChange={(tag) => onChange({ ...filters, tag })} />
      <WorkflowSortSelect sort={filters.sort} onChange={(sort) => onChange({ ...filters, sort })} />
    </div>
  );
}
