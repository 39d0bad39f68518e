import type { GivenAnswers } from './answers.ts';

const keyOf = (draftId: string): string => `stet_rebase/${draftId}`;

/** Answers of this tab that outlive a reload; nothing is kept where the browser keeps nothing. */
export const keptAnswers = {
  read(draftId: string): GivenAnswers {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(draftId)) ?? '[]');
      // Only this file writes under the key.
      return new Map(Array.isArray(kept) ? (kept as [string, never][]) : []);
    } catch {
      return new Map();
    }
  },
  write(draftId: string, given: GivenAnswers): void {
    try {
      if (given.size === 0) sessionStorage.removeItem(keyOf(draftId));
      else sessionStorage.setItem(keyOf(draftId), JSON.stringify([...given]));
    } catch {
      // Full or closed: the answers live as long as the page.
    }
  },
};
