import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playGovernance } from '../../testing/governance/play.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';

const SEQUENCES = 40;

describe('governance', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  // To run ten thousand sequences, use bench/governance.ts.
  it(
    "doesn't let a draft go live without the approvals that the current policy requires, even with concurrent actions",
    { timeout: 900_000 },
    async () => {
      const seed = Date.now() % 1_000_000;
      const { moves, sequences } = await playGovernance(
        { url: server.server.url, dataDir: server.dataDir },
        { sequences: SEQUENCES, seed },
      );
      expect(sequences).toBe(SEQUENCES);
      // The sequences test an action only if it succeeds at least once.
      for (const name of ['create', 'save', 'approve', 'merge']) {
        expect({ name, granted: moves[name]?.granted ?? 0 }).toEqual({ name, granted: expect.any(Number) as number });
        expect(moves[name]?.granted ?? 0).toBeGreaterThan(0);
      }
    },
  );
});
