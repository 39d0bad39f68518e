/** The kinds of notifications with preferences. All others appear only in the list behind the bell. */
export const PREFERENCE_KINDS = ['assignments', 'sla', 'review_requests', 'decisions', 'mentions'] as const;
export type PreferenceKind = (typeof PREFERENCE_KINDS)[number];

/** The channels, named like those of a notification step. */
export const PREFERENCE_CHANNELS = ['in-app', 'email', 'slack'] as const;
export type PreferenceChannel = (typeof PREFERENCE_CHANNELS)[number];

/** When a notification is sent: at once, in the daily digest, or not over this channel. */
export const PACES = ['at_once', 'daily', 'off'] as const;
export type Pace = (typeof PACES)[number];

/** A person's complete notification preferences. */
export type Preferences = Record<PreferenceKind, Record<PreferenceChannel, Pace>>;

/** The default preferences: always in the application, by mail immediately, and in Slack for assignments. */
export const DEFAULT_PREFERENCES = {
  assignments: { 'in-app': 'at_once', email: 'at_once', slack: 'at_once' },
  sla: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
  review_requests: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
  decisions: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
  mentions: { 'in-app': 'at_once', email: 'at_once', slack: 'off' },
} as const satisfies Preferences;

/**
 * Returns the choices for a kind of notification on a channel, at least one. The list behind the bell has no daily
 * choice, because people read it when they want to. Assignments always appear in it (decision 62).
 */
export function pacesFor(kind: PreferenceKind, channel: PreferenceChannel): readonly Pace[] {
  if (channel !== 'in-app') return PACES;
  return kind === 'assignments' ? ['at_once'] : ['at_once', 'off'];
}

/**
 * Returns a person's preferences: their choices, and the defaults for all others. Invalid and obsolete choices are
 * ignored.
 */
export function preferencesOf(picked: readonly { news: string; channel: string; pace: string }[]): Preferences {
  const paceOf = (kind: PreferenceKind, channel: PreferenceChannel): Pace => {
    const pick = picked.find((each) => each.news === kind && each.channel === channel)?.pace;
    return pacesFor(kind, channel).find((pace) => pace === pick) ?? DEFAULT_PREFERENCES[kind][channel];
  };
  const channelsOf = (kind: PreferenceKind): Record<PreferenceChannel, Pace> => ({
    'in-app': paceOf(kind, 'in-app'),
    email: paceOf(kind, 'email'),
    slack: paceOf(kind, 'slack'),
  });
  return {
    assignments: channelsOf('assignments'),
    sla: channelsOf('sla'),
    review_requests: channelsOf('review_requests'),
    decisions: channelsOf('decisions'),
    mentions: channelsOf('mentions'),
  };
}
