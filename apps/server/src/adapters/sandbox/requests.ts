import type { SandboxInput, SandboxOutcome } from '../../kernel/sandbox.ts';

export type SandboxRequest = { kind: 'script' | 'expression'; text: string; timeoutMs: number; input: SandboxInput };

/**
 * Messages of a sandbox process: one when it is ready, and then one reply per request. If `isSpent` is true, the
 * process has to be replaced.
 */
export type SandboxReply =
  | { kind: 'ready'; isRoot: boolean }
  | { kind: 'done'; outcome: SandboxOutcome; isSpent: boolean }
  /** The request couldn't start, for a reason that has nothing to do with the script. */
  | { kind: 'unable'; problem: string };
