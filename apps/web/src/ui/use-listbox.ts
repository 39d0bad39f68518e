import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';

type ListboxOptions<Option> = {
  options: readonly Option[];
  idOf: (option: Option) => string;
  /** The option that is chosen by default. */
  initial?: Option | undefined;
  onPick: (option: Option) => void;
  /** Keys that pick the chosen option. */
  pickKeys?: readonly string[];
  /** Home and End choose the first and last option instead of moving the caret. */
  hasHomeEnd?: boolean;
};

/**
 * A text field's list of options. The field keeps the focus, and its keys move the choice. The choice is identified by
 * id, so it stays the same while options are added or removed.
 */
export function useListbox<Option>(listbox: ListboxOptions<Option>) {
  const { options, idOf, initial, onPick, pickKeys = [], hasHomeEnd = false } = listbox;
  const id = useId();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = options.find((option) => idOf(option) === chosenId) ?? initial;
  const domId = (option: Option) => `${id}-${idOf(option)}`;
  const activeId = chosen === undefined ? undefined : domId(chosen);

  useEffect(() => {
    // An option under the pointer is already in view, so this only scrolls after a key.
    if (chosenId !== null && activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [chosenId, activeId]);

  const rowOf = (key: string): number | null => {
    const at = chosen === undefined ? -1 : options.indexOf(chosen);
    if (key === 'ArrowDown') return at + 1;
    if (key === 'ArrowUp') return at === -1 ? options.length - 1 : at - 1;
    if (hasHomeEnd && key === 'Home') return 0;
    return hasHomeEnd && key === 'End' ? options.length - 1 : null;
  };
  return {
    chosen,
    pick: onPick,
    choose: (option: Option | null) => setChosenId(option === null ? null : idOf(option)),
    /** True if the key was handled. */
    onKey: (event: KeyboardEvent): boolean => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, nativeEvent } = event;
      if (options.length === 0 || nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return false;
      const row = rowOf(key);
      if (row !== null) {
        const next = options[(row + options.length) % options.length];
        if (next !== undefined) setChosenId(idOf(next));
      } else if (pickKeys.includes(key) && chosen !== undefined) onPick(chosen);
      else return false;
      event.preventDefault();
      return true;
    },
    fieldProps: {
      'aria-autocomplete': 'list' as const,
      'aria-activedescendant': activeId,
    },
    listProps: { id, role: 'listbox' },
    optionProps: (option: Option) => ({
      id: domId(option),
      role: 'option',
      tabIndex: -1,
      'aria-selected': option === chosen,
      // Without this, the field would lose the focus before the click.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: (event: MouseEvent) => {
        event.stopPropagation();
        onPick(option);
      },
    }),
  };
}
