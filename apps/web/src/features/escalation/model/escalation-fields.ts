/** The typed names, one per line or separated by commas; each once, in lower case. */
export function namesIn(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .map((name) => name.toLowerCase())
        .filter((name) => name !== ''),
    ),
  ];
}

/** The reminder interval in minutes; null for once. */
const INTERVALS: readonly { minutes: number | null; label: string }[] = [
  { minutes: null, label: 'Once' },
  { minutes: 15, label: 'Every 15 minutes' },
  { minutes: 30, label: 'Every 30 minutes' },
  { minutes: 60, label: 'Every hour' },
  { minutes: 240, label: 'Every 4 hours' },
  { minutes: 1440, label: 'Every day' },
];

/** The choices, including a current value that isn't one of the defaults. */
export function intervalsWith(minutes: number | null): typeof INTERVALS {
  return INTERVALS.some((each) => each.minutes === minutes)
    ? INTERVALS
    : [...INTERVALS, { minutes, label: `Every ${minutes} minutes` }];
}
