import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { takeTypedAhead } from '../../../lib/keys/typed-ahead.ts';
import { Pressable } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { useFound } from '../api/use-found.ts';
import type { Command } from '../model/command.ts';
import { type Choice, choiceGroups } from '../model/choices.ts';
import { ChoiceLine } from './choice-line.tsx';
import styles from './command-palette.module.css';

const LONGEST = 100;

type CommandPaletteProps = {
  commands: readonly Command[];
  /** Opens an address in the app. */
  onGo: (to: string) => void;
  onClose: () => void;
};

/** Finds workflows, runs, people and commands. Arrow keys select a line, and Enter opens it. */
export function CommandPalette({ commands, onGo, onClose }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const found = useFound(typed.trim());
  const groups = choiceGroups(commands, found, typed.trim());
  const choices = groups.flatMap((group) => group.choices);
  // The selection is stored by id, so that it stays on the same line when results arrive.
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = choices.find(({ id }) => id === chosenId) ?? choices[0];
  const [isEntered, setIsEntered] = useState(false);
  const listId = useId();

  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    if ('to' in choice) onGo(choice.to);
    else choice.run();
  };
  const takeTyped = () => {
    const ahead = takeTypedAhead();
    if (ahead.text !== '') {
      setTyped((before) => (before + ahead.text).slice(0, LONGEST));
      setChosenId(null);
    }
    setIsEntered(ahead.isEntered);
  };
  // Keep the selected line if it is still in the list.
  const onEntered = useEffectEvent(() => pick(chosen));
  useEffect(() => {
    if (isEntered) onEntered();
  }, [isEntered]);
  const choose = (to: 'next' | 'previous' | 'first' | 'last') => {
    const at = chosen ? choices.indexOf(chosen) : -1;
    const steps = { next: at + 1, previous: at - 1 + choices.length, first: 0, last: choices.length - 1 };
    setChosenId(choices[steps[to] % choices.length]?.id ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const move = MOVES[event.key];
    // If the field contains text, Home and End move the caret.
    if (move && !(typed !== '' && (move === 'first' || move === 'last'))) {
      event.preventDefault();
      choose(move);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(chosen);
    }
  };

  return (
    <Modal open look="palette" title="Search and commands" onClose={onClose}>
      <div className={styles.paletteSearch}>
        <Icon of={Search} />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label="Search workflows, runs, people and commands"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen && `${listId}-${chosen.id}`}
          placeholder="Search or type a command"
          maxLength={LONGEST}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onFocus={takeTyped}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosenId(null);
          }}
          onKeyDown={onKeyDown}
        />
        <Pressable className={styles.paletteClose} onClick={onClose}>
          <span className={styles.onWide}>
            Esc<span className="vh">, close</span>
          </span>
          <span className={styles.onPhone}>Close</span>
        </Pressable>
      </div>
      <div className={styles.paletteList} id={listId} role="listbox" aria-label="Results" tabIndex={-1}>
        {groups.map(({ name, choices: within }) => (
          <div key={name} role="group" aria-labelledby={`${listId}-${name}`}>
            <div className={styles.paletteGroup} id={`${listId}-${name}`} role="presentation">
              {name}
            </div>
            {within.map((choice) => (
              <ChoiceLine
                key={choice.id}
                id={`${listId}-${choice.id}`}
                choice={choice}
                isChosen={choice === chosen}
                onHover={() => setChosenId(choice.id)}
                onPick={() => pick(choice)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={styles.paletteState} role="status">
        {stateOf(found, choices.length, typed.trim())}
      </p>
    </Modal>
  );
}

const MOVES: Record<string, 'next' | 'previous' | 'first' | 'last'> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
};

function stateOf({ isAsking, error }: ReturnType<typeof useFound>, count: number, typed: string): string {
  if (error) return errorSentence(error, 'The search failed');
  if (count === 0) return isAsking ? 'Searching…' : `Nothing found for “${typed}”`;
  return count === 1 ? '1 result' : `${count} results`;
}
