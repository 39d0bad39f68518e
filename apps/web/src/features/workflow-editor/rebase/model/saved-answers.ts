import type { GivenAnswers } from './answers.ts';

const keyOf = (draftId: string): string => `stet_rebase/${draftId}`;

/** Answers in this tab that survive a reload, if the browser has storage. */
export const savedAnswers = {
  read(draftId: string): GivenAnswers {
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf(draftId)) ?? '[]');
      // Only this file writes to this key.
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
      // Storage is full or unavailable: the answers live as long as the page.
    }
  },
};
