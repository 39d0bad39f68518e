import type { NameEntry } from '@stet/domain/expressions';
import type { Step } from '@stet/domain/steps';
import { isolated, stepTitle } from '@stet/domain/workflows';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Field, Input } from '../../ui/field.tsx';
import { ListPopover } from '../../ui/popover.tsx';
import { useListbox } from '../../ui/use-listbox.ts';
import styles from './name-field.module.css';

type NameFieldProps = {
  label: string;
  names: readonly NameEntry[];
  /** All steps, in the order that determines their numbers. */
  steps: readonly Step[];
  placeholder: string;
  /** Shown while the person isn't searching. */
  value?: string;
  error?: string | null;
  onPick: (name: NameEntry) => void;
};

/** The maximum number of values in the list, because hundreds are too many to read. Searching finds the others. */
const MAX_SHOWN = 100;

/** A text field that searches the values that a step can use, grouped by their steps in the order of the workflow. */
export function NameField({ label, names, steps, placeholder, value = '', error, onPick }: NameFieldProps) {
  const [search, setSearch] = useState<string | null>(null);
  const groupId = useId();
  const isOpen = search !== null;
  const found = isOpen ? matching(names, search) : [];
  const shown = found.slice(0, MAX_SHOWN);
  const close = () => {
    setSearch(null);
    list.choose(null);
  };
  const list = useListbox({
    options: shown,
    idOf: ({ path }) => encodeURIComponent(path.join('.')),
    initial: search ? shown[0] : undefined,
    pickKeys: ['Enter'],
    onPick: (name) => {
      close();
      onPick(name);
    },
  });
  const groups = new Map<string | null, NameEntry[]>();
  for (const name of shown) {
    const stepId = stepIdOf(name.path);
    groups.set(stepId, [...(groups.get(stepId) ?? []), name]);
  }
  const titleOf = (stepId: string | null): string => {
    const row = steps.findIndex(({ id }) => id === stepId);
    const step = steps[row];
    return step ? `${row + 1} ${isolated(stepTitle(step))}` : 'This run';
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || list.onKey(event)) return;
    if (event.key === 'Escape' && isOpen) close();
    else if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) setSearch(search ?? '');
    else return;
    event.preventDefault();
  };
  return (
    <Field label={label} labelHidden error={error ?? null}>
      {(control) => (
        <>
          <ListPopover
            open={isOpen}
            className={styles.names}
            {...(shown.length > 0 && list.listProps)}
            aria-label={label}
            target={
              <Input
                {...control}
                role="combobox"
                aria-haspopup="listbox"
                aria-expanded={shown.length > 0}
                aria-controls={shown.length > 0 ? list.listProps.id : undefined}
                {...list.fieldProps}
                // While this is set, Escape doesn't close the dialog.
                data-mantine-stop-propagation={isOpen ? 'true' : undefined}
                autoComplete="off"
                spellCheck={false}
                placeholder={isOpen && value !== '' ? value : placeholder}
                value={search ?? value}
                onClick={() => setSearch(search ?? '')}
                onChange={({ target }) => {
                  // While the list is closed, the text contains the current value.
                  setSearch(isOpen ? target.value : typedAfter(value, target.value));
                  list.choose(null);
                }}
                onKeyDown={onKeyDown}
                onBlur={close}
              />
            }
          >
            {[...groups].map(([stepId, members], at) => (
              <div key={stepId} role="group" aria-labelledby={`${groupId}-${at}`}>
                <p className={styles.step} id={`${groupId}-${at}`}>
                  {titleOf(stepId)}
                </p>
                {members.map((name) => (
                  <div
                    key={name.path.join('.')}
                    {...list.optionProps(name)}
                    className={classNames(styles.name, name === list.chosen && styles.on)}
                  >
                    <bdi>{name.label}</bdi>
                  </div>
                ))}
              </div>
            ))}
            {found.length === 0 && <p className={styles.note}>No values found</p>}
            {found.length > MAX_SHOWN && (
              <p className={styles.note}>{found.length - MAX_SHOWN} more. Type to find them.</p>
            )}
          </ListPopover>
          <span className="vh" role="status">
            {isOpen && (found.length === 1 ? '1 value found' : `${found.length} values found`)}
          </span>
        </>
      )}
    </Field>
  );
}

const stepIdOf = (path: readonly string[]): string | null => (path[0] === 'run' ? null : (path[1] ?? null));

const typedAfter = (value: string, text: string): string => (text.startsWith(value) ? text.slice(value.length) : text);

/** The values for which the label and the step's title together contain every word of the search. */
function matching(names: readonly NameEntry[], search: string): NameEntry[] {
  const words = search.toLowerCase().split(/\s+/);
  return names.filter(({ label, detail }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
