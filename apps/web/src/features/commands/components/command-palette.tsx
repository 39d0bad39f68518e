import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { takeTypedAhead } from '../../../lib/keys/typed-ahead.ts';
import { Pressable } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { useListbox } from '../../../ui/use-listbox.ts';
import { useFound } from '../api/use-found.ts';
import type { Command } from '../model/command.ts';
import { type Choice, choiceGroups } from '../model/choices.ts';
import { ChoiceLine } from './choice-line.tsx';
import styles from './command-palette.module.css';

const MAX_LENGTH = 100;

type CommandPaletteProps = {
  commands: readonly Command[];
  /** Opens an address in the app. */
  onGo: (to: string) => void;
  onClose: () => void;
};

/** Finds workflows, tags, runs, people and commands. Arrow keys select a line, and Enter opens it or performs it. */
export function CommandPalette({ commands, onGo, onClose }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const found = useFound(typed.trim());
  const groups = choiceGroups(commands, found, typed.trim());
  const choices = groups.flatMap((group) => group.choices);
  const [isEntered, setIsEntered] = useState(false);
  const id = useId();
  const list = useListbox<Choice>({
    options: choices,
    idOf: (choice) => choice.id,
    initial: choices[0],
    pickKeys: ['Enter'],
    // Home and End move the caret if the field has text.
    hasHomeEnd: typed === '',
    onPick: (choice) => {
      onClose();
      if ('to' in choice) onGo(choice.to);
      else choice.run();
    },
  });
  const takeTyped = () => {
    const ahead = takeTypedAhead();
    if (ahead.text !== '') {
      setTyped((before) => (before + ahead.text).slice(0, MAX_LENGTH));
      list.choose(null);
    }
    setIsEntered(ahead.isEntered);
  };
  // If Enter was pressed before the palette was ready, it takes effect now.
  const onEntered = useEffectEvent(() => list.chosen && list.pick(list.chosen));
  useEffect(() => {
    if (isEntered) onEntered();
  }, [isEntered]);

  return (
    <Modal open look="palette" title="Search and commands" onClose={onClose}>
      <div className={styles.paletteSearch}>
        <Icon of={Search} />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label="Search workflows, tags, runs, people and commands"
          aria-expanded
          aria-controls={list.listProps.id}
          {...list.fieldProps}
          placeholder="Search or type a command"
          maxLength={MAX_LENGTH}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onFocus={takeTyped}
          onChange={(event) => {
            setTyped(event.target.value);
            list.choose(null);
          }}
          onKeyDown={list.onKey}
        />
        <Pressable className={styles.paletteClose} onClick={onClose}>
          <span className={styles.onWide}>
            Esc<span className="vh">, close</span>
          </span>
          <span className={styles.onPhone}>Close</span>
        </Pressable>
      </div>
      <div className={styles.paletteList} {...list.listProps} aria-label="Results" tabIndex={-1}>
        {groups.map(({ name, choices: within }) => (
          <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
            <div className={styles.paletteGroup} id={`${id}-${name}`} role="presentation">
              {name}
            </div>
            {within.map((choice) => (
              <ChoiceLine
                key={choice.id}
                choice={choice}
                isChosen={choice === list.chosen}
                optionProps={list.optionProps(choice)}
                onHover={() => list.choose(choice)}
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

function stateOf({ isAsking, error }: ReturnType<typeof useFound>, count: number, typed: string): string {
  if (error) return errorSentence(error, 'The search failed');
  if (count === 0) return isAsking ? 'Searching…' : `Nothing found for “${typed}”`;
  return count === 1 ? '1 result' : `${count} results`;
}
