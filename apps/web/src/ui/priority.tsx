import { classNames } from './class-names.ts';
import styles from './priority.module.css';

type PriorityLevel = 'low' | 'medium' | 'high' | 'urgent' | 'critical';

const LEVELS = {
  low: { word: 'Low', bars: 1 },
  medium: { word: 'Medium', bars: 2 },
  high: { word: 'High', bars: 3 },
  urgent: { word: 'Urgent', bars: 4 },
  critical: { word: 'Critical', bars: 4 },
} satisfies Record<PriorityLevel, { word: string; bars: number }>;

const isLevel = (level: string): level is PriorityLevel => Object.hasOwn(LEVELS, level);

/** The level in words. An unknown level is shown unchanged. */
export const priorityWord = (level: string): string => (isLevel(level) ? LEVELS[level].word : level);

/** Bars and text, so that the level isn't shown only by color. An unknown level is shown unchanged. */
export function Priority({ level, className }: { level: string; className?: string | undefined }) {
  if (!isLevel(level)) return <span className={classNames(styles.priority, className)}>{level}</span>;
  const { word, bars } = LEVELS[level];
  return (
    <span className={classNames(styles.priority, styles[level], className)}>
      <svg viewBox="0 0 14 12" aria-hidden="true">
        {[0, 1, 2, 3].map((bar) => (
          <rect
            key={bar}
            className={bar < bars ? styles.filled : undefined}
            x={bar * 3.6}
            y={9 - bar * 3}
            width="2.6"
            height={3 + bar * 3}
            rx=".6"
          />
        ))}
      </svg>
      {word}
    </span>
  );
}
