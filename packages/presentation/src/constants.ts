// The constants of section 9 of the specification that concern the screens.

/** Refetch interval of lists and runs if live updates are unavailable, in milliseconds. */
export const REFRESH_MS = 8000;
/** Display time of a toast, in milliseconds. */
export const TOAST_MS = 3500;
/**
 * Delay of the redirects from a run's last step to the list of runs, and from a sign-up without a session to the login,
 * in milliseconds.
 */
export const REDIRECT_MS = { afterRun: 3000, afterSignup: 800 } as const;
/** The number of characters of a run's id that are shown. */
const RUN_ID_SHOWN = 8;
/** Returns a run's short id: its first characters. */
export const runShortId = (id: string): string => id.slice(0, RUN_ID_SHOWN);
/** The maximum number of names suggested for a run. */
export const QUICK_SUGGESTIONS = 3;
/** The maximum number of steps that a workflow's side panel shows. */
export const PREVIEW_STEPS = 5;
/** A drag begins after `start` pixels; during a drag by keyboard, each arrow key moves by `key` pixels. */
export const DRAG_PX = { start: 5, key: 25 } as const;
/** The ranges of the three dropdowns of 'Set SLA Duration'. */
export const POPOVER_RANGE = { maxDays: 30, maxHours: 23, maxMinutes: 55, minuteStep: 5 } as const;
/** Width of a side panel in pixels; `--w-panel` in the theme. */
export const PANEL_PX = 420;
