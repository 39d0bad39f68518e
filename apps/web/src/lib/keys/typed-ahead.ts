/** Text typed for a field that doesn't have the focus, and whether Enter was pressed after it. */
type TypedAhead = { text: string; isEntered: boolean };

const NOTHING: TypedAhead = { text: '', isEntered: false };
let typed = NOTHING;

/**
 * Captures text that is typed while the field doesn't have the focus, for example because it is still loading, so that
 * the keys don't act on the page below. The field reads the text with `takeTypedAhead`. Keys inside a dialog or
 * with Ctrl, Cmd or Alt are not captured. Returns a function that stops capturing.
 */
export function captureTypedAhead(onEscape: () => void): () => void {
  typed = NOTHING;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, isComposing, ctrlKey, metaKey, altKey } = event;
    if (isComposing || ctrlKey || metaKey || altKey || isInDialog(event.target)) return;
    if (key === 'Escape') onEscape();
    else if (!rememberKey(key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKeyDown, true);
  return () => window.removeEventListener('keydown', onKeyDown, true);
}

/** Returns the captured text and clears it. */
export function takeTypedAhead(): TypedAhead {
  const taken = typed;
  typed = NOTHING;
  return taken;
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-modal="true"]') !== null;

function rememberKey(key: string): boolean {
  // Other keys after Enter are meant for the page that Enter opens, so they are not captured.
  if (typed.isEntered) return key === 'Enter';
  const characters = Array.from(typed.text);
  if (Array.from(key).length === 1) typed = { ...typed, text: typed.text + key };
  else if (key === 'Backspace') typed = { ...typed, text: characters.slice(0, -1).join('') };
  else if (key === 'Enter') typed = { ...typed, isEntered: true };
  else return false;
  return true;
}
