import type { Base } from './folder-state.ts';

/** A pull writes a file, leaves it unchanged, keeps its local edits, or reports a conflict for someone to resolve. */
export type PullDecision = 'new' | 'updated' | 'same' | 'edited' | 'conflict';

/** Used in place of the hash if a file can't be parsed. No hash equals it. */
export const UNREADABLE = 'unreadable';

/**
 * Decides by content hashes, so that comments and the layout of a file don't count as changes.
 *
 * @param local the file's hash; null if there is no file, `UNREADABLE` if it can't be parsed
 */
export function decidePull(local: string | null, base: Base | undefined, remote: string): PullDecision {
  if (local === null) return 'new';
  if (local === remote) return 'same';
  if (base && local === base.contentHash) return 'updated';
  return base?.contentHash === remote ? 'edited' : 'conflict';
}
