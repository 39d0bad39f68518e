import type { Member } from '@stet/contract';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { useUser } from '../../lib/session/signed-in.ts';
import { Textarea } from '../field.tsx';
import { MemberList } from '../member-list.tsx';
import { useListbox } from '../use-listbox.ts';
import { named, mentionAt, mentionCandidates } from './mentions.ts';

type MentionTextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  value: string;
  onText: (text: string) => void;
  people: readonly Member[];
};

/**
 * A text field that suggests members after `@`. Arrow keys select one, Enter or Tab inserts it, and Escape closes the
 * list.
 */
export function MentionTextarea({ value, onText, people, onKeyDown, ...rest }: MentionTextareaProps) {
  const { id: userId } = useUser();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  /** The position of the `@` whose list the person closed or left. */
  const [left, setLeft] = useState<number | null>(null);
  /** The caret's position once the new text has rendered. */
  const [wanted, setWanted] = useState<{ at: number } | null>(null);
  useLayoutEffect(() => {
    if (wanted) field.current?.setSelectionRange(wanted.at, wanted.at);
  }, [wanted]);

  const naming = mentionAt(value, caret);
  // People can't mention themselves.
  const others = people.filter((person) => person.id !== userId);
  const offered = naming && naming.from !== left ? mentionCandidates(others, naming.typed) : [];
  const isOpen = offered.length > 0;
  const take = (person: Member) => {
    if (!naming) return;
    const next = named(value, { from: naming.from, caret }, person, people);
    onText(next.text);
    moveCaret(next.caret);
    setWanted({ at: next.caret });
    field.current?.focus();
  };
  const list = useListbox({
    options: offered,
    idOf: (person) => person.id,
    initial: offered[0],
    pickKeys: ['Enter', 'Tab'],
    onPick: take,
  });
  const moveCaret = (to: number) => {
    setCaret(to);
    list.choose(null);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isClosing = isOpen && event.key === 'Escape' && !event.nativeEvent.isComposing;
    if (isClosing) {
      event.preventDefault();
      setLeft(naming?.from ?? null);
    }
    if (isClosing || list.onKey(event)) event.stopPropagation();
    else onKeyDown?.(event);
  };
  return (
    <div>
      <MemberList
        open={isOpen}
        label="Members to mention"
        people={offered}
        list={list}
        target={
          <Textarea
            {...rest}
            aria-controls={isOpen ? list.listProps.id : undefined}
            {...list.fieldProps}
            ref={field}
            value={value}
            aria-haspopup="listbox"
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
        }
      />
      <p className="vh" role="status">
        {isOpen &&
          `${offered.length === 1 ? '1 member' : `${offered.length} members`} found. Use the arrow keys to select and Enter to insert.`}
      </p>
    </div>
  );
}
