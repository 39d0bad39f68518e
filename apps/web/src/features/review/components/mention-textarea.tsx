import type { Member } from '@stet/contract';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Textarea } from '../../../ui/field.tsx';
import { named, mentionAt, mentionCandidates } from '../model/naming.ts';
import styles from './mention-textarea.module.css';

type MentionTextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  value: string;
  onText: (text: string) => void;
  people: readonly Member[];
};

/** Scrolls a list that has just opened out from under the bar at the bottom. */
const showWhole = (list: HTMLElement | null): void => list?.scrollIntoView({ block: 'nearest' });

/**
 * A text field that suggests members after `@`. Arrow keys select one, Enter or Tab inserts it, and Escape closes the
 * list.
 */
export function MentionTextarea({ value, onText, people, onKeyDown, ...rest }: MentionTextareaProps) {
  const id = useId();
  const { id: userId } = useUser();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  /** The position of the `@` for which the person has closed the list. */
  const [left, setLeft] = useState<number | null>(null);
  /** Where the caret must be once the text has rendered. */
  const [wanted, setWanted] = useState<{ at: number } | null>(null);
  useLayoutEffect(() => {
    if (wanted) field.current?.setSelectionRange(wanted.at, wanted.at);
  }, [wanted]);

  const naming = mentionAt(value, caret);
  // People can't mention themselves.
  const others = people.filter((person) => person.id !== userId);
  const offered = naming && naming.from !== left ? mentionCandidates(others, naming.typed) : [];
  const isOpen = offered.length > 0;
  const at = Math.min(chosen, offered.length - 1);
  const moveCaret = (to: number) => {
    setCaret(to);
    setChosen(0);
  };
  const take = (person: Member | undefined) => {
    if (!person || !naming) return;
    const next = named(value, { from: naming.from, caret }, person, people);
    onText(next.text);
    moveCaret(next.caret);
    setWanted({ at: next.caret });
    field.current?.focus();
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setChosen((at + 1) % offered.length),
    ArrowUp: () => setChosen((at + offered.length - 1) % offered.length),
    Enter: () => take(offered[at]),
    Tab: () => take(offered[at]),
    Escape: () => setLeft(naming?.from ?? null),
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const act = isOpen && !event.nativeEvent.isComposing ? keys[event.key] : undefined;
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div>
      <Textarea
        {...rest}
        ref={field}
        value={value}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onChange={(event) => {
          onText(event.target.value);
          moveCaret(event.target.selectionStart);
          if (mentionAt(event.target.value, event.target.selectionStart) === null) setLeft(null);
        }}
        onSelect={(event) => {
          if (event.currentTarget.selectionStart !== caret) moveCaret(event.currentTarget.selectionStart);
        }}
        onKeyDown={onKey}
        onBlur={() => setLeft(naming?.from ?? null)}
        onFocus={() => setLeft(null)}
      />
      {isOpen && (
        <div
          ref={showWhole}
          className={classNames('pop', styles.mentionList)}
          id={`${id}-list`}
          role="listbox"
          aria-label="Members to mention"
        >
          {offered.map((person, n) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are handled by the text field, which keeps the focus.
            <div
              key={person.id}
              id={`${id}-${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === at}
              className={classNames(styles.mentionOption, n === at && styles.on)}
              // Otherwise the text field would lose the focus before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(person)}
            >
              <Avatar name={person.name} />
              <span className="trunc" title={person.name}>
                {person.name}
              </span>
              <span className="muted xs trunc" title={person.email}>
                {person.email}
              </span>
            </div>
          ))}
        </div>
      )}
      <p className="vh" role="status">
        {isOpen &&
          `${offered.length === 1 ? '1 member' : `${offered.length} members`} found. Arrow keys select, Enter inserts.`}
      </p>
    </div>
  );
}
