import { ASSIGNEE_ROLES_HINT, assigneeProblem } from '@stet/domain/access';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Input } from '../../../ui/field.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Tag } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { matchingSuggestions, nameOfAssignee, splitAtMatch } from '../model/assignee-suggestions.ts';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import { useAfterPress } from './use-after-press.ts';
import { useFlip } from './use-flip.ts';
import type { AfterCommit } from '../grid/use-step-grid.ts';
import styles from './step-table.module.css';

type AssigneeEditorProps = {
  label: string;
  value: string;
  typed: string | null;
  suggestions: readonly AssigneeSuggestion[];
  onCommit: (value: string, after: AfterCommit) => void;
  onCancel: () => void;
};

/** An input with suggestions. It accepts any text; an unknown assignee only gets a warning. */
export function AssigneeEditor({ label, value, typed, suggestions, onCommit, onCancel }: AssigneeEditorProps) {
  const [text, setText] = useState(typed ?? value);
  const [untouched, setUntouched] = useState(typed === null);
  const [picked, setPicked] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const finished = useRef(false);
  const afterPress = useAfterPress();
  const id = useId();
  useFlip(list);

  const matches = matchingSuggestions(suggestions, untouched ? '' : text);
  const problem = assigneeProblem(text);
  // Enter completes an incomplete text to the first suggestion. A complete address is used as typed.
  const highlighted = picked ?? (!untouched && problem !== null && matches.length > 0 ? 0 : null);
  const chosen = highlighted === null ? undefined : matches[highlighted];
  const showsProblem = problem !== null && matches.length === 0;

  useLayoutEffect(() => {
    input.current?.focus();
    if (typed === null) input.current?.select();
  }, [typed]);

  const finish = (act: () => void) => {
    if (finished.current) return;
    finished.current = true;
    act();
  };
  const commit = (after: AfterCommit, takenValue = chosen?.value ?? text.trim()) =>
    finish(() => onCommit(takenValue, after));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const count = matches.length;
    switch (event.key) {
      case 'ArrowDown':
        event.preventDefault();
        if (count > 0) setPicked(highlighted === null ? 0 : (highlighted + 1) % count);
        break;
      case 'ArrowUp':
        event.preventDefault();
        if (count > 0) setPicked(highlighted === null ? count - 1 : (highlighted + count - 1) % count);
        break;
      case 'Enter':
        event.preventDefault();
        commit('down');
        break;
      case 'Tab':
        event.preventDefault();
        commit(event.shiftKey ? 'previous' : 'next');
        break;
      case 'Escape':
        event.preventDefault();
        finish(onCancel);
        break;
      case 's':
        if (event.metaKey || event.ctrlKey) commit('stay', text.trim());
        break;
    }
  };

  return (
    <div className={styles.assigneeEditor} data-cell-part="assignee">
      <Input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={matches.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? `${id}-${highlighted}` : undefined}
        aria-invalid={showsProblem || undefined}
        aria-describedby={showsProblem ? `${id}-problem` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setUntouched(false);
          setPicked(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => afterPress(() => commit('away', text.trim()))}
      />
      {showsProblem && (
        <div id={`${id}-problem`} role="alert">
          <p className="err">{problem}</p>
          <p className="xs muted">{ASSIGNEE_ROLES_HINT}</p>
        </div>
      )}
      <div
        ref={list}
        className={classNames(styles.cellPop, styles.suggestions)}
        data-cell-part="popup"
        id={`${id}-list`}
        role="listbox"
        aria-label="Assignee suggestions"
        hidden={matches.length === 0}
      >
        {matches.map((match, index) => {
          const [before, hit, after] = splitAtMatch(match.value, untouched ? '' : text);
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are handled by the input, which keeps the focus.
            <div
              key={match.value}
              id={`${id}-${index}`}
              className={classNames(styles.suggestion, index === highlighted && styles.on)}
              role="option"
              tabIndex={-1}
              aria-selected={index === highlighted}
              // Otherwise the input would lose the focus before the click and commit the typed text.
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                event.stopPropagation();
                commit('stay', match.value);
              }}
            >
              <Avatar name={nameOfAssignee(match.value)} role={match.tag === 'role'} />
              <span className="trunc" title={match.value}>
                {before}
                {hit && <b>{hit}</b>}
                {after}
              </span>
              <Tag>{match.tag}</Tag>
            </div>
          );
        })}
      </div>
    </div>
  );
}
