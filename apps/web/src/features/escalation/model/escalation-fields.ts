/** The typed recipients, separated by white space, commas or semicolons, in lower case and without duplicates. */
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

/** The interval of reminders in minutes. Null means that there is only one notification. */
const INTERVALS: readonly { minutes: number | null; label: string }[] = [
  { minutes: null, label: 'Once' },
  { minutes: 15, label: 'Every 15 minutes' },
  { minutes: 30, label: 'Every 30 minutes' },
  { minutes: 60, label: 'Every hour' },
  { minutes: 240, label: 'Every 4 hours' },
  { minutes: 1440, label: 'Every day' },
];

/** The default choices, plus the current value if it isn't one of them. */
export function intervalsWith(minutes: number | null): typeof INTERVALS {
  return INTERVALS.some((each) => each.minutes === minutes)
    ? INTERVALS
    : [...INTERVALS, { minutes, label: `Every ${minutes} minutes` }];
}
