import { contentHash } from '@stet/domain/workflows';
import { Refused } from '../../kernel/refused.ts';
import type { RunRow } from './runs.sql.ts';

type PinnedVersion = Pick<RunRow, 'version_id' | 'version' | 'content_hash' | 'metadata' | 'steps'>;

// A version never changes, so one look is enough for as long as the process lives. Forgetting costs another look.
const MOST_REMEMBERED = 10_000;
const unaltered = new Set<string>();

/** True if the version is what was approved: its content still has the hash that it was merged with. */
export function isUnaltered({ version_id: id, content_hash: hash, metadata, steps }: PinnedVersion): boolean {
  if (unaltered.has(id)) return true;
  if (contentHash({ metadata, steps }) !== hash) return false;
  if (unaltered.size >= MOST_REMEMBERED) unaltered.clear();
  unaltered.add(id);
  return true;
}

export function assertUnaltered(version: PinnedVersion): void {
  if (!isUnaltered(version)) throw new Refused({ code: 'version_altered', version: version.version });
}
