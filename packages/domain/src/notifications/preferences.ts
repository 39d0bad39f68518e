/** What people are told about, as far as they may say how. What else they are told stands in the list behind the bell alone. */
export const NEWS = ['assignments', 'sla', 'review_requests', 'decisions', 'mentions'] as const;
export type News = (typeof NEWS)[number];

/** Where they are told; the same names as the channels of a notification step. */
export const NEWS_CHANNELS = ['in-app', 'email', 'slack'] as const;
export type NewsChannel = (typeof NEWS_CHANNELS)[number];

/** How fast: with the event, with all else that was held back once a day, or not over this channel. */
export const PACES = ['at_once', 'daily', 'off'] as const;
export type Pace = (typeof PACES)[number];

/** How a person wants to be told, whole. */
export type Preferences = Record<News, Record<NewsChannel, Pace>>;

/**
 * What counts until a person says otherwise (rulings, section 6): within the application always, by mail at once, and in
 * Slack what is assigned to them.
 */
export const DEFAULT_PREFERENCES = {
  assignments: { 'in-app': 'at_once', email: 'at_once', slack: 'at_once' },
  sla: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
  review_requests: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
  decisions: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
  mentions: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
} as const satisfies Preferences;

/**
 * What a person can pick for a kind of news over a channel, at least one. The list behind the bell waits by itself, so
 * nothing of it is held back for a day; and what is assigned to someone is always in it (rulings, section 6).
 */
export function pacesFor(news: News, channel: NewsChannel): readonly Pace[] {
  if (channel !== 'in-app') return PACES;
  return news === 'assignments' ? ['at_once'] : ['at_once', 'off'];
}

/** The preferences of a person who has picked these; what can't be picked, or isn't known any more, counts as not picked. */
export function preferencesOf(picked: readonly { news: string; channel: string; pace: string }[]): Preferences {
  const paceOf = (news: News, channel: NewsChannel): Pace => {
    const pick = picked.find((each) => each.news === news && each.channel === channel)?.pace;
    return pacesFor(news, channel).find((pace) => pace === pick) ?? DEFAULT_PREFERENCES[news][channel];
  };
  const channelsOf = (news: News): Record<NewsChannel, Pace> => ({
    'in-app': paceOf(news, 'in-app'),
    email: paceOf(news, 'email'),
    slack: paceOf(news, 'slack'),
  });
  return {
    assignments: channelsOf('assignments'),
    sla: channelsOf('sla'),
    review_requests: channelsOf('review_requests'),
    decisions: channelsOf('decisions'),
    mentions: channelsOf('mentions'),
  };
}

/** Everything that someone is told of, with the kind of news that it is; null where nobody can say how they are told. */
export const NEWS_OF = {
  step_assigned: 'assignments',
  sla_at_risk: 'sla',
  sla_breached: 'sla',
  review_requested: 'review_requests',
  draft_approved: 'decisions',
  draft_changes_requested: 'decisions',
  draft_merged: 'decisions',
  draft_withdrawn: 'decisions',
  draft_discarded: 'decisions',
  confirmation_requested: 'review_requests',
  confirmation_decided: 'decisions',
  changed_alone: 'decisions',
  role_changed: 'decisions',
  version_rolled_back: 'decisions',
  emergency: 'decisions',
  mentioned: 'mentions',
  pause_escalated: 'sla',
  run_failed: null,
  run_paused: null,
  decided_for_you: null,
  message: null,
  input_submitted: null,
  input_returned: null,
} as const satisfies Record<string, News | null>;
export type NoticeKind = keyof typeof NEWS_OF;
