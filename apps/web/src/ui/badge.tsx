import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import './badge.css';

export type BadgeTone = 'gray' | 'live' | 'draft' | 'run' | 'fail' | 'warn' | 'plain';

export function Badge({ tone = 'gray', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={classNames('badge', tone !== 'gray' && tone)}>{children}</span>;
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

/** The text for a status. A status that this version doesn't know is shown unchanged. */
export function statusWord(status: string): string {
  return STATUSES[status]?.word ?? status;
}

/** A status in its color. A status that this version doesn't know is gray. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={STATUSES[status]?.tone ?? 'gray'}>{statusWord(status)}</Badge>;
}

export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag">{children}</span>;
}

export function Count({ of, on = false }: { of: number; on?: boolean }) {
  return <span className={classNames('count', on && 'on')}>{of}</span>;
}
