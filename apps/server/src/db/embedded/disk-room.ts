import fs from 'node:fs';

/** PostgreSQL writes ahead in files of 16 MiB, and needs one more of them to start again. */
const ROOM_BYTES = 32 * 1024 * 1024;
const NO_ROOM = /No space left on device|Disk quota exceeded/;

/** Whether there is too little room for PostgreSQL to go on. Its own log may be silent on that: it is on the same disk. */
export function isDiskFull(directory: string): boolean {
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize < ROOM_BYTES;
}

/** A limit of this account alone shows only in what PostgreSQL says. */
export const saysDiskFull = (log: string): boolean => NO_ROOM.test(log);
