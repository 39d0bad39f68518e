import type { Entry } from './ledger.ts';
import type { Plant } from './planted.ts';
import type { Outcome } from './rig.ts';
import { nameOf } from './verdict.ts';

/** Between its answer and its being held back, and on the way to whom it was told. */
const SLACK_MS = 300;
/** Fewer may be chance. */
const ENOUGH_FOUND = 3;

/**
 * Whether a fault brought the planted one to light; else why not, in sentences. What was found has to be what this plant
 * does: a change lost that was acknowledged within the delay before a kill, or one done twice that was asked for twice.
 */
export function missedBy(
  plant: Plant,
  { verdict, ledger, heldMs }: Pick<Outcome, 'verdict' | 'ledger' | 'heldMs'>,
): string[] {
  const entries = new Map(ledger.entries.map((entry) => [nameOf(entry.kind, entry.id), entry]));
  const isOfPlant = (entry: Entry | undefined): boolean => {
    if (!entry) return false;
    if (plant === 'no-idempotency') return entry.unanswered > 0;
    const at = entry.acknowledgedAt ?? Infinity;
    return ledger.faults.some(({ from, to }) => at >= from - heldMs - SLACK_MS && at <= to);
  };
  const sinceKill = (entry: Entry | undefined): string => {
    const kills = ledger.faults.map(({ from }) => Math.round((entry?.acknowledgedAt ?? 0) - from));
    return `: acknowledged ${kills.join(', ')} ms behind the faults, held back for ${Math.round(heldMs)} ms at most`;
  };
  const { lost, duplicated } = verdict;
  const [shown, other] = plant === 'ack-before-commit' ? [lost, duplicated] : [duplicated, lost];
  const problems = [
    ...shown
      .filter((name) => !isOfPlant(entries.get(name)))
      .map((name) => `${name} is not of ${plant}${sinceKill(entries.get(name))}`),
    ...other.map((name) => `${plant} explains no ${plant === 'ack-before-commit' ? 'doubled' : 'lost'} ${name}`),
  ];
  if (shown.length < ENOUGH_FOUND) problems.push(`of ${plant} only ${shown.length} were found`);
  return problems;
}
