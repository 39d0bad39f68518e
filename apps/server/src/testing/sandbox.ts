import type { Sandbox, SandboxOutcome } from '../kernel/sandbox.ts';

/** The input of scripts and expressions. */
export const INPUT = {
  outputs: { first: { text: 'hello', n: 2 }, __proto__: { polluted: true } },
  run: { name: 'A run' },
  step: { id: 'second', title: 'Second' },
};

/** The reason of a failure; empty if there was none. */
export const reasonOf = (answer: SandboxOutcome): string => (answer.outcome === 'failed' ? answer.reason : '');

/** Runs one organization's scripts and expressions on that input. */
export const askedOf = (sandbox: Sandbox) => ({
  run: (script: string, timeoutMs = 30_000): Promise<SandboxOutcome> =>
    sandbox.run({ orgId: 'one', script, timeoutMs, input: INPUT }),
  evaluate: (expression: string, timeoutMs = 5000): Promise<SandboxOutcome> =>
    sandbox.evaluate({ orgId: 'one', expression, timeoutMs, input: INPUT }),
});
