import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { FieldProps } from '../lib/forms/use-contract-form.ts';
import { mentionCandidates } from './comments/mentions.ts';
import { Field, Input } from './field.tsx';
import { type ListedPerson, MemberList } from './member-list.tsx';
import { useListbox } from './use-listbox.ts';

/** `value` is the person's id, or empty if nobody is chosen. */
type PersonFieldProps = FieldProps<string> & {
  label: ReactNode;
  hint?: ReactNode;
  people: readonly ListedPerson[];
  /** Whether `people` also contains groups. */
  withGroups?: boolean;
  'data-autofocus'?: boolean;
};

/** The maximum number of people in the list. The others are found by typing. */
const MAX_SHOWN = 50;

/** A text field that finds one person by name or address, or one group by name. */
export function PersonField({
  label,
  hint,
  people,
  withGroups = false,
  value,
  error,
  onChange,
  onBlur,
  ...rest
}: PersonFieldProps) {
  const [search, setSearch] = useState<string | null>(null);
  const isOpen = search !== null;
  const found = isOpen ? mentionCandidates(people, search.trim(), MAX_SHOWN) : [];
  const chosen = people.find(({ id }) => id === value);
  const close = () => {
    setSearch(null);
    list.choose(null);
  };
  const list = useListbox({
    options: found,
    idOf: ({ id }) => id,
    initial: found[0],
    pickKeys: ['Enter', 'Tab'],
    onPick: ({ id }) => {
      onChange(id);
      close();
    },
  });
  const hasList = found.length > 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || list.onKey(event)) return;
    if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || (event.key === 'Enter' && !isOpen && !chosen))
      setSearch('');
    else return;
    event.preventDefault();
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <>
          <MemberList
            open={hasList}
            label={withGroups ? 'People and groups' : 'People'}
            people={found}
            list={list}
            target={
              <Input
                {...rest}
                {...control}
                role="combobox"
                aria-haspopup="listbox"
                aria-expanded={hasList}
                aria-controls={hasList ? list.listProps.id : undefined}
                {...list.fieldProps}
                // While this is set, Escape doesn't close the dialog.
                data-mantine-stop-propagation={isOpen ? 'true' : undefined}
                autoComplete="off"
                spellCheck={false}
                placeholder={isOpen && chosen ? chosen.name : 'Name or address'}
                value={search ?? chosen?.name ?? ''}
                onClick={() => setSearch(search ?? '')}
                onChange={({ target }) => {
                  // While the list is closed, the text contains the chosen name.
                  setSearch(isOpen ? target.value : target.value.replace(chosen?.name ?? '', ''));
                  list.choose(null);
                }}
                onKeyDown={onKeyDown}
                onBlur={(event) => {
                  close();
                  onBlur?.(event);
                }}
              />
            }
          />
          {isOpen && !hasList && <p className="xs muted">Nobody found</p>}
          <span className="vh" role="status">
            {isOpen && countInWords(found.length, withGroups)}
          </span>
        </>
      )}
    </Field>
  );
}

function countInWords(count: number, withGroups: boolean): string {
  if (withGroups) return count === 1 ? '1 person or group found' : `${count} people and groups found`;
  return count === 1 ? '1 person found' : `${count} people found`;
}
