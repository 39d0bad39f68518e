import fs from 'node:fs';
import path from 'node:path';
import type { Connection } from './ensure-database.ts';
import { findPostmaster } from './postmaster.ts';

/**
 * The connection to the PostgreSQL that a running server started in `dataDir`, according to its `postmaster.pid`. Null
 * if none is running or it isn't ready yet.
 */
export function findRunningPostgres(dataDir: string): Connection | null {
  const cluster = path.join(dataDir, 'postgres');
  if (!findPostmaster(cluster)?.isReady) return null;
  const [, , , port, host] = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  return port && host ? { host, port: Number(port), user: 'postgres', database: 'stet' } : null;
}
