import { useEffect, useEffectEvent } from 'react';

const isBusyElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [role="dialog"], [role="menu"]') !== null;

/**
 * Escape clears the selection. If nothing has the focus, Up and Down focus and select the row that Tab would reach.
 */
export function useSelectionKeys(selectedKey: string | null, onSelect: (key: string | null) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape' && selectedKey !== null && !isBusyElsewhere(event.target)) {
      onSelect(null);
      rowOf(selectedKey)?.focus();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && event.target === document.body) {
      const row = document.querySelector<HTMLElement>('tr[data-key][tabindex="0"]');
      if (!row) return;
      event.preventDefault();
      row.focus();
      onSelect(row.dataset['key'] ?? null);
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

const rowOf = (key: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('tr[data-key]')].find((row) => row.dataset['key'] === key) ?? null;
