import { ASSIGNEE_ROLES_HINT, assigneeProblem } from '@stet/domain/access';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { FieldError, Input } from '../../../ui/field.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Tag } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useListbox } from '../../../ui/use-listbox.ts';
import { matchingSuggestions, splitAtMatch } from '../model/assignee-suggestions.ts';
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

/**
 * An input with suggestions for the name after the last comma. It accepts any text. An unknown assignee only gets a
 * warning.
 */
export function AssigneeEditor({ label, value, typed, suggestions, onCommit, onCancel }: AssigneeEditorProps) {
  const [text, setText] = useState(typed ?? value);
  const [untouched, setUntouched] = useState(typed === null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const finished = useRef(false);
  const afterPress = useAfterPress();
  const id = useId();
  useFlip(list);

  const lastComma = text.lastIndexOf(',');
  // The names before the one that is being typed.
  const before = untouched || lastComma === -1 ? '' : `${text.slice(0, lastComma).trimEnd()}, `;
  const name = untouched ? '' : text.slice(lastComma + 1);
  const matches = matchingSuggestions(suggestions, name);
  const problem = assigneeProblem(text);
  // Enter and Tab replace an unknown name with the first suggestion. A known assignee is used as typed.
  const listbox = useListbox({
    options: matches,
    idOf: ({ value: of }) => of,
    initial: !untouched && problem !== null ? matches[0] : undefined,
    onPick: (match) => commit('stay', before + match.value),
  });
  const { chosen } = listbox;
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
  const commit = (after: AfterCommit, takenValue = chosen ? before + chosen.value : withoutEnd(text)) =>
    finish(() => onCommit(takenValue, after));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || listbox.onKey(event)) return;
    switch (event.key) {
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
        if (event.metaKey || event.ctrlKey) commit('stay', withoutEnd(text));
        break;
    }
  };

  return (
    <div className={styles.assigneeEditor} data-cell-part="assignee">
      <Input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-controls={listbox.listProps.id}
        {...listbox.fieldProps}
        aria-expanded={matches.length > 0}
        aria-invalid={showsProblem || undefined}
        aria-describedby={showsProblem ? `${id}-problem` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setUntouched(false);
          listbox.choose(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => afterPress(() => commit('away', withoutEnd(text)))}
      />
      {showsProblem && (
        <div id={`${id}-problem`} role="alert">
          <FieldError hasIcon={false}>{problem}</FieldError>
          <p className="xs muted">{ASSIGNEE_ROLES_HINT}</p>
        </div>
      )}
      <div
        ref={list}
        className={classNames(styles.cellPop, styles.suggestions)}
        data-cell-part="popup"
        {...listbox.listProps}
        aria-label="Assignee suggestions"
        hidden={matches.length === 0}
      >
        {matches.map((match) => {
          return (
            <div
              key={match.value}
              {...listbox.optionProps(match)}
              className={classNames(styles.suggestion, match === chosen && styles.on)}
            >
              <Avatar name={match.name ?? match.value} role={match.tag !== 'email'} />
              <span className="trunc" title={match.value}>
                {match.name !== undefined && (
                  <>
                    <Matched text={match.name} typed={name} />{' '}
                  </>
                )}
                <span className={match.name === undefined ? undefined : 'muted xs'}>
                  <Matched text={match.value} typed={name} />
                </span>
              </span>
              <Tag className={styles.suggestionRole}>{match.tag}</Tag>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The text without a trailing comma. */
const withoutEnd = (text: string): string => text.trim().replace(/[,\s]+$/, '');

function Matched({ text, typed }: { text: string; typed: string }) {
  const [before, hit, after] = splitAtMatch(text, typed);
  return (
    <>
      {before}
      {hit && <b>{hit}</b>}
      {after}
    </>
  );
}
