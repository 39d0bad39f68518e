/** The result of a check: a sentence that says how to fix a problem. */
export type Finding = { check: string; state: 'ok' | 'warning' | 'failure'; sentence: string };

export const fine = (check: string, sentence: string): Finding => ({ check, state: 'ok', sentence });
export const warning = (check: string, sentence: string): Finding => ({ check, state: 'warning', sentence });
export const failure = (check: string, sentence: string): Finding => ({ check, state: 'failure', sentence });
