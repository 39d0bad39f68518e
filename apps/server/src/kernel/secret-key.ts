import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptOnce } from './kept-once.ts';

/** The installation's secret: the configured one, else the one kept in the data directory, made at the first start. */
export function secretKey(configured: string | undefined, dataDir: string): string {
  return configured ?? keptOnce(join(dataDir, 'keys', 'secret'), () => randomBytes(48).toString('base64url'));
}
