import type { Base } from './folder-state.ts';

/** What becomes of a file: it is written, stays as it is, stays as it was edited, or a person has to decide. */
export type PullDecision = 'new' | 'updated' | 'same' | 'edited' | 'conflict';

/** Stands for the hash of a file that can't be understood: it is like no other. */
export const UNREADABLE = 'unreadable';

/**
 * Decides by content hashes, so that comments and layout of a file are not a change.
 * @param local what the file says; null where there is no file, `UNREADABLE` where it can't be understood
 */
export function decidePull(local: string | null, base: Base | undefined, remote: string): PullDecision {
  if (local === null) return 'new';
  if (local === remote) return 'same';
  if (base && local === base.contentHash) return 'updated';
  return base?.contentHash === remote ? 'edited' : 'conflict';
}
