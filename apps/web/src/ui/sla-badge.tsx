import { AlarmClockOff, Clock, ClockAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import './sla-badge.css';

export type SlaTone = 'on_track' | 'at_risk' | 'breached';

const CLOCKS = {
  on_track: { icon: Clock, word: 'On track' },
  at_risk: { icon: ClockAlert, word: 'At risk' },
  breached: { icon: AlarmClockOff, word: 'Breached' },
} satisfies Record<SlaTone, { icon: LucideIcon; word: string }>;

type SlaBadgeProps = {
  /** Null where nothing has a clock. */
  state: SlaTone | null;
  /** With a tint behind it. */
  pill?: boolean;
  /** Other words than the state's own, for example "due in 3h". */
  children?: ReactNode;
};

export function SlaBadge({ state, pill = false, children }: SlaBadgeProps) {
  if (state === null) return <span className="sla">{children ?? <span title="No clock">—</span>}</span>;
  return (
    <span className={classNames('sla', state, pill && 'pill')}>
      <Icon of={CLOCKS[state].icon} />
      {children ?? CLOCKS[state].word}
    </span>
  );
}

const SUMMARIES = { on_track: '✅ On Track', at_risk: '⚡ At Risk', breached: '⚠️ Breached' } satisfies Record<
  SlaTone,
  string
>;

/** The run header's SLA summary, in the words of the specification (section 2, run execution). */
export function SlaSummary({ state }: { state: SlaTone | null }) {
  if (state === null) return null;
  return (
    <span className={classNames('sla', state)} style={{ font: 'var(--w-medium) var(--t-sm) var(--sans)' }}>
      {SUMMARIES[state]}
    </span>
  );
}
