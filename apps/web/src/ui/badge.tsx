import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './badge.module.css';

export type BadgeTone = 'gray' | 'live' | 'draft' | 'run' | 'fail' | 'warn' | 'plain';

type BadgeProps = { tone?: BadgeTone; className?: string | undefined; children: ReactNode };

export function Badge({ tone = 'gray', className, children }: BadgeProps) {
  return <span className={classNames(styles.badge, tone !== 'gray' && styles[tone], className)}>{children}</span>;
}

/** The text and color of every status of workflows, versions and runs (specification, sections 2 and 4). */
const STATUSES: Record<string, { word: string; tone: BadgeTone }> = {
  live: { word: 'Live', tone: 'live' },
  published: { word: 'Published', tone: 'live' },
  draft: { word: 'Draft', tone: 'draft' },
  in_review: { word: 'In Review', tone: 'gray' },
  superseded: { word: 'Superseded', tone: 'gray' },
  archived: { word: 'Archived', tone: 'gray' },
  running: { word: 'Running', tone: 'run' },
  paused: { word: 'Paused', tone: 'gray' },
  completed: { word: 'Completed', tone: 'live' },
  failed: { word: 'Failed', tone: 'fail' },
  cancelled: { word: 'Cancelled', tone: 'gray' },
  unknown: { word: 'Unknown', tone: 'warn' },
};

/** The text for a status. A status that isn't listed above is shown as it is. */
export function statusWord(status: string): string {
  return STATUSES[status]?.word ?? status;
}

/** A status in its color. A status that isn't listed above is gray. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={STATUSES[status]?.tone ?? 'gray'}>{statusWord(status)}</Badge>;
}

export function Tag({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <span className={classNames(styles.tag, className)}>{children}</span>;
}

export function Count({ of, on = false }: { of: number; on?: boolean }) {
  return <span className={classNames(styles.count, on && styles.on)}>{of}</span>;
}
