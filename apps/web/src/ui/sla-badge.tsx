import { AlarmClockOff, Clock, ClockAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './sla-badge.module.css';

type SlaTone = 'on_track' | 'at_risk' | 'breached';

const CLOCKS = {
  on_track: { icon: Clock, word: 'On track' },
  at_risk: { icon: ClockAlert, word: 'At risk' },
  breached: { icon: AlarmClockOff, word: 'Breached' },
} satisfies Record<SlaTone, { icon: LucideIcon; word: string }>;

/**
 * Converts a word in any spelling ('at_risk', 'at-risk', 'At Risk') to an SLA state. Returns null for any other word
 * (specification, section 4).
 */
function toneOf(word: string): SlaTone | null {
  const name = word.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return Object.hasOwn(CLOCKS, name) ? (name as SlaTone) : null;
}

type SlaTextProps = { state: string | null; isPill?: boolean; style?: CSSProperties; children: ReactNode };

/** Text in the color of an SLA state. */
export function SlaText({ state, isPill = false, style, children }: SlaTextProps) {
  const tone = state === null ? null : toneOf(state);
  return (
    <span className={classNames(styles.sla, tone && styles[tone], tone && isPill && styles.pill)} style={style}>
      {children}
    </span>
  );
}

type SlaBadgeProps = {
  /** The SLA state, or null without an SLA. */
  state: string | null;
  /** Whether the background is tinted. */
  pill?: boolean;
  /** Replaces the state's own text, for example with "due in 3 h". */
  children?: ReactNode;
};

export function SlaBadge({ state, pill = false, children }: SlaBadgeProps) {
  if (state === null) return <SlaText state={null}>{children ?? <span title="No SLA">—</span>}</SlaText>;
  const tone = toneOf(state);
  if (tone === null) return <SlaText state={null}>{children ?? state}</SlaText>;
  return (
    <SlaText state={tone} isPill={pill}>
      <Icon of={CLOCKS[tone].icon} />
      {children ?? CLOCKS[tone].word}
    </SlaText>
  );
}

const SUMMARIES = { on_track: '✅ On Track', at_risk: '⚡ At Risk', breached: '⚠️ Breached' } satisfies Record<
  SlaTone,
  string
>;

/** The SLA summary in a run's header, with the texts that the specification prescribes (section 2, run execution). */
export function SlaSummary({ state }: { state: string | null }) {
  const tone = state === null ? null : toneOf(state);
  if (tone === null) return null;
  return (
    <SlaText state={tone} style={{ font: 'var(--w-medium) var(--t-sm) var(--sans)' }}>
      {SUMMARIES[tone]}
    </SlaText>
  );
}
