import type { RunSummary } from '@stet/contract';
import { useEffect, useEffectEvent, useState } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [role="dialog"], [role="menu"]') !== null;

/**
 * The selected run, and the screen's keys: Ctrl or Cmd+R refreshes, and Escape clears the selection. If nothing has the
 * focus, Up and Down focus and select the row that Tab would reach.
 */
export function useRunSelection(rows: readonly RunSummary[], onRefresh: () => void) {
  // The selection is stored by id, so that a refresh doesn't move it. A run that is no longer in the list isn't
  // selected.
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const selected = rows.find(({ id }) => id === selectedId) ?? null;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'r') {
      event.preventDefault();
      onRefresh();
    } else if (event.key === 'Escape' && !isTyping(event.target)) {
      setSelectedId(null);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && event.target === document.body) {
      const row = document.querySelector<HTMLElement>('tr[data-run-id][tabindex="0"]');
      if (!row) return;
      event.preventDefault();
      row.focus();
      setSelectedId(row.dataset['runId'] ?? null);
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  return { selected, select: setSelectedId };
}
