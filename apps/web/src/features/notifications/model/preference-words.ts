import type { NotificationPreferences } from '@stet/contract';
import type { PreferenceKind, PreferenceChannel, Pace } from '@stet/domain/notifications';

export const PREFERENCE_WORDS = {
  assignments: { title: 'Assignments', about: 'A step is waiting for you.' },
  sla: { title: 'SLA warnings', about: 'A step or run that you own or oversee is at risk or overdue.' },
  review_requests: { title: 'Review requests', about: 'A draft that you can review was submitted.' },
  decisions: {
    title: 'Decisions',
    about:
      'A draft that you worked on was approved, sent back, merged or withdrawn. Owners and admins also get alerts.',
  },
  mentions: { title: 'Mentions', about: 'Someone mentioned you with @, or answered in a conversation of yours.' },
} as const satisfies Record<PreferenceKind, { title: string; about: string }>;

export const CHANNEL_WORDS = {
  'in-app': 'In the app',
  email: 'Email',
  slack: 'Slack',
} as const satisfies Record<PreferenceChannel, string>;

export const PACE_WORDS = {
  at_once: 'Immediately',
  daily: 'Daily digest',
  off: 'Off',
} as const satisfies Record<Pace, string>;

export type PaceChange = { news: PreferenceKind; channel: PreferenceChannel; pace: Pace };

/** The preferences with one value changed. */
export const withPace = (
  preferences: NotificationPreferences,
  { news, channel, pace }: PaceChange,
): NotificationPreferences => ({
  ...preferences,
  paces: { ...preferences.paces, [news]: { ...preferences.paces[news], [channel]: pace } },
});

/** For example `08:00 (Europe/Berlin)`. */
export const digestTime = ({ hour, timeZone }: NotificationPreferences['digest']): string =>
  `${String(hour).padStart(2, '0')}:00 (${timeZone.replaceAll('_', ' ')})`;
