import { useId, useState } from 'react';
import { CheckGroup, CheckRow } from './check-row.tsx';
import { Input } from './field.tsx';
import styles from './member-picker.module.css';

type Person = { id: string; name: string; email: string };
type MemberPickerProps = {
  label: string;
  people: readonly Person[];
  /** The ids of the chosen people. */
  value: readonly string[];
  error?: string | undefined;
  onChange: (ids: string[]) => void;
};

/** A list of at most this many people has no search field. */
const FEW = 8;
/** Maximum number of people in the list. The search field finds the others. */
const MAX_SHOWN = 100;

/** A searchable list of checkboxes, one for each person. The people who were chosen when it opened come first. */
export function MemberPicker({ label, people, value, error, onChange }: MemberPickerProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  // The order doesn't change while people are chosen, so that rows don't move under the pointer.
  const [first] = useState(() => new Set(value));
  const sorted = [...people.filter((each) => first.has(each.id)), ...people.filter((each) => !first.has(each.id))];
  const needle = typed.trim().toLowerCase();
  const found = sorted.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(needle));
  const hidden = found.length - MAX_SHOWN;
  const names = people.map(({ name }) => name);
  return (
    <CheckGroup label={label} error={error}>
      {people.length > FEW && (
        <Input
          type="search"
          aria-label={`Search ${label.toLowerCase()}`}
          aria-controls={id}
          placeholder="Search by name or address"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          // Enter would submit the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className={styles.people} id={id}>
        {found.slice(0, MAX_SHOWN).map((person) => (
          <CheckRow
            key={person.id}
            checked={value.includes(person.id)}
            about={names.filter((name) => name === person.name).length > 1 ? person.email : undefined}
            onChange={(isChosen) =>
              onChange(isChosen ? [...value, person.id] : value.filter((each) => each !== person.id))
            }
          >
            {person.name}
          </CheckRow>
        ))}
        {found.length === 0 && <p className="muted">Nobody found</p>}
        {hidden > 0 && <p className="xs muted">{hidden} more. Search to find them.</p>}
      </div>
      <p className="xs muted" role="status">
        {value.length === 0 ? 'Nobody chosen' : `${value.length} chosen`}
      </p>
    </CheckGroup>
  );
}
