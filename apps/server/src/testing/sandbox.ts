import type { Sandbox, SandboxOutcome } from '../kernel/sandbox.ts';

/** The input of scripts and expressions. */
export const INPUT = {
  outputs: { first: { text: 'hello', n: 2 }, __proto__: { polluted: true } },
  run: { name: 'A run' },
  step: { id: 'second', title: 'Second' },
};

/** Why it failed; empty if it didn’t. */
export const reasonOf = (answer: SandboxOutcome): string => (answer.outcome === 'failed' ? answer.reason : '');

/** Runs scripts and evaluates expressions of one organization on that input. */
export const askedOf = (sandbox: Sandbox) => ({
  run: (script: string, timeoutMs = 30_000): Promise<SandboxOutcome> =>
    sandbox.run({ orgId: 'one', script, timeoutMs, input: INPUT }),
  evaluate: (expression: string, timeoutMs = 5000): Promise<SandboxOutcome> =>
    sandbox.evaluate({ orgId: 'one', expression, timeoutMs, input: INPUT }),
});
