const LEFT = 2;
const RIGHT = 84;
const FLOOR = 22;
// The height that represents 100 % of an SLA. The dashed target line is at FLOOR - WHOLE.
const WHOLE = 13.8;
const CEILING = 2;

const round = (value: number) => Math.round(value * 10) / 10;

/** Formats a share as a percentage: `0.453` becomes `45%`. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/**
 * Converts shares of an SLA (1 is the target) to points in a box of 88 by 24. A single share becomes a point at the
 * right.
 */
export function sparkPoints(shares: readonly number[]): { x: number; y: number }[] {
  const stride = shares.length > 1 ? (RIGHT - LEFT) / (shares.length - 1) : 0;
  return shares.map((share, at) => ({
    x: round(shares.length > 1 ? LEFT + at * stride : RIGHT),
    y: round(Math.max(CEILING, FLOOR - WHOLE * Math.max(0, share))),
  }));
}
