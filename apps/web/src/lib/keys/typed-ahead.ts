/** What was typed for a field that is called but doesn't have the focus yet: its text, and whether Enter followed. */
type TypedAhead = { text: string; isEntered: boolean };

const NOTHING: TypedAhead = { text: '', isEntered: false };
let kept = NOTHING;

/**
 * Keeps what is typed from now on for the field that takes it with `takeTypedAhead`, instead of letting it act on the
 * page below; what is typed inside a dialog is that one's. Ends with the function it returns.
 */
export function keepTypedAhead(onEscape: () => void): () => void {
  kept = NOTHING;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, isComposing, ctrlKey, metaKey, altKey } = event;
    if (isComposing || ctrlKey || metaKey || altKey || isInDialog(event.target)) return;
    if (key === 'Escape') onEscape();
    else if (!keep(key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKeyDown, true);
  return () => window.removeEventListener('keydown', onKeyDown, true);
}

/** What was typed so far, once. */
export function takeTypedAhead(): TypedAhead {
  const taken = kept;
  kept = NOTHING;
  return taken;
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-modal="true"]') !== null;

function keep(key: string): boolean {
  // What follows Enter was meant for what Enter opens.
  if (kept.isEntered) return key === 'Enter';
  const characters = Array.from(kept.text);
  if (Array.from(key).length === 1) kept = { ...kept, text: kept.text + key };
  else if (key === 'Backspace') kept = { ...kept, text: characters.slice(0, -1).join('') };
  else if (key === 'Enter') kept = { ...kept, isEntered: true };
  else return false;
  return true;
}
