import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITH_ADMINISTRATOR } from '../../testing/people/administrator.ts';
import { playRuns } from '../../testing/run-plays/play.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';

const SEQUENCES = 60;

describe('the controls of a run', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(WITH_ADMINISTRATOR);
  });
  afterAll(() => server.stop());

  // To run ten thousand sequences, use npm run test:attacks -- --only runs.
  it(
    'require as many people as they say, and no run is stuck while someone is allowed to act',
    { timeout: 900_000 },
    async () => {
      const seed = Date.now() % 1_000_000;
      process.stdout.write(`seed of the runs: ${seed}\n`);
      const { broken, sequences, live, calls, moves } = await playRuns(server, {
        seed,
        sequences: SEQUENCES,
      });
      expect(broken).toEqual([]);
      expect(sequences).toBe(SEQUENCES);
      // A sequence that completes no run tests nothing.
      expect(live).toBeGreaterThan(SEQUENCES / 10);
      for (const move of [
        'complete',
        'approve',
        'skip',
        'reject',
        'retry',
        'change group',
        'change role',
        'claim',
        'release',
        'hand over',
        'delegate',
        'complete for someone',
        'approve for someone',
        'disable',
        'enable',
        'remove inviter',
      ]) {
        expect(moves[move]?.granted ?? 0, move).toBeGreaterThan(0);
      }
      // The removal of an inviter is counted as a removal too, and the administrator doesn't call the server.
      const once = Object.entries(moves).filter(([move]) => !['remove inviter', 'disable', 'enable'].includes(move));
      const sum = (which: 'tried' | 'granted') => once.reduce((total, [, each]) => total + each[which], 0);
      expect(calls).toEqual({ tried: sum('tried'), granted: sum('granted') });
    },
  );

  it.each<[string, number, object, RegExp]>([
    ['requires only one approval of each step', 1_000_001, { minimumApprovers: 1 }, /people/],
    ['ignores the separation of duties', 1_000_002, { separateFrom: false }, /did the work before it/],
    [
      'accepts the input of a step without approval',
      1_000_003,
      { requiresApproval: false },
      /without the approval of its input|fewer|people/,
    ],
  ])(
    'are violated, as the oracle reports, on a server that %s',
    { timeout: 900_000 },
    async (_, seed, fault, broken) => {
      const transformStep = <S extends { config: object }>(step: S): S => ({
        ...step,
        config: { ...step.config, ...(Object.keys(fault).some((name) => name in step.config) && fault) },
      });
      const { broken: found } = await playRuns(server, {
        seed,
        sequences: SEQUENCES * 5,
        maxFailures: 1,
        transformStep,
      });
      expect(found.join('\n')).toMatch(broken);
    },
  );
});
