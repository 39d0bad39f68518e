import type { Member } from '@stet/contract';
import { X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { ACTION_GROUPS, ACTION_WORDS, SUBJECT_WORDS, isAction, isSubject } from '../model/action-words.ts';
import type { AuditFilters } from '../model/audit-filters.ts';
import styles from './audit-filter-bar.module.css';

type AuditFilterBarProps = {
  filters: AuditFilters;
  members: readonly Pick<Member, 'id' | 'name'>[];
  onChange: (filters: AuditFilters) => void;
};

const onlyWords = ({ run, workflow }: AuditFilters): string => (run ? 'Events of one run' : `Only ${workflow}`);

/** The list's filters. The filter for one run or workflow is set by links and can only be removed here. */
export function AuditFilterBar({ filters, members, onChange }: AuditFilterBarProps) {
  // Former members aren't listed, unless one is already selected.
  const isUnlisted =
    filters.actor !== '' && filters.actor !== 'system' && !members.some(({ id }) => id === filters.actor);
  return (
    <div className={styles.auditFilters} role="search" aria-label="Filter events">
      <SearchBox
        className={styles.search}
        label="Search events"
        placeholder="Search events"
        text={filters.search}
        onSearch={(search) => onChange({ ...filters, search })}
      />
      <Select
        className={styles.select}
        aria-label="Who"
        value={filters.actor}
        onChange={(event) => onChange({ ...filters, actor: event.target.value })}
      >
        <option value="">Everyone</option>
        {isUnlisted && <option value={filters.actor}>A former member</option>}
        {members
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        <option value="system">system</option>
      </Select>
      <Select
        className={styles.select}
        aria-label="What"
        value={filters.action}
        onChange={({ target }) => onChange({ ...filters, action: isAction(target.value) ? target.value : '' })}
      >
        <option value="">Every action</option>
        {ACTION_GROUPS.map(({ label, actions }) => (
          <optgroup key={label} label={label}>
            {actions.map((action) => (
              <option key={action} value={action}>
                {ACTION_WORDS[action]}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <Select
        className={styles.select}
        aria-label="Subject"
        value={filters.subject}
        onChange={({ target }) => onChange({ ...filters, subject: isSubject(target.value) ? target.value : '' })}
      >
        <option value="">All subjects</option>
        {Object.entries(SUBJECT_WORDS).map(([subject, words]) => (
          <option key={subject} value={subject}>
            {words}
          </option>
        ))}
      </Select>
      <DateRange
        from={filters.from}
        to={filters.to}
        hasPresets
        onChange={(range) => onChange({ ...filters, ...range })}
      />
      {(filters.run || filters.workflow) && (
        <Button
          icon={X}
          aria-label={`${onlyWords(filters)}. Show all events`}
          onClick={() => onChange({ ...filters, run: '', workflow: '' })}
        >
          {onlyWords(filters)}
        </Button>
      )}
    </div>
  );
}
