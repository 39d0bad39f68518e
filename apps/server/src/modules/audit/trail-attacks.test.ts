import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, startTestServer } from '../../testing/server.ts';
import { attackTrail } from '../../testing/trail-attacks.ts';

const seed = Number(process.env['STET_SEED'] ?? Date.now() % 1_000_000);

describe(`an attacker with full rights to the database but without access to the server's files (STET_SEED=${seed})`, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ LOG_LEVEL: 'silent' }, { sealEveryMs: 3_600_000 });
  });
  afterAll(() => server.stop());

  it('is detected by verifying the whole trail after any change', { timeout: 120_000 }, async () => {
    const tried = await attackTrail(server, { seed, attempts: 30 });
    expect(tried).toHaveLength(30);
    expect(tried.filter(({ found }) => found === null)).toEqual([]);
  });
});
