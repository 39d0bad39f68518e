import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_FOLDERS } from './kept-files.ts';

/** It stands beside files that were placed while the installation they belong to was not whole yet. */
const UNFINISHED = 'restore.unfinished';

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/** A folder that belongs to an installation, and not to a restore that was broken off; undefined where there is none. */
export function filesInTheWay(dataDir: string, further: readonly string[]): string | undefined {
  const kept = existsSync(join(dataDir, UNFINISHED)) ? [] : KEPT_FOLDERS;
  return [...kept, ...further].find((name) => !isEmpty(join(dataDir, name)));
}

/**
 * Moves folders to their place. What a restore that was broken off has left there is put aside and not deleted: its
 * database may have been committed all the same.
 */
export function placeFiles(made: string, dataDir: string, names: readonly string[]): void {
  writeFileSync(join(dataDir, UNFINISHED), 'A restore was broken off here. Begin it again.\n');
  let aside: string | null = null;
  for (const name of names) {
    const target = join(dataDir, name);
    if (!isEmpty(target)) {
      aside ??= mkdtempSync(join(dataDir, 'before-restore-'));
      renameSync(target, join(aside, name));
    }
    if (!existsSync(join(made, name))) continue;
    rmSync(target, { recursive: true, force: true });
    renameSync(join(made, name), target);
  }
}

/** The installation is whole; what is there now is its own. */
export const placingIsDone = (dataDir: string): void => rmSync(join(dataDir, UNFINISHED), { force: true });
