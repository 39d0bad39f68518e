import type { StepConfigByType, StepType } from '../workflows/step.ts';

// Every constant and limit of section 9 of the specification, in its order. `scripts/one-table.test.mjs` looks for second copies.

/** How often lists and runs are fetched anew where live updates can't be had, in milliseconds. */
export const REFRESH_MS = 8000;
/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 3500;
/** From the last step of a run to the list of runs, and from a sign-up without a session to the login, in milliseconds. */
export const REDIRECT_MS = { afterRun: 3000, afterSignup: 800 } as const;

/** So many characters of a run's id are shown. */
const RUN_ID_SHOWN = 8;
/** A run's id as it is shown: its first characters. */
export const runShortId = (id: string): string => id.slice(0, RUN_ID_SHOWN);

/** Characters of a run's name and description. */
export const RUN_LIMITS = { nameMin: 3, nameMax: 100, description: 500 } as const;
/** What a name out of these bounds is answered (section 5); the figures are those above. */
export const RUN_NAME_PROBLEMS = {
  short: 'Run name must be at least 3 characters long',
  long: 'Run name must be at most 100 characters long',
} as const;
export const RUN_DEFAULTS = { priority: 'medium' } as const;
/** So many names are offered for a run at once. */
export const QUICK_SUGGESTIONS = 3;

/** Characters of a password at least. */
export const PASSWORD_MINIMUM = 6;
/** What a shorter one is answered (section 5). */
export const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters long';
/** Characters of an organization's URL prefix at most. */
export const ORGANIZATION_SLUG_LIMIT = 30;
/** Characters of a role in one's own words at least. */
export const OTHER_ROLE_MINIMUM = 2;

/** How long an invitation's link opens. */
export const INVITATION_MINUTES = 10_080;

/** So many steps a side panel shows of a workflow. */
export const PREVIEW_STEPS = 5;
/** Entries of a diff: detailed where no more are asked for, at most, and in the legacy list. */
export const DIFF_LIMITS = { detailed: 200, most: 1000, legacy: 5 } as const;
/** A drag begins after so many pixels; each key moves what is dragged by so many. */
export const DRAG_PX = { start: 5, key: 25 } as const;
/** What the three dropdowns of 'Set SLA Duration' offer. */
export const POPOVER_RANGE = { maxDays: 30, maxHours: 23, maxMinutes: 55, minuteStep: 5 } as const;
/** The width of a side panel; the theme has it as `--w-panel`. */
export const PANEL_PX = 420;

/** The SLA that stands where none was written (section 3 and 5). */
export const UNWRITTEN_SLA = '1 day';

/**
 * What a new step of a type begins with: its SLA as text, and its settings. `timeout` is in seconds. A `timeout`,
 * `minimumApprovers` or `channels` that a step lacks is read as the one here.
 */
export const STEP_DEFAULTS = {
  manual: { sla: '24h', config: { assignedRole: 'editor' } },
  approval: { sla: '48h', config: { minimumApprovers: 1 } },
  automated: { sla: '5m', config: { timeout: 300 } },
  condition: { sla: '1m', config: {} },
  notification: { sla: '5m', config: { channels: ['email', 'in-app'] } },
} as const satisfies {
  readonly [T in StepType]: { readonly sla: string; readonly config: DeepReadonly<StepConfigByType[T]> };
};

/**
 * How an automated step without a script is played: the wait in milliseconds, the share of runs that fail, and between
 * which bounds the time that it says it took lies, in milliseconds.
 */
export const SIMULATION = { waitMs: 2000, failureRate: 0.1, reportedMs: { least: 1000, most: 6000 } } as const;

/**
 * Seconds: what a step's timeout may be at most, and what a script gets however long its step's timeout is. It waits for
 * nothing outside, so what takes longer will not end; a shorter timeout counts as it is.
 */
export const SCRIPT_SECONDS = { longestTimeout: 3600, ceiling: 60 } as const;
/** What the field of the timeout says about that. */
export const SCRIPT_CEILING_HINT = `No script runs longer than ${SCRIPT_SECONDS.ceiling} seconds, whatever stands here. A shorter timeout counts as it is.`;

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? DeepReadonly<T[K]> : T[K] };
