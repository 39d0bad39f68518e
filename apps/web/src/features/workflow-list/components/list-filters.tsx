import type { WorkflowCounts } from '@stet/contract';
import { Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { TagSelect } from '../../../ui/tag-select.tsx';
import { WorkflowSortSelect } from '../../../ui/workflow-sort-select.tsx';
import { STATUS_FILTERS, readListFilter } from '../model/list-filter.ts';
import type { ListFilter } from '../model/list-filter.ts';
import styles from './workflow-grid.module.css';

type ListFiltersProps = {
  filter: ListFilter;
  tags: WorkflowCounts['tags'];
  onChange: (filter: ListFilter) => void;
};

export function ListFilters({ filter, tags, onChange }: ListFiltersProps) {
  return (
    <div className={styles.wfFilters} role="search">
      <SearchBox
        className={styles.search}
        label="Search workflows by title or key"
        placeholder="Search title or key"
        text={filter.q}
        onSearch={(q) => onChange({ ...filter, q })}
      />
      <Select
        aria-label="Status"
        value={filter.status}
        onChange={({ target }) => {
          const { status } = readListFilter(new URLSearchParams({ status: target.value }));
          onChange({ ...filter, status });
        }}
      >
        {STATUS_FILTERS.map(({ status, word }) => (
          <option key={status} value={status}>
            {word}
          </option>
        ))}
      </Select>
      <TagSelect tag={filter.tag} tags={tags} onChange={(tag) => onChange({ ...filter, tag })} />
      <WorkflowSortSelect sort={filter.sort} onChange={(sort) => onChange({ ...filter, sort })} />
    </div>
  );
}
