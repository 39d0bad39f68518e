import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Deps } from '../../kernel/deps.ts';
import { LIVES } from './lives.ts';

/** Maximum number of rows that one statement deletes. */
export const PIECE = 1000;
// Limits one run if many rows are due, for example after an upgrade. The next run continues.
const PIECES_OF_A_KIND = 100;

const sweepPiece = statement({
  name: 'sweep_piece',
  params: ['kind', 'life', 'most'],
  row: z.object({ deleted: z.number().int() }),
  text: `select sweep_piece($1, $2::interval, $3) as deleted`,
});

/** Deletes data whose retention period has ended, in small pieces. */
export async function doHousekeeping({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const { kind, life } of LIVES) {
    let total = 0;
    for (let pieces = 0; pieces < PIECES_OF_A_KIND; pieces += 1) {
      const [piece] = await db.query(sweepPiece, { kind, life, most: PIECE });
      total += piece?.deleted ?? 0;
      if ((piece?.deleted ?? 0) < PIECE) break;
    }
    if (total > 0) log.info({ kind, rows: total }, 'old rows deleted');
  }
}
