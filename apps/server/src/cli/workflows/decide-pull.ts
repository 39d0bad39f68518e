import type { Base } from './folder-state.ts';

/**
 * The decision for a file: write it, leave it unchanged, keep its local edits, or report a conflict that someone has to
 * resolve.
 */
export type PullDecision = 'new' | 'updated' | 'same' | 'edited' | 'conflict';

/** Used in place of the hash of a file that can't be parsed. No hash equals it. */
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
