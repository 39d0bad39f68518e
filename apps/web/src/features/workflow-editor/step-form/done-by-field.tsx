import {
  ASSIGNEE_ROLES_HINT,
  assignedGroup,
  assigneeNames,
  assigneeProblem,
  doneByNames,
  withDoneBy,
} from '@stet/domain/access';
import type { Step } from '@stet/domain/steps';
import { LIMITS } from '@stet/domain/workflows';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Avatar, Who } from '../../../ui/avatar.tsx';
import { Tag } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { ListPopover } from '../../../ui/popover.tsx';
import { useListbox } from '../../../ui/use-listbox.ts';
import { matchingSuggestions } from '../model/assignee-suggestions.ts';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import styles from './done-by-field.module.css';

type DoneByFieldProps = {
  step: Step;
  suggestions: readonly AssigneeSuggestion[];
  readOnly: boolean;
  onChange: (step: Step) => void;
};

/**
 * The people, groups and roles that do a step, and `starter`. Any text can be added, because an unknown name only gets
 * a warning (specification, section 5).
 */
export function DoneByField({ step, suggestions, readOnly, onChange }: DoneByFieldProps) {
  const { personOf } = usePeople();
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const names = doneByNames(step);
  const has = (name: string) => names.some((each) => each.toLowerCase() === name.toLowerCase());
  const isOpen = typed !== null;
  const matches = isOpen
    ? matchingSuggestions(
        suggestions.filter(({ value }) => !has(value) && value !== 'Unassigned'),
        typed,
      )
    : [];
  const close = () => {
    setTyped(null);
    list.choose(null);
  };
  const add = (text: string) => {
    const added = assigneeNames(text).filter((name) => !has(name));
    if (added.length > 0) onChange(withDoneBy(step, [...names, ...added]));
    close();
  };
  const remove = (name: string) => {
    onChange(
      withDoneBy(
        step,
        names.filter((each) => each !== name),
      ),
    );
    input.current?.focus();
  };
  const list = useListbox({
    options: matches,
    idOf: ({ value }) => value,
    // A known name is added as it was typed.
    initial: typed !== null && typed.trim() !== '' && assigneeProblem(typed) !== null ? matches[0] : undefined,
    pickKeys: ['Enter'],
    onPick: ({ value }) => add(value),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || list.onKey(event)) return;
    const text = typed?.trim() ?? '';
    if ((event.key === 'Enter' || event.key === ',') && text !== '') add(text);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'ArrowDown') setTyped(typed ?? '');
    else if (event.key === 'Backspace' && text === '' && names.length > 0) remove(names.at(-1) ?? '');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const unknown = names.find((name) => assigneeProblem(name) !== null);
  const noGroup = names.find((name) => assignedGroup(name) !== null && !isSuggested(name, suggestions));
  if (readOnly)
    return (
      <Field label="Done by">
        {(control) => (
          <Input
            {...control}
            readOnly
            value={names.length === 0 ? 'Unassigned' : names.map((name) => personOf(name).name).join(', ')}
          />
        )}
      </Field>
    );
  const hasList = matches.length > 0;
  return (
    <div className={styles.doneBy}>
      <Field
        label="Done by"
        error={
          noGroup !== undefined
            ? `There is no ${noGroup}. Create the group or choose someone else.`
            : unknown !== undefined
              ? assigneeProblem(unknown)
              : null
        }
        hint={
          unknown !== undefined
            ? ASSIGNEE_ROLES_HINT
            : names.length === 0
              ? 'Nobody is named, so anyone with permission can do it.'
              : undefined
        }
      >
        {(control) => (
          <>
            {names.length > 0 && (
              <ul className={styles.names} aria-label="Chosen for this step">
                {names.map((name) => (
                  <li key={name} className={styles.name}>
                    <Who {...personOf(name)} className={styles.person} />
                    <IconButton
                      label={`Remove ${personOf(name).name}`}
                      icon={X}
                      size="sm"
                      onClick={() => remove(name)}
                    />
                  </li>
                ))}
              </ul>
            )}
            <ListPopover
              open={hasList}
              className={styles.list}
              {...list.listProps}
              aria-label="People, groups and roles"
              target={
                <Input
                  {...control}
                  ref={input}
                  role="combobox"
                  aria-haspopup="listbox"
                  aria-expanded={hasList}
                  aria-controls={hasList ? list.listProps.id : undefined}
                  {...list.fieldProps}
                  // While this is set, Escape doesn't close the dialog.
                  data-mantine-stop-propagation={isOpen ? 'true' : undefined}
                  maxLength={LIMITS.assignee}
                  autoComplete="off"
                  spellCheck={false}
                  placeholder={names.length === 0 ? 'Add a person, group or role' : 'Add another'}
                  value={typed ?? ''}
                  onClick={() => setTyped(typed ?? '')}
                  onChange={({ target }) => {
                    setTyped(target.value);
                    list.choose(null);
                  }}
                  onKeyDown={onKeyDown}
                  onBlur={() => add(typed ?? '')}
                />
              }
            >
              {matches.map((match) => (
                <div
                  key={match.value}
                  {...list.optionProps(match)}
                  className={classNames(styles.option, match === list.chosen && styles.on)}
                >
                  <Avatar name={match.name ?? match.value} role={match.tag !== 'email'} />
                  <span className={styles.text}>
                    <span className="trunc">{match.name ?? match.value}</span>
                    {match.name !== undefined && <span className="muted xs trunc">{match.value}</span>}
                  </span>
                  <Tag className={styles.tag}>{match.tag}</Tag>
                </div>
              ))}
            </ListPopover>
          </>
        )}
      </Field>
    </div>
  );
}

/** True if the group is among the suggestions, or if no group is: they may not have been loaded. */
function isSuggested(name: string, suggestions: readonly AssigneeSuggestion[]): boolean {
  const groups = suggestions.filter(({ tag }) => tag === 'group');
  return groups.length === 0 || groups.some(({ value }) => assignedGroup(value) === assignedGroup(name));
}
