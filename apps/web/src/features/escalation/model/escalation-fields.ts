import type { Escalation } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';

type Settings = Pick<Escalation, 'tell' | 'againAfterMinutes'>;

/** True if both have the same recipients, in the same order, and the same interval. */
export const isSame = (one: Settings, other: Settings): boolean =>
  JSON.stringify([one.tell, one.againAfterMinutes]) === JSON.stringify([other.tell, other.againAfterMinutes]);

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

/** The choices for the interval of reminders, in minutes. Null: only one notification. */
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
    : [...INTERVALS, { minutes, label: labelOf(minutes) }];
}

const labelOf = (minutes: number | null): string =>
  INTERVALS.find((each) => each.minutes === minutes)?.label ?? `Every ${minutes} minutes`;

/** For example `also notify reviewer, ada@x.example, with reminders every hour`. */
export function escalationWords({ tell, againAfterMinutes }: Settings): string {
  const who =
    tell.length === 0 ? 'notify only the assignee, owners and admins' : `also notify ${tell.map(isolated).join(', ')}`;
  return againAfterMinutes === null
    ? `${who}, without reminders`
    : `${who}, with reminders ${labelOf(againAfterMinutes).toLowerCase()}`;
}
