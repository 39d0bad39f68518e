/** The result of a check. The sentence about a problem usually says how to fix it. */
export type Finding = { check: string; state: 'ok' | 'warning' | 'failure'; sentence: string };

export const fine = (check: string, sentence: string): Finding => ({ check, state: 'ok', sentence });
export const warning = (check: string, sentence: string): Finding => ({ check, state: 'warning', sentence });
export const failure = (check: string, sentence: string): Finding => ({ check, state: 'failure', sentence });
