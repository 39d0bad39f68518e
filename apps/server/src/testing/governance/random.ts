/** Random choices, reproducible from the seed. */
export type Chance = {
  /** An integer from 0 up to, but not including, `limit`. */
  below: (limit: number) => number;
  pick: <T>(from: readonly T[]) => T;
  /** True with this probability, in percent. */
  in100: (share: number) => boolean;
};

/** Uses mulberry32, whose 32 bits of state are enough for these tests. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (from) => {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new RangeError('nothing to choose from');
      return picked;
    },
    in100: (share) => below(100) < share,
  };
}
