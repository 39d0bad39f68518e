import type { Notification } from '@stet/contract';
import { PREFERENCE_KINDS } from '@stet/domain/notifications';
import { formatNumber } from '../../../lib/format/number.ts';
import { paths } from '../../../lib/paths.ts';
import { PREFERENCE_WORDS } from './preference-words.ts';

const isBatch = ({ role, count }: Notification): boolean => role !== null && count > 1;

/** The page that a notification opens, or null if there is none. A batch opens the list of tasks or of overdue runs. */
export function addressOf(notification: Notification): string | null {
  const { kind, draft, runId } = notification;
  if (isBatch(notification)) return kind === 'sla_breached' ? `${paths.runs}?sla=breached` : `${paths.tasks}?show=role`;
  if (kind === 'trail_broken' || kind === 'organization_ending') return paths.audit;
  return draft ? paths.review(draft) : runId === null ? null : paths.run(runId);
}

/** The text of a thread. `more` is the number of notifications in words; empty for a single one and for a batch. */
export function wordsOf(notification: Notification): { title: string; body: string; more: string } {
  const { kind, title, body, role, count, closedAt } = notification;
  if (isBatch(notification)) {
    const state = kind === 'sla_breached' ? 'overdue ' : kind === 'sla_at_risk' ? 'at-risk ' : '';
    return { title: `${formatNumber(count)} ${state}steps for ${role}s`, body: `Most recent: ${title}`, more: '' };
  }
  return {
    title,
    body: closedAt === null ? body : 'This draft no longer needs your review.',
    more: count > 1 ? `${formatNumber(count)} notifications` : '',
  };
}

const KINDS = [...PREFERENCE_KINDS, 'other'] as const;

/** The page's filters, as stored in the address. */
export type NotificationFilters = { unread: boolean; kind: (typeof KINDS)[number] | ''; workflow: string };

export const KIND_CHOICES = KINDS.map((value) => ({
  value,
  label: value === 'other' ? 'Other' : PREFERENCE_WORDS[value].title,
}));

export const readFilters = (query: URLSearchParams): NotificationFilters => ({
  unread: query.get('unread') === 'true',
  kind: KINDS.find((kind) => kind === query.get('kind')) ?? '',
  workflow: query.get('workflow') ?? '',
});

export const writeFilters = ({ unread, kind, workflow }: NotificationFilters): Record<string, string> => ({
  ...(unread && { unread: 'true' }),
  ...(kind !== '' && { kind }),
  ...(workflow !== '' && { workflow }),
});
