/** Where letters belong to what has the focus: texts, choices, tables that are typed into, open menus. */
const TAKES_LETTERS = 'input, textarea, select, [contenteditable], [role="grid"], [role="menu"], [role="listbox"]';

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(TAKES_LETTERS) !== null;

/** A dialog has the page: its keys are its own. */
export const isUnderDialog = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

/** Whether a key alone may do something on the page: nothing else takes it, and no other key is held but Shift. */
export function isFreeKey(event: KeyboardEvent): boolean {
  const { defaultPrevented, isComposing, repeat, ctrlKey, metaKey, altKey } = event;
  if (defaultPrevented || isComposing || repeat || ctrlKey || metaKey || altKey) return false;
  return !isWriting(event.target) && !isUnderDialog();
}
