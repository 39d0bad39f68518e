/** Elements that handle letter keys themselves, for example text fields and open menus. */
const TAKES_LETTERS = 'input, textarea, select, [contenteditable], [role="grid"], [role="menu"], [role="listbox"]';

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(TAKES_LETTERS) !== null;

/** Whether a dialog is open. An open dialog handles all keys. */
export const isUnderDialog = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

/**
 * Whether a single key may trigger a shortcut. The focused element must not handle letters itself, no dialog may be
 * open, and no modifier except Shift may be pressed. Keys that are held down or already handled don't count.
 */
export function isFreeKey(event: KeyboardEvent): boolean {
  const { defaultPrevented, isComposing, repeat, ctrlKey, metaKey, altKey } = event;
  if (defaultPrevented || isComposing || repeat || ctrlKey || metaKey || altKey) return false;
  return !isWriting(event.target) && !isUnderDialog();
}
