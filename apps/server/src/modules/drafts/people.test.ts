import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playPeople } from '../../testing/people/play.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';

const SEQUENCES = 160;

describe('one person with several accounts', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  // To run ten thousand sequences, use npm run test:attacks -- --only people.
  it("can't make a draft go live as if two people had agreed to it", { timeout: 900_000 }, async () => {
    const seed = Date.now() % 1_000_000;
    process.stdout.write(`seed of the people: ${seed}\n`);
    const { broken, sequences, live, moves } = await playPeople(server, { seed, sequences: SEQUENCES });
    expect(broken).toEqual([]);
    expect(sequences).toBe(SEQUENCES);
    // A sequence in which no version goes live tests nothing.
    expect(live).toBeGreaterThan(SEQUENCES / 10);
    for (const move of [
      'join',
      'go live',
      'approved',
      'confirm',
      'change role',
      'change group',
      'name reviewers',
      'delegate',
      'approve for someone',
    ]) {
      expect(moves[move]?.granted ?? 0, move).toBeGreaterThan(0);
    }
  });

  it(
    'can do so on a server that treats every account as proved, which the check detects',
    { timeout: 900_000 },
    async () => {
      await server.sql(
        `create function prove_everyone() returns trigger language plpgsql as
       $$ begin new.proved_by := 'mailbox'; new.proved_at := now(); return new; end $$`,
      );
      await server.sql(
        'create trigger prove_everyone before update on users for each row execute function prove_everyone()',
      );
      const { broken } = await playPeople(server, { seed: 1, sequences: SEQUENCES, maxFailures: 1 });
      expect(broken.join('\n')).toMatch(/the same human wrote|counts as proved|not proved|one human/);
    },
  );
});
