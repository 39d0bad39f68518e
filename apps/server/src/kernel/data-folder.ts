import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates a private folder in `DATA_DIR` if it is missing, and returns its path. Rejects if `DATA_DIR` itself is
 * missing, because its disk may not be mounted.
 */
export async function makeDataFolder(dataDir: string, name: string): Promise<string> {
  const folder = join(dataDir, name);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return folder;
}
