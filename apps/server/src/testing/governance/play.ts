import { type Chance, chanceOf } from './random.ts';
import { type Board, anyMove } from './moves.ts';
import { type Played, signUpPlayers } from './players.ts';
import { Table, Violation } from './table.ts';

/** The results of the sequences played so far. */
export type Figures = {
  sequences: number;
  steps: number;
  events: number;
  /** Moves by name: how many were tried, and how many of them succeeded. */
  moves: Record<string, { made: number; granted: number }>;
};

type Game = { sequences: number; seed: number; onProgress?: (figures: Figures) => void };

const PLAYERS = 6;
const STEPS = 16;
/** Number of sequences in one organization. Workflows, roles and policy stay from one sequence to the next. */
const SEQUENCES_IN_ONE = 20;

/**
 * Sends a server random sequences of governance commands, by random people and partly concurrently. After each step,
 * checks the result with the oracle. Throws a `Violation` with the seed and the moves that led to it.
 */
export async function playGovernance(played: Played, { sequences, seed, onProgress }: Game): Promise<Figures> {
  const figures: Figures = { sequences: 0, steps: 0, events: 0, moves: {} };
  const people = await signUpPlayers(played, PLAYERS + 1);
  let table = await Table.found(people, `team-${seed}-0`);
  let board = boardOf(table);
  for (let n = 0; n < sequences; n += 1) {
    if (n > 0 && n % SEQUENCES_IN_ONE === 0) {
      figures.events += table.events;
      table = await Table.found(people, `team-${seed}-${n}`);
      board = boardOf(table);
    }
    const record: string[] = [];
    try {
      await playSequence(table, board, chanceOf(seed + n), { figures, record });
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      throw new Violation(`sequence ${n} of seed ${seed}: ${error.message}\n${record.join('\n')}`, { cause: error });
    }
    figures.sequences += 1;
    onProgress?.(figures);
  }
  figures.events += table.events;
  return figures;
}

type Notes = { figures: Figures; record: string[] };

const boardOf = ({ orgId, players }: Table): Board => ({
  orgId,
  players,
  keys: ['one', 'two'],
  drafts: [],
  sent: new Map(),
});

async function playSequence(table: Table, board: Board, chance: Chance, { figures, record }: Notes): Promise<void> {
  await table.refill(chance);
  for (let step = 0; step < STEPS; step += 1) {
    const atOnce = chance.in100(60) ? 1 : chance.in100(60) ? 2 : 4;
    await Promise.all(Array.from({ length: atOnce }, () => playMove(table, board, chance, { figures, record })));
    figures.steps += 1;
    await table.receive(board.sent);
    // Checks one key per step, in turn. A wrong live version of another key stays, so a later step or the end finds it.
    await table.compareLive(board.keys.filter((_, at) => at === step % board.keys.length));
  }
  await table.compareLive(board.keys);
}

async function playMove(
  { oracle, players }: Table,
  board: Board,
  chance: Chance,
  { figures: { moves }, record }: Notes,
): Promise<void> {
  const move = anyMove(chance);
  const fitting = players.filter(({ id }) => move.by.includes(oracle.members.get(id) ?? ''));
  // Usually picks someone with permission, so that the call succeeds, and sometimes anyone, to test refusals.
  const by = chance.pick(fitting.length > 0 && chance.in100(75) ? fitting : players);
  const reply = await move.make(by, board, chance);
  if (reply === null) return;
  const count = (moves[move.name] ??= { made: 0, granted: 0 });
  count.made += 1;
  if (reply.status < 400) count.granted += 1;
  record.push(`  ${move.name} by ${by.email}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 160)}`);
  if (reply.status >= 500) throw new Violation(`${move.name} answered ${reply.status}`);
}
