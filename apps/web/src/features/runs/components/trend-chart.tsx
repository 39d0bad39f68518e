import { percent } from '../../../ui/spark-points.ts';
import { TREND_BOX, trendBars } from '../model/trend-bars.ts';

const FILLS = { plain: 'var(--gray-dot)', at_risk: 'var(--warn-dot)', breached: 'var(--danger-dot)' } as const;
// With more bars than this, the numbers would overlap.
const NUMBERED = 8;

/** The share of its SLA that each completed step used, as bars with the target as a line. */
export function TrendChart({ shares }: { shares: readonly number[] }) {
  const { bars, width } = trendBars(shares);
  const spoken = shares.map((share, at) => `step ${at + 1} ${percent(share)}`).join(', ');
  return (
    <svg
      viewBox={`0 0 ${TREND_BOX.width} ${TREND_BOX.height}`}
      role="img"
      aria-label={`Share of SLA used: ${spoken}`}
      style={{ width: '100%', display: 'block' }}
      fontSize="11"
      textAnchor="middle"
    >
      <path d={`M0 ${TREND_BOX.target}H${TREND_BOX.width}`} stroke="var(--line-strong)" strokeDasharray="3 3" />
      <text x={TREND_BOX.width} y="25" textAnchor="end" fill="var(--text-3)">
        target
      </text>
      {bars.map(({ x, y, height, tone }, at) => (
        <g key={at}>
          <rect x={x} y={y} width={width} height={height} rx="2" fill={FILLS[tone]} />
          {bars.length <= NUMBERED && (
            <>
              <text
                x={x + width / 2}
                y={y - 6}
                fill="var(--text-2)"
                stroke="var(--surface)"
                strokeWidth="4"
                paintOrder="stroke"
              >
                {percent(shares[at] ?? 0)}
              </text>
              <text x={x + width / 2} y={TREND_BOX.height - 1} fill="var(--text-3)">
                {at + 1}
              </text>
            </>
          )}
        </g>
      ))}
    </svg>
  );
}
