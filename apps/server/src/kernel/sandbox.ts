import type { Json, JsonObject } from '@stet/domain/runs';

/** The whole input of a script or expression: copies, so that changes don't affect anyone else. */
export type SandboxInput = {
  /** By step id. */
  outputs: { readonly [stepId: string]: Json };
  run: JsonObject;
  step: JsonObject;
};

/** The result; `reason` is a sentence for a person, `log` the output of `log(…)`. Both are limited in size. */
export type SandboxOutcome =
  | { outcome: 'returned'; value: Json; log: string[] }
  | { outcome: 'failed'; reason: string; log: string[] };

/** `orgId`: the organization, for fair sharing. The timeout starts when the script runs, not while it waits. */
type Request = { orgId: string; timeoutMs: number; input: SandboxInput };

/**
 * Runs user-written code in a process that has only the input, and that is killed after the timeout. Organizations take
 * turns, and none of them gets the last slot. Rejects if the code could not be run at all; the caller can then retry.
 */
export type Sandbox = {
  /**
   * `script` is the body of a function of `outputs`, `run`, `step` and `log`; its return value is the result, as JSON.
   */
  run: (request: Request & { script: string }) => Promise<SandboxOutcome>;
  /**
   * The same for trying out a script, in separate slots, so that neither runs nor other addresses wait for it.
   * Addresses take turns. New accounts have their own slot and less time.
   */
  attempt: (
    request: Omit<Request, 'orgId'> & { address: string; isNewAccount: boolean; script: string },
  ) => Promise<SandboxOutcome>;
  /**
   * A FEEL expression; it sees each output under its id, all of them under `outputs`, and `run`. The result is JSON.
   */
  evaluate: (request: Request & { expression: string }) => Promise<SandboxOutcome>;
  /** Maximum parallel scripts of one organization. */
  scriptsAtOnce: number;
  /** Ends everything that is running; it rejects. */
  close: () => Promise<void>;
};
