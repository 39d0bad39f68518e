import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKUP_FOLDERS } from './backup-files.ts';

/** The name of a file that marks an installation as incomplete, although its other files may already be in place. */
const UNFINISHED = 'restore.unfinished';

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/**
 * Finds a folder that belongs to an installation and wasn't left by an interrupted restore. Undefined if there is none.
 */
export function filesInTheWay(dataDir: string, further: readonly string[]): string | undefined {
  const toReplace = existsSync(join(dataDir, UNFINISHED)) ? [] : BACKUP_FOLDERS;
  return [...toReplace, ...further].find((name) => !isEmpty(join(dataDir, name)));
}

/**
 * Moves folders into place. If an interrupted restore has left such folders, they are moved aside instead of deleted,
 * because that restore may have committed its database after all.
 */
export function placeFiles(made: string, dataDir: string, names: readonly string[]): void {
  writeFileSync(join(dataDir, UNFINISHED), 'A restore was interrupted here. Start it again.\n');
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

/** Records that the installation is complete. After that, the files belong to it. */
export const placingIsDone = (dataDir: string): void => rmSync(join(dataDir, UNFINISHED), { force: true });
