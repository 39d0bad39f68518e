import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handlers } from '../app.ts';
import type { Deps } from '../kernel/deps.ts';
import { watchDataDirectory } from './data-directory.ts';

describe('the data directory of a server with the embedded PostgreSQL', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'stet-data-'));
    for (const folder of ['keys', 'postgres']) mkdirSync(join(dataDir, folder));
    writeFileSync(join(dataDir, 'keys', 'audit-signing.key'), 'a key');
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('makes the server not ready while its disk is full, and logs when that begins and ends', async () => {
    const logged: string[] = [];
    const log = pino({}, { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) });
    let bytes = 1_000_000_000;
    const free = (): Promise<number> => Promise.resolve(bytes);
    const watch = watchDataDirectory({ dataDir, databaseUrl: undefined }, log, { free, everyMs: 1 });
    const deps = { dataDirectoryProblem: watch.problem, isDiskFull: watch.isDiskFull, databaseAnswers: () => true };
    const ready = () => handlers['GET /api/ready'](deps as Deps, undefined as never);
    try {
      await expect(ready()).resolves.toBeDefined();
      bytes = 1_000_000;
      await vi.waitFor(() => expect(ready()).rejects.toMatchObject({ refusal: { code: 'disk_full' } }));
      bytes = 1_000_000_000;
      await vi.waitFor(() => expect(ready()).resolves.toBeDefined());
      expect(logged).toEqual([
        'the disk is full; changes are refused until there is space',
        'the disk has space again',
      ]);
    } finally {
      await watch.stop();
    }
  });
});
