import { useEffect, useRef } from 'react';

type EditorKeys = { onSave: () => void; onUndo: () => void; onRedo: () => void };

const hasItsOwnUndo = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target instanceof HTMLTextAreaElement ||
    target instanceof HTMLInputElement ||
    // The script and the condition are edited in a code editor.
    target.closest('[data-cell-part="popup"], [contenteditable="true"]') !== null);

/**
 * Handles Ctrl or Cmd with S (save), Z (undo), Shift+Z and Y (redo), except under a dialog. Text fields, code editors
 * and cells that are being edited have their own undo, so undo and redo are ignored there.
 */
export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      const key = event.key.toLowerCase();
      // A dialog handles its own keys. The browser's own Save is always prevented.
      if (document.querySelector('[aria-modal="true"]')) {
        if (key === 's') event.preventDefault();
        return;
      }
      if (key === 's') {
        event.preventDefault();
        latest.current.onSave();
      } else if ((key === 'z' || key === 'y') && !hasItsOwnUndo(event.target)) {
        event.preventDefault();
        if (key === 'y' || event.shiftKey) latest.current.onRedo();
        else latest.current.onUndo();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
