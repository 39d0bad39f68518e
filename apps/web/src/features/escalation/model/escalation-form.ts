import { assignedOrgRole, isEmail } from '@stet/domain/workflows';

/** The names that were typed, one a line or separated by commas; each once, in lower case. */
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

/** The sentence for a name that is nobody's, else null. */
export function namesProblem(names: readonly string[]): string | null {
  const unknown = names.find((name) => assignedOrgRole(name) === null && !isEmail(name));
  if (unknown !== undefined) return `“${unknown}” is neither an email address nor a role`;
  return names.length > 20 ? 'At most 20 people and roles' : null;
}

/** How long until people are told again, in minutes; null for once. */
const INTERVALS: readonly { minutes: number | null; label: string }[] = [
  { minutes: null, label: 'Once' },
  { minutes: 15, label: 'Every 15 minutes' },
  { minutes: 30, label: 'Every 30 minutes' },
  { minutes: 60, label: 'Every hour' },
  { minutes: 240, label: 'Every 4 hours' },
  { minutes: 1440, label: 'Every day' },
];

/** The choices, with one that was set otherwise among them. */
export function intervalsWith(minutes: number | null): typeof INTERVALS {
  return INTERVALS.some((each) => each.minutes === minutes)
    ? INTERVALS
    : [...INTERVALS, { minutes, label: `Every ${minutes} minutes` }];
}
