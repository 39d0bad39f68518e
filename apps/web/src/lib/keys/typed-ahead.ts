/** Text typed for a field that is still loading, and whether Enter followed. */
type TypedAhead = { text: string; isEntered: boolean };

const NOTHING: TypedAhead = { text: '', isEntered: false };
let kept = NOTHING;

/**
 * Captures typed text for the field that reads it with `takeTypedAhead`, so that it doesn't act on the page below; keys
 * inside a dialog are not captured. The returned function stops it.
 */
export function captureTypedAhead(onEscape: () => void): () => void {
  kept = NOTHING;
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

/** The text typed so far; returned only once. */
export function takeTypedAhead(): TypedAhead {
  const taken = kept;
  kept = NOTHING;
  return taken;
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-modal="true"]') !== null;

function rememberKey(key: string): boolean {
  // Keys after Enter are meant for whatever Enter opens.
  if (kept.isEntered) return key === 'Enter';
  const characters = Array.from(kept.text);
  if (Array.from(key).length === 1) kept = { ...kept, text: kept.text + key };
  else if (key === 'Backspace') kept = { ...kept, text: characters.slice(0, -1).join('') };
  else if (key === 'Enter') kept = { ...kept, isEntered: true };
  else return false;
  return true;
}
