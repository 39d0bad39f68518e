import { useEffect, useRef } from 'react';
import { isFreeKey, isUnderDialog } from '../../../lib/keys/free-key.ts';
import { setSingleKeys, useSingleKeys } from '../../../lib/keys/single-keys.ts';

type Actions = { onStep: (by: 1 | -1) => void; onComment: (stepId: string) => void; onMain: (() => void) | null };

/**
 * J and K move to the next and previous change, and C comments on the focused one. These letters can be turned off.
 * Ctrl or Cmd+Enter performs the main action, which approves or merges after a confirmation.
 */
export function useReviewKeys(actions: Actions): { on: boolean; toggle: () => void } {
  const on = useSingleKeys();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isUnderDialog()) return;
      const { onStep, onComment, onMain } = latest.current;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        if (onMain) event.preventDefault();
        onMain?.();
        return;
      }
      if (!on || !isFreeKey(event)) return;
      const key = event.key.toLowerCase();
      if (key === 'j' || key === 'k') onStep(key === 'j' ? 1 : -1);
      if (key !== 'c') return;
      const stepId = document.activeElement?.closest<HTMLElement>('[data-step]')?.dataset['step'];
      if (stepId === undefined) return;
      event.preventDefault();
      onComment(stepId);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [on]);
  return { on, toggle: () => setSingleKeys(!on) };
}

/** Moves the focus to a step's card. Returns false if it has none. */
export function focusStep(list: HTMLElement | null, stepId: string): boolean {
  const cards = [...(list?.querySelectorAll<HTMLElement>('article[data-step]') ?? [])];
  const card = cards.find(({ dataset }) => dataset['step'] === stepId);
  card?.focus();
  return card !== undefined;
}

/** Moves the focus to the next or previous change, starting from the focused or the first visible one. */
export function focusChange(list: HTMLElement | null, by: 1 | -1): void {
  const cards = [...(list?.querySelectorAll<HTMLElement>('[data-change]') ?? [])];
  const current = cards.findIndex((card) => card.contains(document.activeElement));
  const inSight = cards.findIndex((card) => card.getBoundingClientRect().bottom > 60);
  const next = current === -1 ? (by === 1 ? inSight : inSight - 1) : current + by;
  cards[Math.max(0, Math.min(cards.length - 1, next))]?.focus();
}
