/** Something went wrong from one moment to another, both of `performance.now()`. */
export type Span = { from: number; to: number };

/** When each effect arrived, by what it is of. */
export type Arrivals = ReadonlyMap<string, readonly number[]>;

export type EffectVerdict = {
  promised: number;
  /** Promised, and never arrived. */
  missing: string[];
  /** Arrived, though nothing promised it. */
  unasked: string[];
  /** How often one arrived again. */
  again: number;
  /** Arrived again, though no fault struck between its arrival and the moment at which the server knew of it. */
  unexplained: string[];
};

/** So long after an effect arrived the server knows of it, on a busy machine. */
const KNOWN_AFTER_MS = 3000;
/** So long after a fault its last victims are heard of: what was sent before it is still under way to us. */
const HEARD_AFTER_MS = 500;

/**
 * Compares what the work of people promised with what arrived. What arrived while a fault struck, or just before, may
 * arrive once more, since nobody knows whether it did; anything else arrives exactly once.
 */
export function judgeEffects(promised: readonly string[], came: Arrivals, faults: readonly Span[]): EffectVerdict {
  const isInDoubt = (at: number): boolean =>
    faults.some(({ from, to }) => at >= from - KNOWN_AFTER_MS && at <= to + HEARD_AFTER_MS);
  const repeated = [...came].flatMap(([name, moments]) =>
    moments
      .toSorted((a, b) => a - b)
      .slice(0, -1)
      .map((at) => ({ name, at })),
  );
  const wanted = new Set(promised);
  return {
    promised: promised.length,
    missing: promised.filter((name) => !came.has(name)),
    unasked: [...came.keys()].filter((name) => !wanted.has(name)),
    again: repeated.length,
    unexplained: repeated.filter(({ at }) => !isInDoubt(at)).map(({ name }) => name),
  };
}

/** What is wrong with one kind of effects, a sentence each. */
export const effectProblems = (kind: string, { missing, unasked, unexplained }: EffectVerdict): string[] => [
  ...missing.map((name) => `${kind} never came: ${name}`),
  ...unasked.map((name) => `${kind} came, though nothing promised it: ${name}`),
  ...unexplained.map((name) => `${kind} came again without a fault: ${name}`),
];
