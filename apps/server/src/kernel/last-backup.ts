import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const outcome = z.object({
  /** The last complete backup; null if there is none. `at` is ISO 8601 in UTC. */
  success: z.object({ at: z.string(), file: z.string(), bytes: z.number(), verified: z.boolean() }).nullable(),
  /** The last attempt, if it failed. */
  failure: z.object({ at: z.string(), problem: z.string() }).nullable(),
});
export type LastBackup = z.infer<typeof outcome>;

const fileIn = (dataDir: string): string => join(dataDir, 'last-backup.json');

/**
 * Reads how the last backup of this data directory ended. Both parts are null if no backup was made or the file can't
 * be read.
 */
export function readLastBackup(dataDir: string): LastBackup {
  try {
    return outcome.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return { success: null, failure: null };
  }
}

/** Records how a backup ended. A failure doesn't replace the last success. */
export function saveLastBackup(dataDir: string, ended: Partial<LastBackup>): void {
  const { success } = readLastBackup(dataDir);
  const saved = { success: ended.success ?? success, failure: ended.failure ?? null };
  const unfinished = `${fileIn(dataDir)}.${process.pid}`;
  // The server may run as a different user.
  writeFileSync(unfinished, `${JSON.stringify(saved)}\n`, { mode: 0o644 });
  renameSync(unfinished, fileIn(dataDir));
}
