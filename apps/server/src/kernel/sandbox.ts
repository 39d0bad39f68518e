import type { Json, JsonObject } from '@stet/domain/runs';

/** The whole input of a script or expression. It contains copies, so that changes to it have no effect elsewhere. */
export type SandboxInput = {
  /** The outputs of steps, by step id. */
  outputs: { readonly [stepId: string]: Json };
  run: JsonObject;
  step: JsonObject;
};

/** The result. `reason` is a sentence for a person, and `log` is the output of `log(…)`. Both are limited in size. */
export type SandboxOutcome =
  | { outcome: 'returned'; value: Json; log: string[] }
  | { outcome: 'failed'; reason: string; log: string[] };

/**
 * `orgId` is the organization whose turn the request uses. The timeout starts when the script starts, so it doesn't
 * include the time in the queue.
 */
type Request = { orgId: string; timeoutMs: number; input: SandboxInput };

/**
 * Runs user-written code, which has access only to its input, in a process that is killed after the timeout.
 * Organizations take turns, and none of them gets all slots. Rejects if the code could not be run at all, so that the
 * caller can retry.
 */
export type Sandbox = {
  /**
   * Runs a script. `script` is the body of a function with the parameters `outputs`, `run`, `step` and `log`. Its
   * return value, as JSON, is the result.
   */
  run: (request: Request & { script: string }) => Promise<SandboxOutcome>;
  /**
   * Runs a script as a trial, in separate slots, so that runs never wait for trials. Addresses take turns. New accounts
   * have separate slots.
   */
  attempt: (
    request: Omit<Request, 'orgId'> & { address: string; isNewAccount: boolean; script: string },
  ) => Promise<SandboxOutcome>;
  /**
   * Evaluates a FEEL expression. It can use each output under its step id, all outputs under `outputs`, and `run`. The
   * result is JSON.
   */
  evaluate: (request: Request & { expression: string }) => Promise<SandboxOutcome>;
  /** Maximum number of parallel scripts of one organization. */
  scriptsAtOnce: number;
  /** Ends everything that is running. The calls then reject. */
  close: () => Promise<void>;
};
