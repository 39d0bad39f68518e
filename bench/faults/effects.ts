/** The time span of a fault, on the clock of `performance.now()`. */
export type Span = { from: number; to: number };

/** The arrival times of each effect, by its name. */
export type Arrivals = ReadonlyMap<string, readonly number[]>;

export type EffectVerdict = {
  promised: number;
  /** Effects that were promised but never arrived. */
  missing: string[];
  /** Effects that arrived without a promise. */
  unasked: string[];
  /** Number of repeated arrivals. */
  again: number;
  /** Effects that arrived twice although no fault occurred between the arrival and the server's record of it. */
  unexplained: string[];
};

/** The server records an arrived effect within this time, even on a busy machine. */
const KNOWN_AFTER_MS = 3000;
/** Effects sent before a fault ends may arrive this long after its end. */
const RECEIVED_AFTER_MS = 500;

/**
 * Compares the promised effects with those that arrived. An effect that arrived during a fault, or just before or
 * after, may arrive again, because the server may not know that it arrived. All others must arrive exactly once.
 */
export function judgeEffects(promised: readonly string[], came: Arrivals, faults: readonly Span[]): EffectVerdict {
  const isInDoubt = (at: number): boolean =>
    faults.some(({ from, to }) => at >= from - KNOWN_AFTER_MS && at <= to + RECEIVED_AFTER_MS);
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

/** Returns the defects in one kind of effects, each as a sentence. */
export const effectProblems = (kind: string, { missing, unasked, unexplained }: EffectVerdict): string[] => [
  ...missing.map((name) => `${kind} never arrived: ${name}`),
  ...unasked.map((name) => `${kind} arrived without a promise: ${name}`),
  ...unexplained.map((name) => `${kind} arrived again without a fault: ${name}`),
];
