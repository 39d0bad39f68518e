const LEFT = 2;
const RIGHT = 84;
const FLOOR = 22;
// The height of one whole SLA; the dashed target line is at FLOOR - WHOLE.
const WHOLE = 13.8;
const CEILING = 2;

const round = (value: number) => Math.round(value * 10) / 10;

/** `0.453` becomes `45%`. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** Points in an 88 by 24 box for shares of an SLA (1 = the target); a single share is a point at the right end. */
export function sparkPoints(shares: readonly number[]): { x: number; y: number }[] {
  const stride = shares.length > 1 ? (RIGHT - LEFT) / (shares.length - 1) : 0;
  return shares.map((share, at) => ({
    x: round(shares.length > 1 ? LEFT + at * stride : RIGHT),
    y: round(Math.max(CEILING, FLOOR - WHOLE * Math.max(0, share))),
  }));
}
