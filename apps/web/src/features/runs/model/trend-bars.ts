type TrendBar = { x: number; y: number; height: number; tone: 'plain' | 'at_risk' | 'breached' };

export const TREND_BOX = { width: 372, height: 104, floor: 90, target: 30.5, barWidth: 36 } as const;
const WHOLE = TREND_BOX.floor - TREND_BOX.target;
// Above the tallest bar, there is room for its number, which shows the exact share.
const TALLEST = 1.25;

/**
 * Evenly spaced bars for shares of an SLA (1 is the target). Many bars are narrower, so that all of them fit the box.
 */
export function trendBars(shares: readonly number[]): { bars: TrendBar[]; width: number } {
  const stride = Math.min(52, TREND_BOX.width / Math.max(1, shares.length));
  const width = Math.min(TREND_BOX.barWidth, stride * 0.7);
  const bars = shares.map((share, at): TrendBar => {
    const height = Math.max(1.2, Math.min(TALLEST, Math.max(0, share)) * WHOLE);
    return {
      x: at * stride,
      y: TREND_BOX.floor - height,
      height,
      tone: share > 1 ? 'breached' : share >= 0.8 ? 'at_risk' : 'plain',
    };
  });
  return { bars, width };
}
