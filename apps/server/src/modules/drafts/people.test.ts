import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITH_ADMINISTRATOR } from '../../testing/people/administrator.ts';
import { type Figures, playPeople } from '../../testing/people/play.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';

const SEQUENCES = 100;
/** As long as a move hasn't succeeded, `MORE` sequences are added, up to `MOST` in all. */
const [MORE, MOST] = [20, 400];
/** Moves that must succeed at least once, because the sequences don't test them otherwise. */
const MOVES = [
  'join',
  'go live',
  'approved',
  'confirm',
  'change role',
  'change group',
  'name reviewers',
  'delegate',
  'approve for someone',
  'account disabled',
  'account enabled',
  'remove inviter',
];

describe('one person with several accounts', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(WITH_ADMINISTRATOR);
  });
  afterAll(() => server.stop());

  // To run ten thousand sequences, use npm run test:attacks -- --only people.
  it("can't make a draft go live as if two people had agreed to it", { timeout: 900_000 }, async () => {
    const seed = Date.now() % 1_000_000;
    process.stdout.write(`seed of the people: ${seed}\n`);
    const parts: Figures[] = [];
    const count = (of: (part: Figures) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
    const missing = (): string[] => MOVES.filter((move) => count(({ moves }) => moves[move]?.granted ?? 0) === 0);
    let planned = 0;
    do {
      const sequences = planned === 0 ? SEQUENCES : MORE;
      const part = await playPeople(server, { seed, from: planned, sequences });
      expect(part.broken).toEqual([]);
      parts.push(part);
      planned += sequences;
    } while (missing().length > 0 && planned < MOST);
    expect(missing()).toEqual([]);
    expect(count(({ sequences }) => sequences)).toBe(planned);
    // A sequence in which no version goes live tests nothing.
    expect(count(({ live }) => live)).toBeGreaterThan(planned / 10);
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
      const { broken } = await playPeople(server, { seed: 1, sequences: MOST, maxFailures: 1 });
      expect(broken.join('\n')).toMatch(/the same human wrote|counts as proved|not proved|one human/);
    },
  );
});
