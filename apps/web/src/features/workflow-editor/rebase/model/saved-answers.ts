import type { GivenAnswers } from './answers.ts';

const keyOf = (draftId: string): string => `stet_rebase/${draftId}`;

/** Stores the answers in this tab, so that they survive a reload. */
export const savedAnswers = {
  read(draftId: string): GivenAnswers {
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf(draftId)) ?? '[]');
      // Only this file writes to this key, so its content isn't validated.
      return new Map(Array.isArray(saved) ? (saved as [string, never][]) : []);
    } catch {
      return new Map();
    }
  },
  write(draftId: string, given: GivenAnswers): void {
    try {
      if (given.size === 0) sessionStorage.removeItem(keyOf(draftId));
      else sessionStorage.setItem(keyOf(draftId), JSON.stringify([...given]));
    } catch {
      // If storage is full or unavailable, the answers last until the page is closed or reloaded.
    }
  },
};
