import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const SHARED_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * Creates temporary files of this process and its children in memory, if the system has enough. Each test database has
 * hundreds of files, and creating them on a disk took an eighth of the integration tests' CPU time. The files are
 * removed when this process ends.
 */
export function useMemoryForTemporaryFiles() {
  const folder = memoryFolder();
  if (folder === undefined) return;
  process.env['TMPDIR'] = folder;
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

function memoryFolder() {
  try {
    const { bavail, bsize } = fs.statfsSync(SHARED_MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return undefined;
    const folder = fs.mkdtempSync(path.join(SHARED_MEMORY, 'stet-'));
    // Has the permissions of /tmp, because PostgreSQL and some tests run under another account.
    fs.chmodSync(folder, 0o1777);
    if (canExecuteIn(folder)) return folder;
    fs.rmSync(folder, { recursive: true });
  } catch {
    // The system has no folder in memory, or it can't be written to.
  }
  return undefined;
}

/**
 * Returns whether programs in the folder can be executed, because PostgreSQL's programs may have to be copied there.
 * Containers often forbid this.
 */
function canExecuteIn(folder) {
  const program = path.join(folder, 'probe');
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  fs.rmSync(program);
  return status === 0;
}
