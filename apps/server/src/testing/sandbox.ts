import type { Sandbox, SandboxOutcome } from '../kernel/sandbox.ts';

/** The input of scripts and expressions. */
export const INPUT = {
  outputs: { first: { text: 'hello', n: 2 }, __proto__: { polluted: true } },
  run: { name: 'A run' },
  step: { id: 'second', title: 'Second' },
};

/** The reason for a failure. Empty if there was none. */
export const reasonOf = (answer: SandboxOutcome): string => (answer.outcome === 'failed' ? answer.reason : '');

/** Runs scripts and expressions of one organization on `INPUT`. */
export const askedOf = (sandbox: Sandbox) => ({
  run: (script: string, timeoutMs = 30_000): Promise<SandboxOutcome> =>
    sandbox.run({ orgId: 'one', script, timeoutMs, input: INPUT }),
  evaluate: (expression: string, timeoutMs = 5000): Promise<SandboxOutcome> =>
    sandbox.evaluate({ orgId: 'one', expression, timeoutMs, input: INPUT }),
});
