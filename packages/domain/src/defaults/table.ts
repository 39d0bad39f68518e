// The constants and limits from section 9 of the specification, in the same order; `steps` contains those for steps.

/** Lengths of a run's name and description, in characters. */
export const RUN_LIMITS = { nameMin: 3, nameMax: 100, description: 500 } as const;
/** Error messages for names outside these limits (section 5). */
export const RUN_NAME_PROBLEMS = {
  missing: 'Run name is required',
  short: 'Run name must be at least 3 characters long',
  long: 'Run name must be at most 100 characters long',
} as const;
/** From the lowest to the highest. */
export const RUN_PRIORITIES = ['low', 'medium', 'high', 'urgent', 'critical'] as const;
export const RUN_DEFAULTS = { priority: 'medium' } as const;

/** Minimum length of a password, in characters. */
export const PASSWORD_MINIMUM = 6;
/** The highest minimum that an organization may set. */
export const PASSWORD_MINIMUM_LIMIT = 64;
/** Error message for a shorter password (section 5). */
export const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters long';
/** Maximum length of an organization's URL prefix, in characters. */
export const ORGANIZATION_SLUG_LIMIT = 30;
/** Minimum length of a custom role, in characters. */
export const OTHER_ROLE_MINIMUM = 2;

/** Lifetime of an invitation's link. */
export const INVITATION_MINUTES = 10_080;

/** Number of diff entries: default, maximum, and in the legacy list. */
export const DIFF_LIMITS = { detailed: 200, most: 1000, legacy: 5 } as const;

/** The SLA that applies if nothing was entered (sections 3 and 5). */
export const UNWRITTEN_SLA = '1 day';
