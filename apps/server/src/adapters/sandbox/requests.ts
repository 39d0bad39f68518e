import type { SandboxInput, SandboxOutcome } from '../../kernel/sandbox.ts';

/** What a sandbox process is asked. */
export type SandboxRequest = { kind: 'script' | 'expression'; text: string; timeoutMs: number; input: SandboxInput };

/** What it says: once that it is there, then one outcome a request. `isSpent`: it has to be replaced by a fresh one. */
export type SandboxReply =
  | { kind: 'ready' }
  | { kind: 'done'; outcome: SandboxOutcome; isSpent: boolean }
  /** It could not begin, which says nothing about the script. */
  | { kind: 'unable'; problem: string };
