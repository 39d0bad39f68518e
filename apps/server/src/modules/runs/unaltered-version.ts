import { contentHash } from '@stet/domain/workflows';
import type { RunRow } from './runs.sql.ts';

export type PinnedVersion = Pick<RunRow, 'version_id' | 'version' | 'content_hash' | 'metadata' | 'steps'>;

// Versions never change, so each process checks a version only once. The cache is emptied when it is full.
const MAX_REMEMBERED = 10_000;
const unaltered = new Set<string>();

/** True if the version still has its approved content: its hash is the one it was merged with. */
export function isUnaltered({ version_id: id, content_hash: hash, metadata, steps }: PinnedVersion): boolean {
  if (unaltered.has(id)) return true;
  if (contentHash({ metadata, steps }) !== hash) return false;
  if (unaltered.size >= MAX_REMEMBERED) unaltered.clear();
  unaltered.add(id);
  return true;
}
